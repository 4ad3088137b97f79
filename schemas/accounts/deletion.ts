import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { Amount, Decimal, Nullable, OneOf, Strict, Timestamp } from "../primitives.ts";
import { Name } from "../text.ts";
import { Proven } from "./second-factor.ts";

/** Deleting an account (docs/decisions/0080-deleted-accounts.md). */

const ForfeitBalance = Type.Optional(
  Type.Unsafe<string>({
    ...Amount,
    description:
      "the most of the general balance, in USD, that may be given up; left out: the balance must be zero",
    examples: ["12.50"],
  }),
);

/** With the present password, and the second factor where there is one. */
export const DeleteAccount = Strict({ ...Proven.properties, forfeit_balance: ForfeitBalance });
export type DeleteAccount = Static<typeof DeleteAccount>;

/** By an administrator, who says why. */
export const DeleteUser = Strict({ reason: Name(500), forfeit_balance: ForfeitBalance });

const BLOCKERS = {
  rental: "a server that the user rents",
  reservation: "a server that the user has reserved",
  container: "a container that the user made, also one on a server of a pool",
  storage_share: "a storage share that the user made",
  alias: "an alias that the user made",
  pool: "a pool that the user owns, with other members",
  payment: "a top-up that is not paid yet; it expires by itself",
  payment_review: "a payment that waits for an operator's review",
  purchase: "a payment or a refund that takes place at this moment",
  last_administrator: "nobody else could run this installation: make another account an administrator first",
} as const;

/** What keeps an account from being deleted. */
export const AccountBlocker = Type.Object({
  kind: OneOf(
    Object.keys(BLOCKERS) as (keyof typeof BLOCKERS)[],
    Object.entries(BLOCKERS)
      .map(([kind, what]) => `\`${kind}\`: ${what}`)
      .join("; "),
  ),
  id: Nullable(Type.String()),
  name: Nullable(Type.String({ description: "of the thing, as its own list has it" })),
  until: Nullable(
    Type.Unsafe<string>({
      ...Timestamp,
      description: "when it ends by itself; null: never, or a rental whose server is not delivered yet",
    }),
  ),
});
export type AccountBlocker = Static<typeof AccountBlocker>;

/** What remains of a deleted account: the books, which name it by its id. */
export const KEPT_RECORDS = ["invoices", "transactions", "audit"] as const;
export const KeptRecord = OneOf(KEPT_RECORDS);
const Kept = Type.Array(KeptRecord, {
  description:
    "what remains, under the account's id, without an end: invoices as they were issued, transactions with their movements, and the audit log",
});

export const AccountDeletionCheck = Type.Object({
  blockers: Type.Array(AccountBlocker, { description: "what must end first; 50 at most" }),
  general_balance: Type.Unsafe<string>({
    ...Decimal,
    description: "what is given up, in USD, if it is confirmed by `forfeit_balance`",
  }),
  kept: Kept,
});
export type AccountDeletionCheck = Static<typeof AccountDeletionCheck>;
export const AccountDeletionCheckReply = Reply(AccountDeletionCheck);
export const AccountDeletedReply = Reply(Type.Object({ deleted_at: Timestamp, kept: Kept }));
