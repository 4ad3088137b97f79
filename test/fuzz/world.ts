import { PERMISSION_NAMES } from "../../schemas/permissions.ts";
import { apiToken, basic, impersonate, realmToken } from "../gateway/routes/accounts/token/credentials.ts";
import { inStock, rented } from "../gateway/routes/market/stock.ts";
import type { Stack, TestUser } from "../harness/stack.ts";

/** Who sends requests: the header, and the user to sign in again when a request has ended the session. */
export interface Sender {
  readonly name: string;
  authorization: string | undefined;
  readonly user?: TestUser;
}

const TENANTS = 4;
const SERVERS = 6;

/** Users with things of their own, and every kind of credential; `ids` are of what is there. */
export async function makeWorld(stack: Stack): Promise<{ senders: Sender[]; ids: Set<string> }> {
  const ids = new Set<string>();
  const bearer = (token: string) => `Bearer ${token}`;
  const admin = await stack.user({ role: "admin" });
  const senders: Sender[] = [
    { name: "nobody", authorization: undefined },
    { name: "a token that is none", authorization: "Bearer x" },
    { name: "administrator", authorization: bearer(admin.token), user: admin },
  ];
  for (let i = 0; i < SERVERS; i++) ids.add(await inStock(stack, `fuzz-stock-${i}`));
  for (let i = 0; i < TENANTS; i++) {
    const user = await stack.user({ balance: "1000000" });
    const { serverId, rental } = await rented(stack, user, `fuzz-${i}`);
    const post = async (path: string, body: object): Promise<string> =>
      (await stack.call("POST", `/api/v1/${path}`, { token: user.token, body })).body.data.id;
    const project_id = await post("projects", { name: "fuzz" });
    const container_id = await post("containers", { project_id, server_id: serverId, name: "fuzz" });
    const alias = await post("proxy/aliases", { container_id, program: "http" });
    const pool = await post("pools", { name: "fuzz" });
    for (const id of [user.id, serverId, rental.id, project_id, container_id, alias, pool]) ids.add(id);
    const { token } = await apiToken(stack, user, PERMISSION_NAMES);
    const lesser = await apiToken(stack, user, ["resources.read", "wallet.read"]);
    senders.push(
      // An account does most, as in life.
      ...Array.from({ length: 3 }, () => ({ name: `user ${i}`, authorization: bearer(user.token), user })),
      { name: `API token of user ${i}`, authorization: bearer(token) },
      { name: `API token that reads, of user ${i}`, authorization: bearer(lesser.token) },
      { name: `HTTP Basic of user ${i}`, authorization: basic(user.username, token).authorization },
      { name: `realm of user ${i}`, authorization: bearer(await realmToken(stack, user, project_id)) },
      { name: `administrator as user ${i}`, authorization: bearer(await impersonate(stack, admin, user.id)) },
    );
  }
  return { senders, ids };
}

/** Servers of the world, whose hosts have credentials. */
export const SERVER_NAMES = [
  ...Array.from({ length: TENANTS }, (_, i) => `fuzz-${i}`),
  ...Array.from({ length: SERVERS }, (_, i) => `fuzz-stock-${i}`),
];
