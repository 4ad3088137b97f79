import type { Rental } from "../../index.ts";
import { type Cli, centsOf } from "../cli.ts";
import { Refused, UsageError } from "../failures.ts";
import { type CommandGroup, limitOption, printRows, sortOption } from "../groups.ts";
import { idOf, rowOf } from "../lookup.ts";
import { NOUNS, prices, specs, statusOf } from "../nouns.ts";
import { money, plural, time } from "../output/format.ts";
import { count, page, ROWS_MAX, readRows, reply } from "../read.ts";
import { readSharedServers } from "../shared-servers.ts";
import { addTop } from "./server-top.ts";

const DAYS_MAX = 3_650;

export const servers: CommandGroup = (program, cli) => {
  program.commandsGroup("Servers:");
  const group = program
    .command("servers")
    .summary("rent servers")
    .description("Find, rent and extend servers.");
  addAvailable(group, cli);
  addServerList(group, cli);
  addShow(group, cli);
  addRent(group, cli);
  addExtend(group, cli);
  addAutoExtend(group, cli);
  addEnd(group, cli);
  addTop(group, cli);
};

type Group = Parameters<CommandGroup>[0];

const SERVER_COLUMNS = {
  ...NOUNS.rental.columns,
  POOL: ({ pool }: { readonly pool: string | null }) => pool ?? "",
};

function addServerList(group: Group, cli: Cli): void {
  group
    .command("list")
    .addOption(limitOption(ROWS_MAX))
    .addOption(sortOption())
    .description("List the servers that you rent, and those that you reach through a pool.")
    .action(async (listed) => {
      const max = count(listed.limit);
      const api = await cli.api();
      const own = (await readRows(api, NOUNS.rental.read, max, listed)).map((row) => ({
        ...row,
        pool: null,
      }));
      const shared = (await readSharedServers(api)).map(({ rental_id, ...server }) => ({
        ...server,
        id: rental_id,
        status: "active" as const,
      }));
      await cli.print.list([...own, ...shared].slice(0, max), SERVER_COLUMNS, NOUNS.rental.empty);
    });
}

function addShow(group: Group, cli: Cli): void {
  group
    .command("show")
    .argument("<rental>")
    .description("Show a server that you rent.")
    .action(async (given) => {
      const id = await idOf(cli, NOUNS.rental, given);
      const api = await cli.api();
      const { data } = await reply(api.GET("/api/v1/rentals/{id}", { params: { path: { id } } }));
      const { cpu, ram, disk, place } = specs(data);
      await cli.print.details(data, {
        id: data.id,
        name: data.server_name,
        status: statusOf(data),
        ...(data.awaits_delivery
          ? { "paid time": "begins when the server is ready" }
          : { "rented since": time(data.rental_start), "rented until": time(data.rental_end) }),
        "extends itself": autoExtensionText(data.auto_extension),
        processor: cpu,
        memory: ram,
        disks: disk,
        place,
        "to extend it": prices(data.renewal_prices ?? {}),
      });
    });
}

function addAvailable(group: Group, cli: Cli): void {
  group
    .command("available")
    .description("List servers for rent, the lowest price a day first.")
    .option("--country <code>", "country")
    .option("--days <days>", "rentable for this many days")
    .option("--min-cores <cores>", "CPU cores at least")
    .option("--min-memory <gib>", "memory at least, in GiB")
    .option("--max-price-per-day <dollars>", "price a day at most")
    .addOption(limitOption(50))
    .addOption(sortOption())
    .action(async ({ country, days, minCores, minMemory, maxPricePerDay, ...listed }) => {
      const filters = {
        ...(country === undefined ? {} : { country }),
        ...(days === undefined ? {} : { available_durations: days }),
        ...(minCores === undefined ? {} : { min_cpu_cores: minCores }),
        ...(minMemory === undefined ? {} : { min_ram_gb: minMemory }),
        ...(maxPricePerDay === undefined ? {} : { max_price_per_day: maxPricePerDay }),
      };
      await printRows(
        cli,
        NOUNS.available,
        async (api, query) => {
          const params = { query: { ...query, ...filters } };
          const { data, pagination } = await reply(api.GET("/api/v1/servers/available", { params }));
          return page(data, pagination);
        },
        listed,
      );
    });
}

function addRent(group: Group, cli: Cli): void {
  group
    .command("rent")
    .argument("<available>", "server for rent: name or id")
    .requiredOption("--days <days>", "for how long")
    .option("--pool <pool>", "the pool that the server joins; your default pool unless given")
    .option("--max-charge <dollars>", "refuse to pay more")
    .description("Rent a server. The whole first payment is shown and confirmed.")
    .action(async (given, { days, pool, maxCharge }) => {
      const server = await rowOf(cli, NOUNS.available, given);
      const rental_days = count(days, 1, DAYS_MAX);
      const total = priceFor(server.pricing.price_tiers, rental_days, (price) => price.total_first_payment);
      const pool_id = pool === undefined ? undefined : await idOf(cli, NOUNS.pool, pool);
      await cli.confirmPrice(
        `${server.name} for ${plural(rental_days, "day")}, setup fee included`,
        total,
        maxCharge,
      );
      const { data } = await reply(
        (await cli.api()).POST("/api/v1/servers/{id}/rent", {
          params: { path: { id: server.id } },
          body: { rental_days, max_charge_cents: total, ...(pool_id === undefined ? {} : { pool_id }) },
        }),
      );
      await cli.print.done(
        data.awaits_delivery
          ? `Rented ${data.server_name}. It is being set up: you are notified when it takes containers, and the paid time begins then.`
          : `Rented ${data.server_name} until ${time(data.rental_end)}.`,
        data,
      );
    });
}

