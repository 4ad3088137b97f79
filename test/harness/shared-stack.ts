import { startStack } from "./stack.ts";
import { type Answer, connectStack, type StackAddress, type StackClient } from "./stack-client.ts";
import { until } from "./until.ts";
import type { TestUser } from "./users.ts";

/** Where `npm test` gives out the control plane that its test files share. */
const socket = process.env.BERTH_TEST_STACK;

const STARTING = 202;
/** Beside the first files of a run, each of which starts something itself. */
const START_MS_MAX = 90_000;

/** Servers that files may take between them: more than they do. */
const SERVERS_MAX = 64;

export interface SharedStack extends StackClient {
  /** The name of a server that no other test file of the run has; its agent may connect. */
  serverName(): Promise<string>;
  /** The address from which `call` sends, as the gateway sees it. */
  readonly address: string;
}

export type { Answer, TestUser };

/**
 * The control plane that all test files of a run share which stop nothing, and which look at what is their own users' alone. It is started when the first file
 * asks for it. A test that stops processes, sets settings, or counts what belongs to everybody starts a stack of its own.
 */
export async function sharedStack(): Promise<SharedStack> {
  if (socket === undefined) {
    let taken = 0;
    return withServers(await startStack(SHARED_OPTIONS), async () => taken++);
  }
  const response = await until(
    async () => {
      const answer = await fetch("http://stack/", { unix: socket });
      return answer.status === STARTING ? undefined : answer;
    },
    { timeoutMs: START_MS_MAX, everyMs: 50 },
  );
  if (!response.ok) throw new Error(`the shared stack did not start: ${await response.text()}`);
  const client = await connectStack((await response.json()) as StackAddress);
  return withServers(client, async () =>
    Number(await (await fetch("http://stack/number", { unix: socket })).text()),
  );
}

/** An address for each test file: what one of them does wrong a hundred times must not count for the others. */
function ownAddress(): string {
  const [a, b, c] = crypto.getRandomValues(new Uint8Array(3));
  return `10.${a}.${b}.${c}`;
}

const withServers = (
  client: StackClient,
  nextNumber: () => Promise<number>,
  address = ownAddress(),
): SharedStack => ({
  ...client,
  address,
  call: (method, path, options = {}) =>
    client.call(method, path, { ...options, headers: { "x-forwarded-for": address, ...options.headers } }),
  async serverName() {
    const name = SHARED_OPTIONS.servers[await nextNumber()];
    if (name === undefined) throw new Error(`all ${SERVERS_MAX} servers of the shared stack are taken`);
    return name;
  },
});

/** Two actor hosts, since a message that finds the wrong one must not matter to any test. */
export const SHARED_OPTIONS = {
  actorHosts: 2,
  gatewayProcess: true,
  env: { BERTH_LEASE_TTL_MS: "5000", BERTH_TRUSTED_PROXIES: "127.0.0.1,::1" },
  servers: Array.from({ length: SERVERS_MAX }, (_, number) => `shared-${number}`),
};
