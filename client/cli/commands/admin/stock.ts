import type { ChangeOffer, ChangeServer, CreateOffer, CreateServer, Reservation } from "../../../index.ts";
import { addList, type CommandGroup, limitOption, printRows, sortOption } from "../../groups.ts";
import { idOf } from "../../lookup.ts";
import { NOUNS, readStock } from "../../nouns.ts";
import { page, ROWS_MAX, reply } from "../../read.ts";
import { bodyFrom } from "./json-body.ts";
import { addStockFile } from "./stock-file.ts";
import { userId } from "./users.ts";

const FILE = "-f, --file <file>";
const FILE_TEXT = "YAML or JSON with the fields of the API; - reads the input";

export const stock: CommandGroup = (parent, cli) => {
  const group = parent.command("servers").description("The stock of servers.");
  group
    .command("list")
    .option("--user <user>", "those that one user rents")
    .addOption(limitOption(ROWS_MAX))
    .addOption(sortOption())
    .description("List all servers, by name, with who rents each and until when.")
    .action(async ({ user, ...listed }) => {
      const filter = user === undefined ? {} : { user_id: await userId(cli, user) };
      await printRows(cli, NOUNS.stock, (api, query) => readStock(api, { ...query, ...filter }), listed);
    });
  group
    .command("add")
    .requiredOption(FILE, FILE_TEXT)
    .description("Add a server to the stock.")
    .action(async ({ file }) => {
      const body = await bodyFrom<CreateServer>(cli, file);
      const { data } = await reply((await cli.api()).POST("/api/v1/admin/servers", { body }));
      await cli.print.done(`Added ${data.name}: ${data.id}.`, data);
    });
  group
    .command("update")
    .argument("<stock>")
    .requiredOption(FILE, FILE_TEXT)
    .description("Change a server's specifications or prices.")
    .action(async (given, { file }) => {
      const id = await idOf(cli, NOUNS.stock, given);
      const request = { params: { path: { id } }, body: await bodyFrom<ChangeServer>(cli, file) };
      const { data } = await reply((await cli.api()).PATCH("/api/v1/admin/servers/{id}", request));
      await cli.print.done(`Changed ${data.name}.`, data);
    });
  group
    .command("delete")
    .argument("<stock>")
    .description("Take a server out of the stock for good.")
    .action(async (given) => {
      const id = await idOf(cli, NOUNS.stock, given);
      await cli.confirm(`Take ${given} out of the stock for good?`);
      await reply((await cli.api()).DELETE("/api/v1/admin/servers/{id}", { params: { path: { id } } }));
      await cli.print.done(`Took ${given} out of the stock.`, { id });
    });
  addStockFile(group, cli);
};

export const adminOffers: CommandGroup = (parent, cli) => {
  const group = parent.command("offers").description("Servers that are built to order.");
  const all = {
    ...NOUNS.offer,
    read: (async (api, query) => {
      const { data, pagination } = await reply(api.GET("/api/v1/admin/offers", { params: { query } }));
      return page(data, pagination);
    }) satisfies typeof NOUNS.offer.read,
  };
  addList(group, cli, all, "List all offers, also those that were withdrawn.");
  group
    .command("add")
    .requiredOption(FILE, FILE_TEXT)
    .description("Add an offer.")
    .action(async ({ file }) => {
      const body = await bodyFrom<CreateOffer>(cli, file);
      const { data } = await reply((await cli.api()).POST("/api/v1/admin/offers", { body }));
      await cli.print.done(`Added ${data.name}: ${data.id}.`, data);
    });
  group
    .command("update")
    .argument("<offer>")
    .requiredOption(FILE, FILE_TEXT)
    .description("Change an offer; reservations keep their price.")
    .action(async (given, { file }) => {
      const id = await idOf(cli, all, given);
      const request = { params: { path: { id } }, body: await bodyFrom<ChangeOffer>(cli, file) };
      const { data } = await reply((await cli.api()).PATCH("/api/v1/admin/offers/{id}", request));
      await cli.print.done(`Changed ${data.name}.`, data);
    });
  group
    .command("delete")
    .argument("<offer>")
    .description("Withdraw an offer: nobody can order it any more.")
    .action(async (given) => {
      const id = await idOf(cli, all, given);
      await cli.confirm(`Withdraw the offer ${given}?`);
      await reply((await cli.api()).DELETE("/api/v1/admin/offers/{id}", { params: { path: { id } } }));
      await cli.print.done(`Withdrew ${given}.`, { id });
    });
};

export const adminReservations: CommandGroup = (parent, cli) => {
  const group = parent.command("reservations").description("Reservations that are paid and not delivered.");
  group
    .command("list")
    .description("List them, the most urgent first; with --user all of a user's, the newest first.")
    .option("--user <user>", "all of one user, also those that were delivered or cancelled")
    .addOption(sortOption())
    .action(async ({ user, ...listed }) => {
      if (user === undefined)
        return printRows<Reservation>(
          cli,
          { ...NOUNS.reservation, empty: "No reservation waits for its server." },
          async (api, query) => {
            const { data } = await reply(api.GET("/api/v1/admin/reservations", { params: { query } }));
            return page(data.reservations, data.pagination);
          },
          listed,
        );
      const path = { id: await userId(cli, user) };
      await printRows<Reservation>(
        cli,
        { ...NOUNS.reservation, empty: "The user has no reservations." },
        async (api, query) => {
          const params = { path, query };
          const { data } = await reply(api.GET("/api/v1/admin/users/{id}/reservations", { params }));
          return page(data.reservations, data.pagination);
        },
        listed,
      );
    });
  group
    .command("deliver")
    .argument("<id>", "id of a reservation")
    .argument("<stock>", "the server that becomes its rental")
    .option("--accept-smaller", "deliver it although it is smaller than what was paid for")
    .description("Deliver a reservation: a server of the stock becomes its rental.")
    .action(async (id, given, { acceptSmaller }) => {
      const server_id = await idOf(cli, NOUNS.stock, given);
      await cli.confirm(`Deliver ${given} for the reservation ${id}?`);
      const body = { server_id, ...(acceptSmaller ? { accept_smaller: true } : {}) };
      const request = { params: { path: { id } }, body };
      const { data } = await reply(
        (await cli.api()).POST("/api/v1/admin/reservations/{id}/deliver", request),
      );
      await cli.print.done(`Delivered ${given}.`, data);
    });
  group
    .command("cancel")
    .argument("<id>", "id of a reservation")
    .description("Cancel a reservation that cannot be delivered, and give back what was paid.")
    .action(async (id) => {
      await cli.confirm(`Cancel the reservation ${id}?`);
      const request = { params: { path: { id } } };
      const { data } = await reply((await cli.api()).POST("/api/v1/admin/reservations/{id}/cancel", request));
      await cli.print.done(`Cancelled ${id}.`, data);
    });
};
