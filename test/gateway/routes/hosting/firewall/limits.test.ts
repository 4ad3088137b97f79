import { afterAll, beforeAll, expect, test } from "bun:test";
import { byteCount } from "../../../../../actors/hosting/firewall/rules.ts";
import type { ListedRule } from "../../../../../schemas/hosting/firewall.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../../../harness/embedded-stack.ts";
import { type Host, startHost, tenant } from "../container/hosting.ts";

const MAX_RULES = 20;
const MAX_BYTES = 4_096;

let stack: EmbeddedStack;
let ours: Awaited<ReturnType<typeof tenant>>;
let host: Host;
beforeAll(async () => {
  const env = {
    BERTH_QUOTA_FIREWALL_RULES_PER_CONTAINER: String(MAX_RULES),
    BERTH_FIREWALL_MAX_BYTES: String(MAX_BYTES),
  };
  stack = await startEmbeddedStack({ env, servers: ["node-1"], actorHosts: 2 });
  ours = await tenant(stack, "node-1");
  await ours.container("brings-the-bucket");
  // Answers at once, so that no reply waits for a host.
  host = await startHost(stack, "node-1");
  await host.answerFirewalls(() => ({}));
});
afterAll(async () => {
  await host.close();
  await stack.stop();
});

const add = (id: string, destination_port: string, description = "", direction = "ingress") =>
  ours.call("POST", `/${id}/firewall/${direction}`, {
    action: "allow",
    protocol: "tcp",
    description,
    destination_port,
  });
const list = async (id: string) => (await ours.call("GET", `/${id}/firewall/rules`)).body.data;

test("of a hundred rules of both directions at once exactly as many are kept as the limit says", async () => {
  const id = await ours.container("many");
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => add(id, String(i + 1), "", i % 2 === 0 ? "ingress" : "egress")),
  );
  const added = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 403);
  expect([added.length, refused.length]).toEqual([MAX_RULES, 80]);
  for (const { body } of refused) {
    expect(body).toMatchObject({ code: "QUOTA_EXCEEDED", data: { limit: MAX_RULES, used: MAX_RULES } });
  }
  const listing = await list(id);
  expect(listing).toMatchObject({
    rule_count: MAX_RULES,
    max_rules: MAX_RULES,
    max_bytes: MAX_BYTES,
    firewall: { revision: MAX_RULES },
  });
  const ids = [...listing.ingress, ...listing.egress].map((rule: { id: string }) => rule.id);
  expect(ids.toSorted()).toEqual(added.map(({ body }) => body.data.id).toSorted());
  expect(await stack.db`SELECT 1 FROM firewall_rules WHERE container_id = ${id}`).toHaveLength(MAX_RULES);
});

test("a full firewall still knows an identical rule, and has room again after a reset", async () => {
  const id = await ours.container("full");
  for (let port = 1; port <= MAX_RULES; port++) await add(id, String(port));
  expect((await add(id, "7")).body.message).toBe("Rule already exists");
  expect((await add(id, "21")).body.code).toBe("QUOTA_EXCEEDED");
  await ours.call("POST", `/${id}/firewall/reset`);
  expect((await add(id, "21")).status).toBe(200);
});

test("rules are kept up to the bytes that the listing states", async () => {
  const id = await ours.container("large");
  const description = "é".repeat(255);
  const answers = await Promise.all(
    Array.from({ length: MAX_RULES }, (_, i) => add(id, String(i + 1), description)),
  );
  const refused = answers.filter(({ status }) => status === 409);
  for (const { body } of refused) {
    expect(body).toMatchObject({ code: "FIREWALL_BYTE_LIMIT", data: { max_bytes: MAX_BYTES } });
  }
  const { ingress, byte_count, rule_count } = await list(id);
  expect(rule_count).toBe(MAX_RULES - refused.length);
  const rules = ingress.map(({ packets: _packets, bytes: _bytes, ...rule }: ListedRule) => rule);
  expect(byte_count).toBe(byteCount(rules));
  expect(byte_count).toBeLessThanOrEqual(MAX_BYTES);
  expect(byte_count + byte_count / rule_count).toBeGreaterThan(MAX_BYTES);
});

test("one container's limit is none of another's", async () => {
  const [one, other] = [await ours.container("one"), await ours.container("other")];
  for (let port = 1; port <= MAX_RULES; port++) await add(one, String(port));
  expect((await add(one, "99")).status).toBe(403);
  expect((await add(other, "99")).status).toBe(200);
});
