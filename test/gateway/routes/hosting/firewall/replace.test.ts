import { afterAll, beforeAll, expect, test } from "bun:test";
import type { DesiredFirewall } from "../../../../../schemas/hosting/desired.ts";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { type Host, startHost, tenant } from "../container/hosting.ts";

/** All rules in one revision, and single rules by their ids. */

let stack: SharedStack;
let ours: Awaited<ReturnType<typeof tenant>>;
let theirs: Awaited<ReturnType<typeof tenant>>;
let host: Host;
/** What the host was told, newest last. */
const desired: DesiredFirewall[] = [];
beforeAll(async () => {
  stack = await sharedStack();
  const server = await stack.serverName();
  ours = await tenant(stack, server);
  theirs = await tenant(stack, await stack.serverName());
  await ours.container("brings-the-bucket");
  host = await startHost(stack, server);
  await host.answerFirewalls((firewall) => {
    desired.push(firewall);
    return {};
  });
});
afterAll(async () => {
  await host.close();
  await stack.stop();
});

const tcp = (port: number, fields: object = {}) => ({
  direction: "ingress",
  action: "allow",
  protocol: "tcp",
  description: "",
  destination_port: String(port),
  ...fields,
});
const add = async (id: string, port: number): Promise<string> => {
  const { direction: _, ...rule } = tcp(port);
  return (await ours.call("POST", `/${id}/firewall/ingress`, rule)).body.data.id;
};
const replace = (id: string, rules: unknown, match: string | undefined = "*", headers = {}) =>
  ours.call(
    "PUT",
    `/${id}/firewall/rules`,
    { rules },
    {
      ...(match === undefined ? {} : { "if-match": match }),
      ...headers,
    },
  );
const listed = async (id: string) => {
  const { body, headers } = await ours.call("GET", `/${id}/firewall/rules`);
  return { ...body.data, etag: headers.get("etag") };
};
/** The same, once the host has applied it: then it changes by itself no more. */
const settled = (id: string) =>
  until(async () => {
    const listing = await listed(id);
    return listing.firewall.applied && listing;
  });
/** The host has been told of this revision, with these rules. */
const told = async (id: string, revision: number) => {
  const document = await until(() => desired.find((d) => d.container_id === id && d.revision === revision));
  return document.rules.map(({ destination_port, description }) => ({ destination_port, description }));
};
const refusal = ({ status, body }: { status: number; body: { code: string } }) => `${status} ${body.code}`;

test("all rules are replaced in one revision, and the host is told of no state in between", async () => {
  const id = await ours.container("whole");
  for (const port of [1, 2, 3]) await add(id, port);
  const before = await settled(id);
  const answer = await replace(id, [tcp(10), tcp(11, { direction: "egress" })], before.etag);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("etag")).toBe('"4"');
  expect(answer.body.data).toMatchObject({
    ingress: [{ destination_port: "10" }],
    egress: [{ destination_port: "11" }],
    rule_count: 2,
    firewall: { revision: 4 },
  });
  const after = await listed(id);
  expect(after).toMatchObject({ rule_count: 2, etag: '"4"', defaults: { ingress: "reject" } });
  const ofRevision = desired.filter((one) => one.container_id === id && one.revision >= 4);
  expect(ofRevision.length).toBeGreaterThan(0);
  for (const { rules } of ofRevision)
    expect(rules.map((rule) => rule.destination_port)).toEqual(["10", "11"]);
});

test("a rule that stays keeps its id, with which the host counts, whether it is named or only the same", async () => {
  const id = await ours.container("stays");
  const [first, second, third] = [await add(id, 1), await add(id, 2), await add(id, 3)];
  const { body } = await replace(id, [
    tcp(4),
    tcp(2, { source: "0.0.0.0/0" }),
    { id: first, ...tcp(1, { description: "other words" }) },
  ]);
  const [added, same, changed] = body.data.ingress;
  expect([same.id, changed.id, changed.description]).toEqual([second, first, "other words"]);
  expect([first, second, third]).not.toContain(added.id);
  const listing = await listed(id);
  expect(listing.ingress.map((rule: { id: string }) => rule.id)).toEqual([added.id, second, first]);
});

