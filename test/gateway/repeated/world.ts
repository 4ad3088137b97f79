import { newId } from "../../../actors/platform/ids.ts";
import { SHARE_BYTES } from "../../../schemas/hosting/storage-share.ts";
import type { AddOffer } from "../../../schemas/market/offer.ts";
import type { StackClient, TestUser } from "../../harness/stack-client.ts";
import { until } from "../../harness/until.ts";
import { as } from "../routes/accounts/pool/team.ts";
import { startHost, tenant } from "../routes/hosting/container/hosting.ts";

/** A request under a key, and what happens before it comes again. */
export interface RepeatedCase {
  readonly by: TestUser;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Changes what the request was about, so that it would be refused or get another reply. */
  after?(): Promise<unknown>;
}

export type World = Awaited<ReturnType<typeof startWorld>>;

/** A customer with a server whose host answers, another user and an operator, and what makes things for a case of its own. */
export async function startWorld(stack: StackClient, serverName: string) {
  const [ours, guest, operator] = await Promise.all([
    tenant(stack, serverName),
    stack.user(),
    stack.user({ role: "admin" }),
  ]);
  const { user, projectId, serverId } = ours;
  await stack.actors.wallet(user.id).credit({ amount: "900", reason: "test", idempotency_key: "world" });
  const host = await startHost(stack, serverName);
  // The host has desired state from its first container on.
  await ours.container("first");
  await host.answerFirewalls(() => ({}));
  const [call, operate] = [as(stack, user), as(stack, operator)];
  const name = () => `n-${crypto.randomUUID().slice(0, 8)}`;
  /** What a create replied with. */
  const made = async (answer: ReturnType<typeof call>) => {
    const { status, body } = await answer;
    if (status !== 201) throw new Error(`not made: ${JSON.stringify(body)}`);
    return body.data as { id: string };
  };
  const id = async (answer: ReturnType<typeof call>) => (await made(answer)).id;
  const share = { project_id: projectId, server_id: serverId, size_bytes: SHARE_BYTES.minimum };

  const things = {
    project: () => id(call("POST", "/projects", { name: name() })),
    pool: () => id(call("POST", "/pools", { name: name() })),
    container: () => id(ours.create(name())),
    share: () => id(call("POST", "/storage-shares", { ...share, name: name() })),
    webhook: () => id(call("POST", "/webhooks", { url: "https://hooks.invalid/" })),
    method: () => id(call("POST", "/wallet/payment-methods", { type: "bank", name: name() })),
    alias: (container_id: string) =>
      id(call("POST", "/proxy/aliases", { container_id, program: "http", index: 1 })),
    snapshot: async (shareId: string) => {
      const snapshot = await id(call("POST", `/storage-shares/${shareId}/snapshots`, { name: "s" }));
      const snapshots = [{ id: snapshot, state: "ready" as const, bytes: 0, error: null }];
      await host.reportShare(shareId, { revision: 2, snapshots });
      await until(async () => {
        const { body } = await call("GET", `/storage-shares/${shareId}/snapshots`);
        return body.data.snapshots[0]?.state === "ready";
      });
      return snapshot;
    },
    rule: async (container: string) => {
      const { body } = await call("POST", `/containers/${container}/firewall/ingress`, RULE);
      return body.data.id as string;
    },
    member: async (pool: string, invited: TestUser = guest) => {
      const invitation = await id(
        call("POST", `/pools/${pool}/members`, { username: invited.username, role: "user" }),
      );
      await as(stack, invited)("POST", `/pools/${invitation}/accept`);
      return invited.id;
    },
    offer: async (fields: Partial<AddOffer> = {}) => {
      const offer = newId();
      await stack.actors.offer(offer).create({
        ...{ name: "o", lead_time_hours: 1, pricing_rules: { "7": 100 }, specs: {} },
        ...fields,
      });
      return offer;
    },
    reservation: async () =>
      id(
        call("POST", `/offers/${await things.offer()}/reserve`, {
          ...{ days: 7, max_charge_cents: 100, idempotency_key: newId() },
        }),
      ),
    notice: async (user_id: string) =>
      id(operate("POST", "/admin/notifications", { user_id, title: "t", body: "b" })),
  };
  const remove = (path: string) => () => call("DELETE", path);
  const discard = (path: string) => () => operate("DELETE", path);
  /** A request of the customer. */
  const own = (
    method: string,
    path: string,
    body?: unknown,
    after?: RepeatedCase["after"],
    headers: RepeatedCase["headers"] = {},
  ): RepeatedCase => ({ by: user, method, path, body, headers, ...(after && { after }) });
  /** A request of the operator. */
  const operated = (
    method: string,
    path: string,
    body?: unknown,
    after?: RepeatedCase["after"],
  ): RepeatedCase => ({ ...own(method, path, body, after), by: operator });
  return {
    ...{ stack, ours, user, guest, operator, host, call, operate, own, operated, things, remove, discard },
    ...{ projectId, serverId, serverName, share, name, made, id, until },
  };
}

export const RULE = {
  action: "allow",
  protocol: "tcp",
  description: "",
  destination_port: "80",
} as const;
