import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { bucketsOf, type Host, startHost, tenant } from "../container/hosting.ts";

/** Rules of either direction, toggled and removed by what they are like. */

let stack: SharedStack;
let server: string;
let ours: Awaited<ReturnType<typeof tenant>>;
let host: Host;
beforeAll(async () => {
  stack = await sharedStack();
  server = await stack.serverName();
  ours = await tenant(stack, server);
  await ours.container("brings-the-bucket");
  // Answers at once, so that no reply waits for a host.
  host = await startHost(stack, server);
  await host.answerFirewalls(() => ({}));
});
afterAll(async () => {
  await host.close();
  await stack.stop();
});

const DIRECTIONS = [
  ["ingress", "source", "egress"],
  ["egress", "destination", "ingress"],
] as const;
type Direction = (typeof DIRECTIONS)[number][0];

const web = { action: "allow", protocol: "tcp", description: "web", destination_port: "80" };
const change = (method: string, id: string, direction: Direction, body: unknown, headers = {}) =>
  ours.call(method, `/${id}/firewall/${direction}`, body, headers);
const list = async (id: string) => (await ours.call("GET", `/${id}/firewall/rules`)).body.data;
const refusal = ({ status, body }: { status: number; body: { code: string } }) => `${status} ${body.code}`;

/** A container with rules of one direction; answers their ids. */
async function filled(name: string, direction: Direction, ...rules: object[]) {
  const id = await ours.container(`${name}-${direction}`);
  const ids: string[] = [];
  for (const rule of rules) ids.push((await change("POST", id, direction, rule)).body.data.id);
  return { id, ids };
}

test.each(DIRECTIONS)(
  "an %s rule has a %s, and none of the other side's address",
  async (direction, peer) => {
    const { id, ids } = await filled("peer", direction, { ...web, [peer]: "10.0.0.5/8" });
    const listing = await list(id);
    expect(listing).toMatchObject({ rule_count: 1, attached: true });
    expect(listing[direction]).toMatchObject([{ id: ids[0], direction, [peer]: "10.0.0.0/8" }]);
    const [, other] = DIRECTIONS.find(([name]) => name !== direction) ?? [];
    for (const [method, body] of [
      ["POST", web],
      ["PATCH", { state: "disabled" }],
      ["DELETE", {}],
    ] as const) {
      const { status, body: answer } = await change(method, id, direction, {
        ...body,
        [other ?? ""]: "1.2.3.4",
      });
      expect([status, answer.data]).toEqual([400, { field: `body.${other}` }]);
    }
  },
);

test.each(DIRECTIONS)("an %s rule is disabled and enabled by its %s", async (direction, peer) => {
  const rules = [web, { ...web, [peer]: "10.0.0.0/8" }, { ...web, destination_port: "443" }];
  const { id, ids } = await filled("toggled", direction, ...rules);
  const { status, body } = await change("PATCH", id, direction, { state: "disabled", [peer]: "10.1.2.3/8" });
  const updated = { ...web, id: ids[1], direction, state: "disabled", [peer]: "10.0.0.0/8" };
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    direction,
    new_state: "disabled",
    firewall: { revision: 4 },
  });
  expect(body.data.updated).toEqual(updated);
  const states = async () => (await list(id))[direction].map(({ state }: { state: string }) => state);
  expect(await states()).toEqual(["enabled", "disabled", "enabled"]);
  expect((await change("PATCH", id, direction, { state: "enabled" })).body.data.updated.id).toBe(ids[1]);
  expect(await states()).toEqual(["enabled", "enabled", "enabled"]);
});

test("toggling what is so already changes nothing, and is answered", async () => {
  const { id, ids } = await filled("same", "ingress", web);
  const { status, body } = await change("PATCH", id, "ingress", { state: "enabled" });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    new_state: "enabled",
    updated: { id: ids[0] },
    firewall: { revision: 1 },
  });
});

