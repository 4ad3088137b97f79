import type { Static } from "@sinclair/typebox";
import { readRefunded } from "../../actors/billing/wallet/queries.ts";
import { listRentedOnHost, type RentedOnHost, readPaid } from "../../actors/market/rental/queries.ts";
import type { Sql } from "../../actors/platform/db/sql.ts";
import { fromCents, toCents } from "../../actors/platform/money.ts";
import type { ActorsFor } from "../../actors/senders.ts";
import type { Operator } from "../../schemas/accounts/audit.ts";
import { DomainError } from "../../schemas/errors.ts";
import {
  ENDED_RENTALS_NAMED_MAX,
  type EndedRental,
  type ForcedRemoval,
  type HostRecord,
} from "../../schemas/hosting/host.ts";
import type { Rental } from "../../schemas/market/rental.ts";

/** How many rentals a refusal names. */
const NAMED_MAX = 5;
/** "a, b and c" */
const LIST = new Intl.ListFormat("en-GB");

/** @throws HOST_IN_USE that says what is still on the machine, and who rents it */
export async function assertUnused(db: Sql, host: HostRecord): Promise<void> {
  const { name, containers, storage_shares } = host;
  const rented = await listRentedOnHost(db, name);
  const uses = [
    counted(containers, "container"),
    counted(storage_shares, "storage share"),
    counted(rented.length, "rented server"),
  ].filter((use) => use !== "");
  if (uses.length === 0) return;
  throw new DomainError(
    "HOST_IN_USE",
    `The host still has ${LIST.format(uses)}${rented.length === 0 ? "" : `: ${rented.slice(0, NAMED_MAX).map(rentalText).join(", ")}`}. ` +
      'Drain it ({"draining": true}), so that it gets no new ones, and remove it when their users have deleted them or their rentals have ended. ' +
      "If the machine is lost, remove it with force=true: what is on it cannot be reached any more, and its rentals end with a refund of what was paid for the rest of their time",
    { containers, storage_shares, rentals: rented.slice(0, NAMED_MAX).map(rentalData) },
  );
}

/**
 * Ends what is rented on a machine, and returns what was paid for the rest of the time. Done again after a failure in between, it ends
 * those that are left.
 *
 * @throws HOST_IN_USE while somebody is paying for it: that ends within a minute
 */
export async function endRentals(
  db: Sql,
  actors: Pick<ActorsFor<"gateway">, "rental">,
  hostName: string,
  operator: Operator,
): Promise<EndedRental[]> {
  const rented = await listRentedOnHost(db, hostName);
  const paying = rented.find(({ rental_id }) => rental_id === null);
  if (paying !== undefined)
    throw new DomainError("HOST_IN_USE", `${rentalText(paying)}: try again in a minute`, {
      rentals: [rentalData(paying)],
    });
  const users = new Set(rented.flatMap(({ user_id }) => (user_id === null ? [] : [user_id])));
  const refunds = await readRefunded(db, [...users]);
  const ended: EndedRental[] = [];
  for (const one of rented) {
    const { rental_id, user_id, username, server_name, undelivered } = one;
    if (rental_id === null || user_id === null) continue;
    const paid = { ...paidFor(one, refunds.get(user_id) ?? []), ...(undelivered && { undelivered }) };
    const { value } = await actors.rental(rental_id).terminate({ ...paid, operator });
    ended.push({
      ...{ rental_id, user_id, username, server_name },
      refunded: fromCents(BigInt(value.refunded_cents)),
    });
  }
  return ended;
}

/**
 * What was paid for a rental, for its actor, which gives it back where the server was never delivered. Undefined: there is no such rental.
 */
export async function readPaidFor(db: Sql, { id, user_id }: Pick<Rental, "id" | "user_id">) {
  const paid = await readPaid(db, id);
  if (paid === undefined) return undefined;
  return paidFor(paid, (await readRefunded(db, [user_id])).get(user_id) ?? []);
}

function paidFor(
  { payment, extension_transactions }: Pick<RentedOnHost, "payment" | "extension_transactions">,
  refunds: readonly { readonly id: string; readonly cents: bigint }[],
) {
  const payments = payment === null ? [] : [payment];
  const charges = [...extension_transactions, ...payments.map(({ transaction_id }) => transaction_id)];
  const refunded = refunds
    .filter(({ id }) => charges.includes(id))
    .map(({ id, cents }) => ({ transaction_id: id, cents: Number(cents) }));
  return { payments, ...(refunded.length === 0 ? {} : { refunded }) };
}

/** What the audit log has of a removal by force. */
export const forcedRemoval = (ended: readonly EndedRental[]): Static<typeof ForcedRemoval> => ({
  rentals: ended.length,
  refunded: fromCents(ended.reduce((sum, { refunded }) => sum + toCents(refunded), 0n)),
  ended_rentals: ended.slice(0, ENDED_RENTALS_NAMED_MAX),
});

const rentalText = ({ server_name, rental_end }: RentedOnHost): string =>
  rental_end === null
    ? `${server_name} is being paid for`
    : `${server_name} until ${rental_end.toISOString().slice(0, 10)}`;

const rentalData = ({ server_name, rental_id, user_id, rental_end }: RentedOnHost) => ({
  ...{ server_name, rental_id, user_id },
  rental_end: rental_end?.toISOString() ?? null,
});

const counted = (count: number, noun: string): string =>
  count === 0 ? "" : count === 1 ? `a ${noun}` : `${count} ${noun}s`;
