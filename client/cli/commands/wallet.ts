import { Option } from "@commander-js/extra-typings";
import type { Transaction } from "../../index.ts";
import type { Cli } from "../cli.ts";
import { centsOf } from "../cli.ts";
import { replacing } from "../edge/save.ts";
import { Refused, UsageError } from "../failures.ts";
import {
  type Command,
  type CommandGroup,
  limitOption,
  printRows,
  RECENT_ROWS,
  sortOption,
} from "../groups.ts";
import { openInBrowser } from "../open-in-browser.ts";
import { balanceChange, dollars, money, time } from "../output/format.ts";
import { count, page, reply } from "../read.ts";

const POLL_MS = 1_000;
/** A person types a card number in the meantime. */
const PAY_SECONDS = "900";

export const wallet: CommandGroup = (program, cli) => {
  program.commandsGroup("Money:");
  const group = program
    .command("wallet")
    .summary("balances, top-ups and transfers")
    .description("See your balances, add money, and move money to AI credit.");
  group
    .command("show")
    .description("Show the general balance and AI credit.")
    .action(async () => {
      const { data } = await reply((await cli.api()).GET("/api/v1/wallet/balances"));
      await cli.print.details(data, {
        balance: dollars(data.general_balance),
        "AI credit": dollars(data.ai_limit),
        "used of it": dollars(data.ai_usage),
        left: dollars(data.ai_remaining),
      });
    });
  addStatement(group, cli);
  addTopUp(group, cli);
  addCancel(group, cli);
  group
    .command("transfer")
    .argument("<amount>", "dollars, such as 25 or 25.50")
    .description(
      "Move money from the general balance to AI credit. Fee and net amount are shown and confirmed.",
    )
    .action(async (amount) => {
      const api = await cli.api();
      const cents = centsOf(amount);
      const { data: availability } = await reply(api.GET("/api/v1/wallet/payment-availability"));
      const bps = availability.ai_credit_fee_bps;
      const fee = Math.min(cents, Math.round((cents * bps) / 10_000));
      cli.print.note(`${money(cents)}: ${money(fee)} fee, ${money(cents - fee)} AI credit`);
      await cli.confirm(`Transfer ${money(cents)}?`);
      const { data } = await reply(
        api.POST("/api/v1/wallet/transfers", { body: { amount, expected_fee_bps: bps } }),
      );
      await cli.print.done(
        `Transferred ${dollars(data.gross_transferred)}: ${dollars(data.net_ai_credit)} AI credit.`,
        data,
      );
    });
};

function addStatement(group: Command, cli: Cli): void {
  group
    .command("statement")
    .argument("<month>", "a month in UTC, such as 2026-01")
    .addOption(
      new Option("--save <kind>", "as a file with all transactions").choices(["pdf", "csv"] as const),
    )
    .option("-o, --output <file>", "where to; statement-<month> unless given; - writes to the output")
    .description("Show what a month did to your balance, or save it as one document.")
    .action(async (month, { save, output }) => {
      const api = await cli.api();
      const params = { path: { month } };
      const { data } = await reply(api.GET("/api/v1/wallet/statements/{month}", { params }));
      if (save === undefined) {
        if (output !== undefined) throw new UsageError("--output goes with --save");
        const sums = data.totals.map(({ transaction_type, amount }) => [transaction_type, dollars(amount)]);
        return cli.print.details(data, {
          "opening balance": dollars(data.opening_balance),
          ...Object.fromEntries(sums),
          [data.is_complete ? "closing balance" : "balance now"]: dollars(data.closing_balance),
        });
      }
      const file = output ?? `statement-${month}.${save}`;
      const bytes = new Uint8Array(
        await reply(
          save === "pdf"
            ? api.GET("/api/v1/wallet/statements/{month}/pdf", { params, parseAs: "arrayBuffer" })
            : api.GET("/api/v1/wallet/statements/{month}/csv", { params, parseAs: "arrayBuffer" }),
        ),
      );
      if (file === "-") return cli.io.out(bytes);
      cli.io.interrupted.throwIfAborted();
      await replacing(file, (draft) => draft.writeFile(bytes));
      await cli.print.done(`Saved ${file}.`, { month, file });
    });
}

const byOption = () =>
  new Option("--by <provider>", "how you pay").choices(["card", "crypto"] as const).default("card" as const);