test("a rule is not toggled into one that is there already", async () => {
  const { id } = await filled("twin", "ingress", web, { ...web, state: "disabled" });
  expect(refusal(await change("PATCH", id, "ingress", { state: "disabled" }))).toBe(
    "409 FIREWALL_RULE_EXISTS",
  );
  expect((await list(id)).ingress.map(({ state }: { state: string }) => state)).toEqual([
    "enabled",
    "disabled",
  ]);
});

test("the host is told of a rule that is toggled and of one that is removed, and of the rules in their order", async () => {
  const { id, ids } = await filled("told", "egress", web, { ...web, destination_port: "443" });
  const buckets = await bucketsOf(stack, server);
  const desired = (revision: number) =>
    until(async () => {
      const found = await buckets.firewall(id);
      return found?.revision === revision && found;
    });
  await change("PATCH", id, "egress", { state: "disabled", destination_port: "80" });
  const { rules } = await desired(3);
  expect(rules.map((rule) => [rule.id, rule.state])).toEqual([
    [ids[0] ?? "", "disabled"],
    [ids[1] ?? "", "enabled"],
  ]);
  await change("DELETE", id, "egress", { state: "disabled" });
  expect(await desired(4)).toMatchObject({ attached: true, rules: [{ id: ids[1] as never }] });
  await buckets.close();
});

test.each(DIRECTIONS)("of the %s rules the first enabled one that matches is removed", async (direction) => {
  const rules = [{ ...web, state: "disabled" }, web, { ...web, destination_port: "81, 80" }];
  const { id, ids } = await filled("removed", direction, ...rules);
  const { status, body } = await change("DELETE", id, direction, { destination_port: "80" });
  expect(status).toBe(200);
  // Whether the host has applied it by then is for applied.test.ts.
  const { firewall, ...removal } = body.data;
  expect(firewall.revision).toBe(4);
  expect(removal).toEqual({
    direction,
    removed_count: 1,
    removed: [{ ...web, id: ids[1], direction, state: "enabled" }],
  });
  expect((await list(id))[direction].map((rule: { id: string }) => rule.id)).toEqual([ids[0], ids[2]]);
  const again = await change("DELETE", id, direction, { destination_port: "80" });
  expect([again.status, again.body.data]).toMatchObject([200, { direction, removed_count: 0, removed: [] }]);
});

test.each(DIRECTIONS)(
  "with all, %s rules go: those that match, or every one of the direction",
  async (direction, _, other) => {
    const rules = [
      { ...web, state: "disabled" },
      web,
      { ...web, destination_port: "81" },
      { ...web, protocol: "udp" },
    ];
    const { id } = await filled("all", direction, ...rules);
    await change("POST", id, other, web);
    const removed = async (body: object) =>
      (await change("DELETE", id, direction, { all: true, ...body })).body.data.removed_count;
    expect(await removed({ protocol: "tcp" })).toBe(2);
    expect(await removed({})).toBe(2);
    expect(await removed({})).toBe(0);
    const listing = await list(id);
    expect(listing).toMatchObject({ rule_count: 1, attached: true, defaults: { ingress: "reject" } });
    expect(listing[other]).toHaveLength(1);
    expect(await stack.db`SELECT 1 FROM firewall_rules WHERE container_id = ${id}`).toHaveLength(1);
  },
);

