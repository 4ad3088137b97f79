import { replacing } from "../edge/save.ts";
import type { CommandGroup } from "../groups.ts";
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
