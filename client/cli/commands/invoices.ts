import type { Cli } from "../cli.ts";
import { replacing } from "../edge/save.ts";
import { UsageError } from "../failures.ts";
import type { Command, CommandGroup } from "../groups.ts";
import { limitOption, printRows, RECENT_ROWS, sortOption } from "../groups.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { reply } from "../read.ts";

export const invoices: CommandGroup = (program, cli) => {
  const group = program
    .command("invoices")
    .summary("invoices and their PDFs")
    .description("Issue, list and save invoices.");
  group
    .command("list")
    .addOption(limitOption(RECENT_ROWS))
    .addOption(sortOption())
    .description("List invoices.")
    .action((listed) => printRows(cli, NOUNS.invoice, NOUNS.invoice.read, listed));
  group
    .command("show")
    .argument("<invoice>")
    .description("Show an invoice.")
    .action(async (given) => {
      const params = { path: { id: await idOf(cli, NOUNS.invoice, given) } };
      await cli.print.record(
        (await reply((await cli.api()).GET("/api/v1/wallet/invoices/{id}", { params }))).data,
      );
    });
  group
    .command("create")
    .argument("<transaction>", "id of a transaction")
    .description("Issue the invoice of a transaction, if there is none yet.")
    .action(async (id) => {
      const params = { path: { id } };
      const { data } = await reply(
        (await cli.api()).POST("/api/v1/wallet/invoices/generate/{id}", { params }),
      );
      await cli.print.done(`${data.invoice_number}: ${data.invoice_id}`, { id: data.invoice_id, ...data });
    });
  addDetails(group, cli);
  group
    .command("pdf")
    .argument("<invoice>")
    .option("-o, --output <file>", "where to; the invoice's number unless given; - writes to the output")
    .description("Save an invoice as PDF.")
    .action(async (given, { output }) => {
      const api = await cli.api();
      const id = await idOf(cli, NOUNS.invoice, given);
      const params = { path: { id } };
      const { data: invoice } = await reply(api.GET("/api/v1/wallet/invoices/{id}", { params }));
      const pdf = await reply(
        api.GET("/api/v1/wallet/invoices/{id}/pdf", { params, parseAs: "arrayBuffer" }),
      );
      const file = output ?? `${invoice.invoice_number}.pdf`;
      if (file === "-") return cli.io.out(new Uint8Array(pdf));
      cli.io.interrupted.throwIfAborted();
      await replacing(file, (draft) => draft.writeFile(new Uint8Array(pdf)));
      await cli.print.done(`Saved ${file}.`, { id, file });
    });
};

/** Whom invoices are made out to. */
function addDetails(group: Command, cli: Cli): void {
  group
    .command("details")
    .description(
      "Show whom your invoices are made out to, after changing what is given. Invoices that were issued stay as they are.",
    )
    .option("--name <name>", "a person or a company")
    .option("--address <line>", "a line of the address; give it again for another one", collected)
    .option("--postal-code <code>", "`none`: there is none")
    .option("--city <city>", "city")
    .option("--country <code>", "ISO 3166-1 code, such as DE")
    .option("--vat-id <id>", "with the letters of its country; `none`: there is none")
    .option("--remove", "remove the details: invoices have your user name and e-mail address alone")
    .action(async ({ remove, ...given }) => {
      const api = await cli.api();
      const isChange = Object.keys(given).length > 0;
      if (remove && isChange) throw new UsageError("give --remove alone");
      const { data } = await reply(
        remove ? api.DELETE("/api/v1/wallet/billing-details") : api.GET("/api/v1/wallet/billing-details"),
      );
      if (!isChange) return cli.print.record(data.billing_details ?? { billing_details: null });
      const before = data.billing_details;
      const { name = before?.name, address = before?.address_lines } = given;
      const { city = before?.city, country = before?.country } = given;
      if (name === undefined || address === undefined || city === undefined || country === undefined)
        throw new UsageError("give --name, --address, --city and --country");
      const body = {
        ...{ name, address_lines: address, city, country },
        postal_code: orNone(given.postalCode, before?.postal_code),
        vat_id: orNone(given.vatId, before?.vat_id),
      };
      const changed = await reply(api.PUT("/api/v1/wallet/billing-details", { body }));
      await cli.print.record(changed.data.billing_details ?? {});
    });
}

const collected = (line: string, lines: string[] = []): string[] => [...lines, line];

const orNone = (given: string | undefined, before: string | null | undefined): string | null =>
  given === "none" ? null : (given ?? before ?? null);