function addTopUp(group: Command, cli: Cli): void {
  group
    .command("top-up")
    .argument("<amount>", "dollars, such as 25 or 25.50")
    .addOption(byOption())
    .option("--no-wait", "print the address of the page, and do not wait for the payment")
    .option("--timeout <seconds>", "how long to wait", PAY_SECONDS)
    .description("Add money: prints the address of the page where you pay, and waits for the payment.")
    .action(async (amount, { by, wait, timeout }) => {
      centsOf(amount);
      const { intent, url } = await beginTopUp(cli, by, amount);
      if (!wait) return cli.print.done(url, { ...intent, url });
      cli.print.note(`Pay at ${url}`);
      if (cli.io.isInteractive) openInBrowser(url);
      const paid = await settledIntent(cli, by, intent.id, count(timeout));
      if (paid.status !== "completed") throw new Refused(`the payment is ${paid.status}`);
      await cli.print.done(`Added ${dollars(paid.credited_amount ?? paid.amount)}.`, paid);
    });
}

function addCancel(group: Command, cli: Cli): void {
  group
    .command("cancel-top-up")
    .argument("<payment>", "the id that top-up printed")
    .addOption(byOption())
    .description("Cancel a top-up that is not paid yet. A payment that still arrives is added.")
    .action(async (id, { by }) => {
      const api = await cli.api();
      const request = { params: { path: { id } } };
      const { data } = await reply(
        by === "card"
          ? api.POST("/api/v1/wallet/payments/cardpay/intents/{id}/cancel", request)
          : api.POST("/api/v1/wallet/payments/cryptopay/intents/{id}/cancel", request),
      );
      await cli.print.done(`The top-up of ${dollars(data.amount)} is cancelled.`, data);
    });
}

async function beginTopUp(cli: Cli, by: "card" | "crypto", amount: string) {
  const api = await cli.api();
  if (by === "card") {
    const { data } = await reply(api.POST("/api/v1/wallet/payments/cardpay/checkout", { body: { amount } }));
    return { intent: data.intent, url: data.checkout_url ?? "" };
  }
  const { data } = await reply(api.POST("/api/v1/wallet/payments/cryptopay/invoice", { body: { amount } }));
  return { intent: data.intent, url: data.invoice_url ?? "" };
}

/** No event says that a payment failed, so the intent is asked. */
async function settledIntent(cli: Cli, by: "card" | "crypto", id: string, timeoutSeconds: number) {
  const api = await cli.api();
  const params = { path: { id } };
  const end = Date.now() + timeoutSeconds * 1_000;
  for (;;) {
    const { data } = await reply(
      by === "card"
        ? api.GET("/api/v1/wallet/payments/cardpay/intents/{id}", { params })
        : api.GET("/api/v1/wallet/payments/cryptopay/intents/{id}", { params }),
    );
    if (data.status !== "pending" || Date.now() > end || cli.io.interrupted.aborted) return data;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const TRANSACTION = {
  columns: {
    ID: ({ id }: Transaction) => id,
    DATE: ({ created_at }: Transaction) => time(created_at),
    TYPE: ({ transaction_type }: Transaction) => transaction_type,
    AMOUNT: ({ transaction_type, amount }: Transaction) => balanceChange(transaction_type, amount),
    STATUS: ({ status }: Transaction) => status,
    REASON: ({ reason }: Transaction) => reason,
  },
  empty: "There are no transactions.",
};

export const transactions: CommandGroup = (program, cli) => {
  const group = program
    .command("transactions")
    .summary("what was paid")
    .description("Everything that changed your balance.");
  group
    .command("list")
    .addOption(limitOption(RECENT_ROWS))
    .addOption(sortOption())
    .description("List transactions, the newest first.")
    .action((listed) =>
      printRows(
        cli,
        TRANSACTION,
        async (api, query) => {
          const { data, pagination } = await reply(
            api.GET("/api/v1/wallet/transactions", { params: { query } }),
          );
          return page(data, pagination);
        },
        listed,
      ),
    );
  group
    .command("show")
    .argument("<id>")
    .description("Show a transaction.")
    .action(async (id) => {
      const params = { path: { id } };
      await cli.print.record(
        (await reply((await cli.api()).GET("/api/v1/wallet/transactions/{id}", { params }))).data,
      );
    });
};