test("the very rules that are there change nothing: no revision, no event", async () => {
  const id = await ours.container("same");
  await add(id, 1);
  await add(id, 2);
  const before = await settled(id);
  const answer = await replace(id, [tcp(1), tcp(2)], before.etag);
  expect(answer.body.data.firewall.revision).toBe(2);
  expect(await listed(id)).toEqual(before);
});

test("no rules leave the firewall attached and closed", async () => {
  const id = await ours.container("none");
  await add(id, 1);
  expect((await replace(id, [])).status).toBe(200);
  expect(await listed(id)).toMatchObject({ rule_count: 0, attached: true, defaults: { ingress: "reject" } });
});

test("who has read another revision is refused with the one that there is, and nothing changes", async () => {
  const id = await ours.container("stale");
  await add(id, 1);
  const { etag } = await listed(id);
  await add(id, 2);
  const before = await settled(id);
  for (const match of [etag, '"0"', `W/${before.etag}`, '"later"']) {
    const answer = await replace(id, [], match);
    expect([refusal(answer), answer.body.data]).toEqual(["412 PRECONDITION_FAILED", { revision: 2 }]);
  }
  const missing = await ours.call("PUT", `/${id}/firewall/rules`, { rules: [] });
  expect(refusal(missing)).toBe("428 PRECONDITION_REQUIRED");
  expect(refusal(await replace(id, [], "3"))).toBe("400 VALIDATION_ERROR");
  expect(await listed(id)).toEqual(before);
  expect((await replace(id, [], `"0", ${before.etag}`)).status).toBe(200);
});

test("of twenty replacements that have read the same revision one takes place", async () => {
  const id = await ours.container("race");
  await add(id, 1);
  const { etag } = await listed(id);
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => replace(id, [tcp(100 + i)], etag)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(412)]);
  expect(await listed(id)).toMatchObject({ rule_count: 1, etag: '"2"' });
});

test("a replacement that comes again with its key is answered as the first time, whatever there is by then", async () => {
  const id = await ours.container("keyed");
  await add(id, 1);
  const headers = { "idempotency-key": "k" };
  const first = await replace(id, [tcp(5)], '"1"', headers);
  await add(id, 6);
  const again = await replace(id, [tcp(5)], '"1"', headers);
  expect(again.body.data.ingress).toEqual(first.body.data.ingress);
  expect((await listed(id)).rule_count).toBe(2);
  expect(refusal(await replace(id, [tcp(7)], '"1"', headers))).toBe("409 IDEMPOTENCY_KEY_REUSED");
});

test.each([
  [{ ...tcp(1), destination_port: "99999" }, "body.rules.1.destination_port"],
  [{ ...tcp(1), destination: "10.0.0.1" }, "body.rules.1.destination"],
  [{ ...tcp(1), direction: "egress", source: "10.0.0.1" }, "body.rules.1.source"],
  [{ ...tcp(1), protocol: "icmp4" }, "body.rules.1.destination_port"],
  [{ ...tcp(1), id: "0123456789abcdef01234567" }, "body.rules.1.id"],
  [{ ...tcp(1), packets: 3 }, "body.rules.1.packets"],
  [{ ...tcp(9), destination_port: "9, 9" }, "body.rules.1"],
] as const)("%j names its field with its place", async (rule, field) => {
  const id = await ours.container(`bad-${crypto.randomUUID().slice(0, 8)}`);
  const answer = await replace(id, [tcp(9), rule]);
  expect([refusal(answer), answer.body.data.field]).toEqual(["400 VALIDATION_ERROR", field]);
  expect((await listed(id)).rule_count).toBe(0);
});

