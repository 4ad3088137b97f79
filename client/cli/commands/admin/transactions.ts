import type { ManagedTransaction } from "../../../index.ts";
import { centsOf } from "../../cli.ts";
import { type CommandGroup, limitOption, printRows, RECENT_ROWS, sortOption } from "../../groups.ts";
import { NOUNS } from "../../nouns.ts";
import { balanceChange, dollars, time } from "../../output/format.ts";
import { page, reply } from "../../read.ts";
import { userId } from "./users.ts";

const TRANSACTION = {
  columns: {
    ID: ({ id }: ManagedTransaction) => id,
    TIME: ({ created_at }: ManagedTransaction) => time(created_at),
    TYPE: ({ transaction_type }: ManagedTransaction) => transaction_type,
    AMOUNT: ({ transaction_type, amount }: ManagedTransaction) => balanceChange(transaction_type, amount),
    REFUNDED: ({ refunded }: ManagedTransaction) => dollars(refunded),
    REASON: ({ reason }: ManagedTransaction) => reason,
  },
  empty: "There are no transactions.",
};

export const adminTransactions: CommandGroup = (parent, cli) => {
  const group = parent
    .command("transactions")
    .description("What users have paid, and what was refunded of it.");
  group
    .command("list")
    .argument("<user>")
    .addOption(limitOption(RECENT_ROWS))
    .addOption(sortOption())
    .description("List a user's transactions, the newest first.")
    .action(async (given, listed) => {
      const id = await userId(cli, given);
      await printRows(
        cli,
        TRANSACTION,
        async (api, query) => {
          const params = { path: { id }, query };
          const { data } = await reply(api.GET("/api/v1/admin/users/{id}/transactions", { params }));
          return page(data.transactions, data.pagination);
        },
        listed,
      );
    });
};

export const adminInvoices: CommandGroup = (parent, cli) => {
  const group = parent.command("invoices").description("Invoices of users.");
  group
    .command("list")
    .argument("<user>")
    .addOption(limitOption(RECENT_ROWS))
    .addOption(sortOption())
    .description("List a user's invoices, the newest first.")
    .action(async (given, listed) => {
      const id = await userId(cli, given);
      await printRows(
        cli,
        { columns: NOUNS.invoice.columns, empty: "There are no invoices." },
        async (api, query) => {
          const params = { path: { id }, query };
          const { data } = await reply(api.GET("/api/v1/admin/users/{id}/invoices", { params }));
          return page(data.invoices, data.pagination);
        },
        listed,
      );
    });
};

export const refund: CommandGroup = (parent, cli) => {
  parent
    .command("refund")
    .argument("<transaction>", "id of a charge: `berth admin transactions list USER` has it")
    .argument("[amount]", "dollars, such as 25 or 25.50; all that is not refunded yet unless given")
    .requiredOption("--reason <text>", "why; the user sees it")
    .description(
      "Refund a charge, whole or in part. What was sold stays as it is: end a rental or take an image back separately.",
    )
    .action(async (id, amount, { reason }) => {
      if (amount !== undefined) centsOf(amount);
      const api = await cli.api();
      const { data: charge } = await reply(
        api.GET("/api/v1/admin/transactions/{id}", { params: { path: { id } } }),
      );
      const asked = dollars(amount ?? charge.refundable);
      await cli.confirm(`Refund ${asked} of ${dollars(charge.amount)} (${charge.reason})?`);
      const body = { reason, ...(amount === undefined ? {} : { amount }) };
      const { data } = await reply(
        api.POST("/api/v1/admin/transactions/{id}/refund", { params: { path: { id } }, body }),
      );
      await cli.print.done(
        `Refunded ${dollars(data.amount)}. ${dollars(data.refundable)} of the charge can still be refunded.`,
        { id: data.transaction_id, ...data },
      );
    });
};