test("a toggle of what matches nothing is not found, a removal counts none, and a field that no rule can have is named", async () => {
  const { id } = await filled("wrong", "ingress", web);
  const icmp = { protocol: "icmp4", icmp_type: "8" };
  for (const [method, own] of [
    ["PATCH", { state: "disabled" }],
    ["DELETE", {}],
  ] as const) {
    for (const filter of [{ action: "drop" }, icmp, { description: "Web" }, { source: "1.2.3.4" }]) {
      const answer = await change(method, id, "ingress", { ...own, ...filter });
      if (method === "PATCH") expect(refusal(answer)).toBe("404 FIREWALL_RULE_NOT_FOUND");
      else expect([answer.status, answer.body.data.removed_count]).toEqual([200, 0]);
    }
    for (const [field, value] of [
      ["destination_port", "90-80"],
      ["source_port", "0"],
      ["source", "1.2.3.4/33"],
      ["icmp_type", "256"],
      ["icmp_code", 8],
      ["action", "deny"],
      ["state", "on"],
      ["id", "0".repeat(24)],
    ] as const) {
      const { status, body } = await change(method, id, "ingress", { ...own, [field]: value });
      expect([status, body.data]).toEqual([400, { field: `body.${field}` }]);
    }
  }
  expect((await change("PATCH", id, "ingress", {})).body.data).toEqual({ field: "body.state" });
  expect((await change("DELETE", id, "ingress", { all: "true" })).body.data).toEqual({ field: "body.all" });
  expect((await list(id)).ingress).toMatchObject([{ state: "enabled" }]);
});

test("only an enabled ingress rule closes the container, which stays closed without it, until a reset", async () => {
  const { id } = await filled("closing", "egress", { ...web, action: "drop" });
  const defaults = async () => (await list(id)).defaults;
  expect(await defaults()).toEqual({ ingress: "allow", egress: "allow" });
  await change("POST", id, "ingress", { ...web, state: "disabled" });
  expect(await defaults()).toEqual({ ingress: "allow", egress: "allow" });
  await change("PATCH", id, "ingress", { state: "enabled" });
  expect(await defaults()).toEqual({ ingress: "reject", egress: "allow" });
  await change("DELETE", id, "ingress", {});
  expect(await defaults()).toEqual({ ingress: "reject", egress: "allow" });
  await ours.call("POST", `/${id}/firewall/reset`);
  expect(await defaults()).toEqual({ ingress: "allow", egress: "allow" });
});

test("a removal without a body is one with an empty body", async () => {
  const { id, ids } = await filled("bodiless", "ingress", web, { ...web, destination_port: "81" });
  const { status, body } = await change("DELETE", id, "ingress", undefined);
  expect([status, body.data.removed]).toEqual([200, [expect.objectContaining({ id: ids[0] })]]);
});

test("a change that comes again with its key is done once and answered as the first time", async () => {
  const { id, ids } = await filled("keyed", "ingress", web, { ...web, destination_port: "443" });
  const headers = { "idempotency-key": "k" };
  const first = await change("DELETE", id, "ingress", {}, headers);
  expect(first.body.data.removed[0].id).toBe(ids[0]);
  expect((await change("DELETE", id, "ingress", {}, headers)).body.data.removed).toEqual(
    first.body.data.removed,
  );
  expect(await list(id)).toMatchObject({ rule_count: 1, firewall: { revision: 3 } });
  expect(refusal(await change("DELETE", id, "ingress", { all: true }, headers))).toBe(
    "409 IDEMPOTENCY_KEY_REUSED",
  );
});

test("of many who remove the first rule at once each removes another one", async () => {
  const ports = Array.from({ length: 10 }, (_, i) => ({ ...web, destination_port: String(i + 1) }));
  const { id, ids } = await filled("race", "ingress", ...ports);
  const answers = await Promise.all(ids.map(() => change("DELETE", id, "ingress", {})));
  const removed = answers.flatMap(({ body }) => body.data.removed.map((rule: { id: string }) => rule.id));
  expect(removed.toSorted()).toEqual(ids.toSorted());
  expect(await list(id)).toMatchObject({ rule_count: 0, byte_count: 0, attached: true });
});

test("a rule that is removed and added again comes last", async () => {
  const { id, ids } = await filled("order", "ingress", web, { ...web, destination_port: "81" });
  await change("DELETE", id, "ingress", { destination_port: "80" });
  const added = (await change("POST", id, "ingress", web)).body.data.id;
  expect((await list(id)).ingress.map((rule: { id: string }) => rule.id)).toEqual([ids[1], added]);
});
