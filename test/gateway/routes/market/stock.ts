import { newId } from "../../../../actors/platform/ids.ts";
import type { AddServer } from "../../../../schemas/market/server.ts";
import type { StackClient, TestUser } from "../../../harness/stack-client.ts";

/** A server of the stock; 7 days cost 7.00, 30 days 25.00. */
export async function inStock(
  stack: StackClient,
  name: string,
  fields: Partial<Omit<AddServer, "name">> = {},
): Promise<string> {
  const id = newId();
  await stack.actors.server(id).create({ name, specs: {}, prices: { "7": 700, "30": 2_500 }, ...fields });
  await stack.actors.server(id).join({});
  return id;
}

export const rent = (stack: StackClient, user: TestUser, serverId: string, body: object, headers = {}) =>
  stack.call("POST", `/api/v1/servers/${serverId}/rent`, { token: user.token, body, headers });

export const extend = (stack: StackClient, user: TestUser, rentalId: string, body: object) =>
  stack.call("POST", `/api/v1/rentals/${rentalId}/extend`, { token: user.token, body });

/** A server that the user rents for a week, with its rental. */
export async function rented(
  stack: StackClient,
  user: TestUser,
  name: string,
  fields: Partial<Omit<AddServer, "name">> = {},
) {
  const serverId = await inStock(stack, name, fields);
  const { body } = await rent(stack, user, serverId, { rental_days: 7, max_charge_cents: 100_000 });
  return { serverId, rental: body.data };
}

export async function balanceOf(stack: StackClient, user: TestUser): Promise<string> {
  const { body } = await stack.call("GET", "/api/v1/wallet/balances", { token: user.token });
  return body.data.general_balance;
}

/** Charges of a user, as the ledger has them. */
export async function chargesOf(stack: StackClient, user: TestUser) {
  const rows = await stack.db<{ transaction_type: string; amount_cents: bigint }[]>`
    SELECT transaction_type, amount_cents FROM transactions
    WHERE user_id = ${user.id} AND transaction_type <> 'credit' ORDER BY created_at, id`;
  return [...rows];
}