test("more rules than the limit are refused, and none of them is there", async () => {
  const id = await ours.container("many");
  const rules = Array.from({ length: 101 }, (_, i) => tcp(i + 1));
  expect(refusal(await replace(id, rules))).toBe("403 QUOTA_EXCEEDED");
  expect((await replace(id, rules.slice(1))).body.data.rule_count).toBe(100);
  const large = rules.slice(1).map((rule) => ({ ...rule, description: "é".repeat(255) }));
  expect(refusal(await replace(id, large))).toBe("409 FIREWALL_BYTE_LIMIT");
});

test("by its id a rule is disabled or removed, and no other that is like it", async () => {
  const id = await ours.container("by-id");
  const [first, second] = [await add(id, 1), await add(id, 2)];
  const at = (rule: string) => `/${id}/firewall/rules/${rule}`;
  const disabled = await ours.call("PATCH", at(second), { state: "disabled" });
  expect(disabled.body.data).toMatchObject({
    direction: "ingress",
    new_state: "disabled",
    updated: { id: second },
  });
  expect((await ours.call("PATCH", at(second), { state: "disabled" })).body.data.firewall.revision).toBe(3);
  await add(id, 2);
  expect(refusal(await ours.call("PATCH", at(second), { state: "enabled" }))).toBe(
    "409 FIREWALL_RULE_EXISTS",
  );
  expect((await ours.call("DELETE", at(second))).body.data).toMatchObject({
    removed_count: 1,
    removed: [{ id: second }],
  });
  expect(refusal(await ours.call("DELETE", at(second)))).toBe("404 FIREWALL_RULE_NOT_FOUND");
  expect((await listed(id)).ingress.map((rule: { id: string }) => rule.id)).toContain(first);
});

test("the rules of another's container are as if they were not there", async () => {
  const id = await ours.container("private");
  const rule = await add(id, 1);
  const headers = { "if-match": "*" };
  for (const [method, path, body] of [
    ["PUT", `/${id}/firewall/rules`, { rules: [] }],
    ["PATCH", `/${id}/firewall/rules/${rule}`, { state: "disabled" }],
    ["DELETE", `/${id}/firewall/rules/${rule}`, undefined],
  ] as const)
    expect(refusal(await theirs.call(method, path, body, headers))).toBe("404 CONTAINER_NOT_FOUND");
  expect((await listed(id)).rule_count).toBe(1);
});

test("the log says which rules a replacement has added, switched and removed, and who did it", async () => {
  const id = await ours.container("logged");
  const [first, second] = [await add(id, 1), await add(id, 2)];
  await replace(id, [{ id: first, ...tcp(1, { state: "disabled" }) }, tcp(3)]);
  const { body } = await stack.call("GET", `/api/v1/events?container_id=${id}&resource_type=firewall`, {
    token: ours.token,
  });
  const events: { event_type: string; data: { by: string; rule?: { id: string } } }[] = body.data.events;
  const last = events.filter(({ event_type }) => event_type !== "firewall.applied").slice(0, 3);
  expect(new Set(last.map(({ event_type }) => event_type))).toEqual(
    new Set(["firewall.rule_removed", "firewall.rule_disabled", "firewall.rule_added"]),
  );
  for (const { data } of last) expect(data.by).toBe(ours.user.id);
  expect(last.find(({ event_type }) => event_type === "firewall.rule_removed")?.data.rule?.id).toBe(second);
});

test("few rules and many reach the host whole, one after the other", async () => {
  const id = await ours.container("large");
  // More than an effect carries.
  const many = (description: string) =>
    Array.from({ length: 60 }, (_, port) => tcp(port + 1, { description: description.repeat(100) }));
  for (const rules of [[tcp(1)], many("a"), [tcp(2)], many("b"), many("c"), [tcp(3)]]) {
    const { body } = await replace(id, rules);
    const expected = rules.map(({ destination_port, description }) => ({ destination_port, description }));
    expect(await told(id, body.data.firewall.revision)).toEqual(expected);
  }
});
