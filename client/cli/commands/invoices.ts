import { writeFile } from "node:fs/promises";
import type { CommandGroup } from "../groups.ts";
import { printRows, RECENT_ROWS } from "../groups.ts";
import { dollars, time } from "../output/format.ts";
import { page, reply } from "../read.ts";

interface Row {
  readonly id: string;
  readonly invoice_number: string;
  readonly amount: number;
  readonly status: string;
  readonly issue_date: string;
}

const INVOICE = {
  columns: {
    ID: ({ id }: Row) => id,
    NUMBER: ({ invoice_number }: Row) => invoice_number,
    DATE: ({ issue_date }: Row) => time(issue_date),
    AMOUNT: ({ amount }: Row) => dollars(amount),
    STATUS: ({ status }: Row) => status,
  },
  empty: "There are no invoices. `berth invoices create TRANSACTION` issues one.",
};

export const invoices: CommandGroup = (program, cli) => {
  const group = program
    .command("invoices")
    .summary("invoices and their PDFs")
    .description("Issue, list and save invoices.");
  group
    .command("list")
    .option("--limit <rows>", "how many at most", String(RECENT_ROWS))
    .description("List invoices.")
    .action(({ limit }) =>
      printRows(
        cli,
        INVOICE,
        async (api, query) => {
          const { data } = await reply(api.GET("/api/v1/wallet/invoices", { params: { query } }));
          return page(data.invoices, data.pagination);
        },
        limit,
      ),
    );
  group
    .command("show")
    .argument("<id>")
    .description("Show an invoice.")
    .action(async (id) => {
      const params = { path: { id } };
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
    .argument("<id>")
    .option("-o, --output <file>", "where to; the invoice's number unless given; - writes to the output")
    .description("Save an invoice as PDF.")
    .action(async (id, { output }) => {
      const api = await cli.api();
      const params = { path: { id } };
      const { data: invoice } = await reply(api.GET("/api/v1/wallet/invoices/{id}", { params }));
      const pdf = await reply(
        api.GET("/api/v1/wallet/invoices/{id}/pdf", { params, parseAs: "arrayBuffer" }),
      );
      const file = output ?? `${invoice.invoice_number}.pdf`;
      if (file === "-") return cli.io.out(new Uint8Array(pdf));
      await writeFile(file, new Uint8Array(pdf));
      await cli.print.done(`Saved ${file}.`, { id, file });
    });
};
