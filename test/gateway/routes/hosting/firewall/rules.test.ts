import { afterAll, beforeAll, expect, test } from "bun:test";
import { byteCount } from "../../../../../actors/hosting/firewall/rules.ts";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { bucketsOf, type Host, startHost, tenant } from "../container/hosting.ts";

type Tenant = Awaited<ReturnType<typeof tenant>>;

let stack: SharedStack;
let server: string;
let otherServer: string;
let silentServer: string;
let ours: Tenant;
let theirs: Tenant;
/** On a host that does not answer. */
let unheard: Tenant;
let host: Host;
beforeAll(async () => {
  stack = await sharedStack();
  server = await stack.serverName();
  otherServer = await stack.serverName();
  silentServer = await stack.serverName();
  [ours, theirs] = [await tenant(stack, server), await tenant(stack, otherServer)];
  unheard = await tenant(stack, silentServer);
  await ours.container("brings-the-bucket");
  // Answers at once, so that no reply waits for a host.
  host = await startHost(stack, server);
  await host.answerFirewalls(() => ({}));
});
afterAll(async () => {
  await host.close();
  await stack.stop();
});

const web = { action: "allow", protocol: "tcp", description: "web", destination_port: "80" };
const add = (id: string, rule: object, headers = {}, of: Tenant = ours) =>
  of.call("POST", `/${id}/firewall/ingress`, rule, headers);
const list = async (id: string, of = ours) => (await of.call("GET", `/${id}/firewall/rules`)).body.data;
const reset = (id: string, of = ours) => of.call("POST", `/${id}/firewall/reset`);
/** Of a listing's rules as they are kept: what they have counted is no part of them. */
const sizeOf = ({ ingress, egress }: Awaited<ReturnType<typeof list>>) =>
  byteCount([...ingress, ...egress].map(({ packets: _packets, bytes: _bytes, ...rule }) => rule));
const MISSING = "0123456789abcdef01234567";

test("a container without a firewall is open and says so, with its limits", async () => {
  const id = await ours.container("open");
  expect(await list(id)).toEqual({
    ingress: [],
    egress: [],
    rule_count: 0,
    byte_count: 0,
    max_rules: 100,
    max_bytes: 65_536,
    attached: false,
    defaults: { ingress: "allow", egress: "allow" },
    firewall: { revision: 0, applied_revision: 0, applied: true, enforced: true, error: null },
    pagination: { limit: 1_000, next_cursor: null },
  });
  expect((await reset(id)).body.data.firewall).toEqual((await list(id)).firewall);
});

test("the first ingress rule attaches the firewall, which rejects from then on what no rule allows", async () => {
  const id = await unheard.container("closed");
  const { status, body } = await add(
    id,
    { ...web, destination_port: "443, 80", source: "10.0.0.5/8" },
    {},
    unheard,
  );
  expect(status).toBe(200);
  const firewall = { revision: 1, applied_revision: 0, applied: false, enforced: false, error: null };
  const rule = {
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    direction: "ingress",
    action: "allow",
    protocol: "tcp",
    description: "web",
    state: "enabled",
    destination_port: "80,443",
    source: "10.0.0.0/8",
  };
  expect(body).toEqual({ statusCode: 200, message: "Rule added", data: { ...rule, firewall } });
  const listing = await list(id, unheard);
  expect(listing.byte_count).toBe(sizeOf(listing));
  expect(listing).toMatchObject({
    ingress: [{ ...rule, packets: null, bytes: null }],
    egress: [],
    rule_count: 1,
    attached: true,
    defaults: { ingress: "reject", egress: "allow" },
    firewall,
  });
  const { firewall: shown } = (await unheard.call("GET", `/${id}`)).body.data;
  expect(shown).toEqual(firewall);
});

test("an identical rule, however it is written, exists already and changes nothing", async () => {
  const id = await ours.container("twice");
  await add(id, { ...web, destination_port: "80,443", source: "1.2.3.4" });
  const before = await until(async () => {
    const listing = await list(id);
    return listing.firewall.applied && listing;
  });
  for (const same of [
    { ...web, destination_port: "443, 80", source: "1.2.3.4/32" },
    { ...web, destination_port: "80,443,443", source: "1.2.3.4", state: "enabled" },
  ]) {
    expect((await add(id, same)).body).toEqual({ statusCode: 200, message: "Rule already exists", data: {} });
  }
  expect(await list(id)).toEqual(before);
});