function addExtend(group: Group, cli: Cli): void {
  group
    .command("extend")
    .argument("<rental>")
    .requiredOption("--days <days>", "by how much")
    .option("--max-charge <dollars>", "refuse to pay more")
    .description("Move the end of a rental. The price is shown and confirmed.")
    .action(async (given, { days, maxCharge }) => {
      const id = await idOf(cli, NOUNS.rental, given);
      const api = await cli.api();
      const params = { path: { id } };
      const { data: rental } = await reply(api.GET("/api/v1/rentals/{id}", { params }));
      const additional_days = count(days, 1, DAYS_MAX);
      const total = priceFor(rental.renewal_prices ?? {}, additional_days, (cents) => cents);
      await cli.confirmPrice(
        `${rental.server_name} for ${plural(additional_days, "day")} more`,
        total,
        maxCharge,
      );
      const body = { expected_rental_end: rental.rental_end, additional_days, max_charge_cents: total };
      const { data } = await reply(api.POST("/api/v1/rentals/{id}/extend", { params, body }));
      await cli.print.done(`Rented ${data.server_name} until ${time(data.rental_end)}.`, data);
    });
}

function addAutoExtend(group: Group, cli: Cli): void {
  group
    .command("auto-extend")
    .argument("<rental>")
    .option("--days <days>", "by how much at a time")
    .option("--max-charge <dollars>", "the most that one extension may cost; today's price unless given")
    .option("--off", "let it end instead")
    .description("Let a rental extend itself before each of its ends, or --off: let it end.")
    .action(async (given, { days, maxCharge, off }) => {
      if (off ? days !== undefined || maxCharge !== undefined : days === undefined)
        throw new UsageError("give either --days, or --off alone");
      const id = await idOf(cli, NOUNS.rental, given);
      const api = await cli.api();
      const params = { path: { id } };
      if (days === undefined) {
        const { data } = await reply(api.DELETE("/api/v1/rentals/{id}/auto-extension", { params }));
        return cli.print.done(`${data.server_name} ends at ${time(data.rental_end)}.`, data);
      }
      const { data: rental } = await reply(api.GET("/api/v1/rentals/{id}", { params }));
      const additional_days = count(days, 1, DAYS_MAX);
      const max_charge_cents =
        maxCharge === undefined
          ? priceFor(rental.renewal_prices ?? {}, additional_days, (cents) => cents)
          : centsOf(maxCharge);
      await cli.confirm(
        `Extend ${rental.server_name} by ${plural(additional_days, "day")} before each of its ends, for ${money(max_charge_cents)} at most?`,
      );
      const body = { additional_days, max_charge_cents };
      const { data } = await reply(api.PUT("/api/v1/rentals/{id}/auto-extension", { params, body }));
      await cli.print.done(
        `${data.server_name} extends itself: ${autoExtensionText(data.auto_extension)}.`,
        data,
      );
    });
}

/** `7 days at a time for $7.00 at most, next at 2026-01-31 09:30:00Z`. */
function autoExtensionText(auto: Rental["auto_extension"]): string {
  if (auto === null) return "no";
  const next = auto.next_at === null ? "" : `, next at ${time(auto.next_at)}`;
  const failed =
    auto.last_failure === null
      ? ""
      : ` (failed at ${time(auto.last_failure.failed_at)}: ${auto.last_failure.code})`;
  return `${plural(auto.additional_days, "day")} at a time for ${money(auto.max_charge_cents)} at most${next}${failed}`;
}

function addEnd(group: Group, cli: Cli): void {
  group
    .command("end")
    .argument("<rental>")
    .description(
      "Give up a rental before its end: nothing is refunded unless the server was never delivered, what runs on the server is stopped, and it is deleted after the time of grace.",
    )
    .action(async (given) => {
      const id = await idOf(cli, NOUNS.rental, given);
      const api = await cli.api();
      const params = { path: { id } };
      const { data: rental } = await reply(api.GET("/api/v1/rentals/{id}", { params }));
      const { server_name, rental_end: expected_rental_end, awaits_delivery } = rental;
      await cli.confirm(
        awaits_delivery
          ? `Give up ${server_name}, which was not delivered yet? All that you paid for it returns to your balance.`
          : `Give up ${server_name}, which is paid until ${time(expected_rental_end)}? Nothing is refunded, and what is on it is deleted.`,
      );
      const { data } = await reply(
        api.POST("/api/v1/rentals/{id}/end", { params, body: { expected_rental_end } }),
      );
      await cli.print.done(`The rental of ${server_name} has ended.`, data);
    });
}

/** The price in cents of a number of days. @throws Refused with the numbers of days that there are */
export function priceFor<Price>(
  tiers: Readonly<Record<string, Price>>,
  days: number,
  cents: (price: Price) => number,
): number {
  const price = tiers[String(days)];
  if (price !== undefined) return cents(price);
  const offered = Object.keys(tiers);
  const all = `${offered.join(", ")} day${offered.length === 1 && offered[0] === "1" ? "" : "s"}`;
  throw new Refused(
    offered.length === 0 ? "it has no prices now" : `it can be had for ${all}, and not for ${days}`,
  );
}
