import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { type Host, startHost, tenant } from "../container/hosting.ts";

/** What rules have counted, as their host says when the listing is made. */

let stack: SharedStack;
let server: string;
let ours: Awaited<ReturnType<typeof tenant>>;
let host: Host;
/** What the host says, by container; null: it keeps silent. */
const answers = new Map<string, unknown>();
const asked: string[] = [];
beforeAll(async () => {
  stack = await sharedStack();
  server = await stack.serverName();
  ours = await tenant(stack, server);
  await ours.container("brings-the-bucket");
  host = await startHost(stack, server);
  await host.answerFirewalls(() => ({}));
  host.answerCounts((id) => {
    asked.push(id);
    return answers.get(id) ?? null;
  });
});
afterAll(async () => {
  await host.close();
  await stack.stop();
});

const web = { action: "allow", protocol: "tcp", description: "web", destination_port: "80" };
const list = async (id: string) => (await ours.call("GET", `/${id}/firewall/rules`)).body.data;
/** A listing with what the host said: it is waited for a quarter of a second, and on a busy machine it may take longer. */
const counted = (id: string) =>
  until(async () => {
    const listing = await list(id);
    return listing.ingress[0]?.packets !== null && listing;
  });

async function withRules(name: string) {
  const id = await ours.container(name);
  const add = async (direction: string, rule: object) =>
    (await ours.call("POST", `/${id}/firewall/${direction}`, rule)).body.data.id as string;
  return { id, inId: await add("ingress", web), outId: await add("egress", web) };
}

test("each rule is shown with what it has counted, null where the host does not know it", async () => {
  const { id, inId, outId } = await withRules("counted");
  await ours.call("PATCH", `/${id}/firewall/egress`, { state: "disabled" });
  answers.set(id, { [inId]: { packets: 3, bytes: 180 } });
  expect(await counted(id)).toMatchObject({
    ingress: [{ id: inId, packets: 3, bytes: 180 }],
    egress: [{ id: outId, packets: null, bytes: null }],
  });
});

test("a host says what rules have counted, and nothing else of them", async () => {
  const { id, inId } = await withRules("modest");
  const more = { packets: 1, bytes: 60, action: "drop", id: "f".repeat(24) };
  answers.set(id, { [inId]: more, ["0".repeat(24)]: more });
  const { ingress, rule_count } = await counted(id);
  expect(ingress).toMatchObject([{ id: inId, action: "allow", packets: 1 }]);
  expect(rule_count).toBe(2);
});

const NONSENSE = [5, [], "text", { x: 1 }, { ["1".repeat(24)]: { packets: -1, bytes: "many" } }];
test("an answer of another form is as good as none", async () => {
  const { id, inId } = await withRules("nonsense");
  for (const answer of NONSENSE) {
    answers.set(id, answer);
    expect((await list(id)).ingress).toMatchObject([{ id: inId, packets: null, bytes: null }]);
  }
});

test("a host that does not answer does not keep a listing from being answered", async () => {
  const { id, inId } = await withRules("silent");
  expect((await list(id)).ingress).toMatchObject([{ id: inId, packets: null, bytes: null }]);
  expect(asked).toContain(id);
});

test("where no rule is in force nobody is asked", async () => {
  const id = await ours.container("idle");
  await ours.call("POST", `/${id}/firewall/ingress`, { ...web, state: "disabled" });
  expect((await list(id)).ingress).toMatchObject([{ packets: null, bytes: null }]);
  expect(asked).not.toContain(id);
});
