import { parseArgs } from "node:util";
import { Seeded } from "../actors/billing/wallet/seeded.ts";
import { inlined } from "../harness/inlined-document.ts";
import { stopShared } from "../harness/servers.ts";
import { startStack } from "../harness/stack.ts";
import { generateRequest } from "./generate.ts";
import { answerForHosts } from "./hosts.ts";
import { operationsOf } from "./operations.ts";
import type { HttpRequest } from "./request.ts";
import { makeWorld, SERVER_NAMES, type Sender } from "./world.ts";

/**
 * `bun run fuzz --requests N --seed S`: sends generated requests to a control plane that it starts on loopback. Prints how
 * often each status was answered, and each answer of 500 and above with the request that led to it. Ends with 1 if there was one.
 */

const IN_FLIGHT_MAX = 8;
const PROGRESS_EVERY = 5_000;
const FAULTS_SHOWN_MAX = 50;
/** Ids of what requests have made; the oldest give way. */
const IDS_MAX = 500;
const ANSWER_MS_MAX = 60_000;

const { values } = parseArgs({
  options: { requests: { type: "string", default: "10000" }, seed: { type: "string" } },
});
const requests = numberOf("requests", values.requests);
const seed = values.seed === undefined ? Date.now() % 1_000_000 : numberOf("seed", values.seed);

// Each sender says where it comes from, so that limits by address do not answer in the place of routes.
const stack = await startStack({
  servers: SERVER_NAMES,
  env: { BERTH_TRUSTED_PROXIES: "127.0.0.1,::1" },
});
const hosts = await answerForHosts(stack, SERVER_NAMES);
const { senders, ids } = await makeWorld(stack);
// A server that is added here would have no host, and be answered 503 for it.
const operations = operationsOf(inlined((await stack.call("GET", "/openapi/json")).body)).filter(
  ({ name }) => name !== "POST /api/v1/admin/servers",
);
const random = new Seeded(seed);
const statuses = new Map<number, number>();
const faults: string[] = [];
let sent = 0;

console.log(`fuzz: seed ${seed}, ${requests} requests to ${operations.length} routes`);
const startedMs = performance.now();
await Promise.all(Array.from({ length: IN_FLIGHT_MAX }, work));
const seconds = (performance.now() - startedMs) / 1_000;

for (const fault of faults.slice(0, FAULTS_SHOWN_MAX)) console.log(fault);
if (faults.length > 0) console.log(await failuresInLog());
for (const [status, count] of [...statuses].toSorted(([a], [b]) => a - b)) console.log(`${status}: ${count}`);
console.log(
  `fuzz: seed ${seed}, ${sent} requests in ${seconds.toFixed(0)} s, ${faults.length} with 500 or above`,
);
await hosts.stop();
await stack.stop();
await stopShared();
process.exit(faults.length > 0 ? 1 : 0);

/** What the gateway's log says of them: a reply of 500 does not say why. */
async function failuresInLog(): Promise<string> {
  const log = await Bun.file(`${stack.logs}/gateway.log`).text();
  return log
    .split("\n")
    .filter((line) => line.includes("a request failed"))
    .slice(0, FAULTS_SHOWN_MAX)
    .join("\n");
}

async function work(): Promise<void> {
  while (sent < requests) {
    const number = ++sent;
    if (number % PROGRESS_EVERY === 0)
      console.log(`fuzz: ${number} sent, ${faults.length} with 500 or above`);
    const sender = random.pick(senders);
    const request = generateRequest(random, random.pick(operations), [...ids]);
    const headers = { "x-forwarded-for": addressOf(), ...request.headers };
    await send(number, sender, { ...request, headers });
  }
}

async function send(number: number, sender: Sender, request: HttpRequest): Promise<void> {
  const { method, target, headers, body } = request;
  const { authorization, user } = sender;
  const describe = (status: number, text: string) =>
    `request ${number} as ${sender.name}: ${JSON.stringify(request)} was answered ${status}: ${text.slice(0, 300)}`;
  let response: Response;
  try {
    response = await fetch(stack.url + target, {
      method,
      redirect: "manual",
      headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
      ...(body === undefined ? {} : { body }),
    });
  } catch (error) {
    faults.push(describe(0, String(error)));
    return;
  }
  const { status } = response;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  if (status < 400 && !response.headers.get("content-type")?.startsWith("application/json")) {
    // A stream of events would never end.
    await response.body?.cancel();
    return;
  }
  const text = await response.text();
  if (status >= 500) faults.push(describe(status, text));
  if (status === 201) remember(text);
  if (status === 401 && user !== undefined && sender.authorization === authorization)
    await signIn(sender, user);
}

/** A request has ended the sender's session. */
async function signIn(sender: Sender, { username, password }: NonNullable<Sender["user"]>): Promise<void> {
  const { body } = await stack.call("POST", "/api/v1/auth/login", {
    body: { username, password },
    headers: { "x-forwarded-for": addressOf() },
  });
  if (body.data?.access_token !== undefined) sender.authorization = `Bearer ${body.data.access_token}`;
}

function remember(text: string): void {
  const id: unknown = JSON.parse(text).data?.id;
  if (typeof id === "string") ids.add(id);
  const [oldest] = ids;
  if (ids.size > IDS_MAX && oldest !== undefined) ids.delete(oldest);
}

function addressOf(): string {
  return `198.18.${random.integer(0, 255)}.${random.integer(1, 254)}`;
}

function numberOf(name: string, text: string): number {
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  console.error(`--${name} must be a whole number`);
  process.exit(2);
}
