import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { Decimal, Strict, Timestamp } from "../primitives.ts";
import { TransactionType } from "./transaction.ts";

/** A month of the general balance in one document. Months are in UTC. */

/** A path of another form would be refused as one of an unknown record: the route says what is wrong with the month. */
export const MONTH_PATTERN = /^[0-9]{4}-(0[1-9]|1[0-2])$/;
const Month = Type.String({
  description: "a month in UTC, such as 2026-01",
  examples: ["2026-01"],
});

export const MonthParams = Strict({ month: Month });

export const Statement = Type.Object({
  month: Month,
  from: Timestamp,
  until: Type.Unsafe<string>({
    ...Timestamp,
    description: "the end of the month, or now: the month is not over, and more may follow",
  }),
  is_complete: Type.Boolean({ description: "whether the month is over" }),
  opening_balance: Decimal,
  closing_balance: Type.Unsafe<string>({
    ...Decimal,
    description: "the opening balance and all amounts of `totals`; of the present month it is the balance",
  }),
  transaction_count: Type.Integer(),
  totals: Type.Array(
    Type.Object({
      transaction_type: TransactionType,
      count: Type.Integer(),
      amount: Type.String({
        description: "USD; what lowers the balance is negative",
        examples: ["-32.00"],
      }),
    }),
    { description: "by type; types without a transaction are left out" },
  ),
});
export type Statement = Static<typeof Statement>;

export const StatementReply = Reply(Statement);