test("of twenty identical rules at once one is added", async () => {
  const id = await ours.container("twice-at-once");
  const answers = await Promise.all(Array.from({ length: 20 }, () => add(id, web)));
  const messages = Map.groupBy(answers, ({ body }) => body.message);
  expect([messages.get("Rule added")?.length, messages.get("Rule already exists")?.length]).toEqual([1, 19]);
  expect((await list(id)).rule_count).toBe(1);
});

test("a rule that comes again with its key is answered as the first time, also after a reset", async () => {
  const id = await ours.container("keyed");
  const headers = { "idempotency-key": "k" };
  const first = await add(id, web, headers);
  expect((await add(id, web, headers)).body.data.id).toBe(first.body.data.id);
  await reset(id);
  expect((await add(id, web, headers)).body.data.id).toBe(first.body.data.id);
  expect((await list(id)).rule_count).toBe(0);
  const reused = await add(id, { ...web, destination_port: "81" }, headers);
  expect({ status: reused.status, code: reused.body.code }).toEqual({
    status: 409,
    code: "IDEMPOTENCY_KEY_REUSED",
  });
});

test("rules of every kind are kept as they are meant, in the order in which they came", async () => {
  const id = await ours.container("kinds");
  const rules = [
    { action: "drop", protocol: "udp", description: "", destination_port: "53", source_port: "1024-65535" },
    { action: "reject", protocol: "icmp4", description: "no ping", icmp_type: "8", icmp_code: "0" },
    { action: "allow", protocol: "icmp4", description: "all icmp" },
    {
      action: "allow",
      protocol: "tcp",
      description: '"; drop table; #$(x) 🔥',
      destination_port: "1-65535",
    },
    { action: "allow", protocol: "tcp", description: "later", destination_port: "22", state: "disabled" },
  ];
  for (const rule of rules) expect((await add(id, rule)).status).toBe(200);
  const { ingress } = await list(id);
  expect(ingress).toEqual(
    rules.map((rule) => ({
      state: "enabled",
      ...rule,
      direction: "ingress",
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      packets: null,
      bytes: null,
    })),
  );
});

test("a reset removes every rule and opens the container, and one more changes nothing", async () => {
  const id = await unheard.container("reset");
  for (const port of ["1", "2"]) await add(id, { ...web, destination_port: port }, {}, unheard);
  const { status, body } = await reset(id, unheard);
  expect(status).toBe(200);
  const firewall = { revision: 3, applied_revision: 0, applied: false, enforced: false, error: null };
  expect(body.data).toEqual({ rules: { ingress: [], egress: [] }, firewall });
  expect(await list(id, unheard)).toMatchObject({ ingress: [], rule_count: 0, attached: false, firewall });
  expect(await stack.db`SELECT 1 FROM firewall_rules WHERE container_id = ${id}`).toHaveLength(0);
  expect((await reset(id, unheard)).body.data.firewall.revision).toBe(3);
  await add(id, web, {}, unheard);
  expect(await list(id, unheard)).toMatchObject({ rule_count: 1, attached: true, firewall: { revision: 4 } });
});

test("the host is told the rules in normal form, and that the firewall is gone after a reset", async () => {
  const id = await ours.container("told");
  const buckets = await bucketsOf(stack, server);
  const { id: ruleId } = (await add(id, { ...web, destination_port: "81,80", source: "0.0.0.0/0" })).body
    .data;
  const desired = (revision: number) =>
    until(async () => {
      const found = await buckets.firewall(id);
      return found?.revision === revision && found;
    });
  const rule = { ...web, id: ruleId, direction: "ingress", state: "enabled", destination_port: "80-81" };
  expect(await desired(1)).toMatchObject({
    revision: 1,
    server_name: server,
    container_id: id,
    attached: true,
    rules: [rule as never],
  });
  await reset(id);
  expect(await desired(2)).toMatchObject({
    revision: 2,
    server_name: server,
    container_id: id,
    attached: false,
    rules: [],
  });
  await buckets.close();
});

