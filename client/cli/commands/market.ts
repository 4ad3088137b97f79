import type { CommandGroup } from "../groups.ts";
import { addList } from "../groups.ts";
import { idOf, rowOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { plural } from "../output/format.ts";
import { count, reply } from "../read.ts";
import { priceFor } from "./servers.ts";

export const offers: CommandGroup = (program, cli) => {
  const group = program
    .command("offers")
    .summary("servers that are built to order")
    .description("Servers that are built to order, with their lead times.");
  addList(group, cli, NOUNS.offer, "List offers.");
  group
    .command("reserve")
    .argument("<offer>")
    .requiredOption("--days <days>", "for how long")
    .option("--pool <pool>", "the pool that the server joins; your default pool unless given")
    .option("--max-charge <dollars>", "refuse to pay more")
    .description("Reserve a server of an offer. It is paid at once; the price is shown and confirmed.")
    .action(async (given, { days: text, pool, maxCharge }) => {
      const offer = await rowOf(cli, NOUNS.offer, given);
      const days = count(text);
      const fee = offer.setup_fee_rules[String(days)] ?? offer.setup_fee_cents;
      const total = priceFor(offer.pricing_rules, days, (cents) => cents) + fee;
      const pool_id = pool === undefined ? undefined : await idOf(cli, NOUNS.pool, pool);
      await cli.confirmPrice(
        `${offer.name} for ${plural(days, "day")}, setup fee included`,
        total,
        maxCharge,
      );
      const { data } = await reply(
        (await cli.api()).POST("/api/v1/offers/{id}/reserve", {
          params: { path: { id: offer.id } },
          body: { days, max_charge_cents: total, ...(pool_id === undefined ? {} : { pool_id }) },
        }),
      );
      await cli.print.done(`Reserved ${data.offer_name}: ${data.id}.`, data);
    });
};

export const reservations: CommandGroup = (program, cli) => {
  const group = program
    .command("reservations")
    .summary("what you have reserved")
    .description("Servers that you have reserved and paid.");
  addList(group, cli, NOUNS.reservation, "List your reservations, the newest first.");
  group
    .command("show")
    .argument("<reservation>")
    .description("Show a reservation.")
    .action(async (given) => {
      const id = await idOf(cli, NOUNS.reservation, given);
      const params = { path: { id } };
      await cli.print.record(
        (await reply((await cli.api()).GET("/api/v1/reservations/{id}", { params }))).data,
      );
    });
  group
    .command("cancel")
    .argument("<reservation>")
    .description("Cancel a reservation that is not delivered yet. The whole payment returns to your balance.")
    .action(async (given) => {
      const { id, offer_name } = await rowOf(cli, NOUNS.reservation, given);
      await cli.confirm(`Cancel the reservation of ${offer_name}? What you paid returns to your balance.`);
      const request = { params: { path: { id } } };
      const { data } = await reply((await cli.api()).POST("/api/v1/reservations/{id}/cancel", request));
      await cli.print.done(`The reservation of ${offer_name} is cancelled.`, data);
    });
};