test("another tenant's container answers exactly as one that is not there", async () => {
  const id = await ours.container("private");
  await add(id, web);
  for (const [method, path, body] of [
    ["GET", "rules", undefined],
    ["POST", "ingress", { ...web, destination_port: "22" }],
    ["POST", "egress", { ...web, destination_port: "22" }],
    ["PATCH", "ingress", { state: "disabled" }],
    ["DELETE", "ingress", { all: true }],
    ["PATCH", "egress", { state: "disabled" }],
    ["DELETE", "egress", { all: true }],
    ["POST", "reset", undefined],
  ] as const) {
    const foreign = await theirs.call(method, `/${id}/firewall/${path}`, body);
    const missing = await theirs.call(method, `/${MISSING}/firewall/${path}`, body);
    expect({ status: foreign.status, code: foreign.body.code }).toEqual({
      status: 404,
      code: "CONTAINER_NOT_FOUND",
    });
    expect(foreign.body).toEqual(missing.body);
  }
  expect((await list(id)).rule_count).toBe(1);
  expect(await stack.db`SELECT 1 FROM firewalls WHERE container_id = ${MISSING}`).toHaveLength(0);
});

test("a wrong field is named, and nothing is added", async () => {
  const id = await ours.container("strict");
  const icmp = { action: "allow", protocol: "icmp4", description: "" };
  const cases: [string, object][] = [
    ["action", { ...web, action: "accept" }],
    ["action", { ...web, action: undefined }],
    ["protocol", { ...web, protocol: "sctp" }],
    ["protocol", { ...web, protocol: "TCP" }],
    ["protocol", { ...web, protocol: undefined }],
    ["description", { ...web, description: undefined }],
    ["description", { ...web, description: "d".repeat(256) }],
    ["description", { ...web, description: "a\u0000b" }],
    ["destination_port", { ...web, destination_port: undefined }],
    ["destination_port", { ...web, destination_port: 80 }],
    ["destination_port", { ...web, destination_port: "90-80" }],
    ["destination_port", { ...web, destination_port: "0" }],
    ["destination_port", { ...web, destination_port: "65536" }],
    ["destination_port", { ...web, destination_port: "080" }],
    ["destination_port", { ...web, destination_port: "" }],
    ["destination_port", { ...web, destination_port: `1${",1".repeat(200)}` }],
    ["source_port", { ...web, source_port: "70000" }],
    ["source", { ...web, source: "::1" }],
    ["source", { ...web, source: "010.0.0.1" }],
    ["source", { ...web, source: "1.2.3.4/33" }],
    ["source", { ...web, source: "" }],
    ["source", { ...web, source: "100.100.100.100/256" }],
    ["source", { ...web, source: null }],
    ["destination", { ...web, destination: "1.2.3.4" }],
    ["direction", { ...web, direction: "egress" }],
    ["id", { ...web, id: MISSING }],
    ["state", { ...web, state: "on" }],
    ["icmp_type", { ...web, icmp_type: "8" }],
    ["icmp_type", { ...icmp, icmp_type: 8 }],
    ["icmp_type", { ...icmp, icmp_type: "256" }],
    ["icmp_code", { ...icmp, icmp_code: "0" }],
    ["destination_port", { ...icmp, destination_port: "80" }],
  ];
  for (const [field, rule] of cases) {
    const { status, body } = await add(id, rule);
    expect({ rule, status, code: body.code, data: body.data }).toEqual({
      rule,
      status: 400,
      code: "VALIDATION_ERROR",
      data: { field: `body.${field}` },
    });
  }
  expect(await list(id)).toMatchObject({ rule_count: 0, attached: false });
});

test("a description of 255 characters of any script is kept", async () => {
  const id = await ours.container("described");
  const description = "ü".repeat(255);
  expect((await add(id, { ...web, description })).body.data.description).toBe(description);
  expect((await list(id)).ingress[0].description).toBe(description);
});
