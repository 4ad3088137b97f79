import { join } from "node:path";
import type { Container } from "../../schemas/hosting/container.ts";
import { type AgentOptions, cleanUp, recordOf, startAgent } from "../../test/agents/agent-process.ts";
import { tenant } from "../../test/gateway/routes/hosting/container/hosting.ts";
import { temporaryFolder } from "../../test/harness/servers.ts";
import { type Stack, startStack } from "../../test/harness/stack.ts";
import { until } from "../../test/harness/until.ts";

const SERVER = "node-1";
/** Room for the containers of a full host; not the network of a demo, nor of the tests. */
const SUBNET = "10.81.0.0/16";
const ALL_MS_MAX = 10 * 60_000;
const LOOK_EVERY_MS = 100;
/** A full host is filled by one tenant. */
const QUOTAS = { BERTH_QUOTA_CONTAINERS_PER_USER: "1000", BERTH_QUOTA_CONTAINERS_PER_PROJECT: "1000" };
/** Of a single container, whose start is timed. */
const STATE_EVERY_MS = 5;
/** Requests that a bench has under way at once while it sets its stage. */
const AT_ONCE = 16;

/** A whole control plane and a real host under it. */
export interface BenchHost {
  readonly stack: Stack;
  /** Adds containers until there are so many, and waits until all of them run. */
  fill(count: number): Promise<void>;
  readonly containers: readonly string[];
  /** The agent's folder. */
  readonly data: string;
  /** Makes a container and waits until its record says that it runs. @returns its id, and the time from before the request, in milliseconds */
  start(name: string, fields: object): Promise<{ readonly id: string; readonly ms: number }>;
  /** Waits until a container is in this state. */
  awaitState(id: string, state: Container["state"]): Promise<void>;
  /** A request about a container, by the one whose they are. */
  call(method: string, path: string, body?: unknown): ReturnType<Stack["call"]>;
  address(container: string): string;
  /** The process of a container's init. */
  init(container: string): number;
  /** Ends the agent without a warning, and starts the next. @returns how long until that one was ready, in milliseconds */
  restartAgent(): Promise<number>;
  stop(): Promise<void>;
}

export async function startBenchHost(databaseUrl: string): Promise<BenchHost> {
  const stack = await startStack({ databaseUrl, servers: [SERVER], gatewayProcess: true, env: QUOTAS });
  const options: AgentOptions = {
    natsUrl: stack.nats.agentUrl(SERVER),
    server: SERVER,
    data: join(temporaryFolder(), "agent"),
    driver: "oci",
    subnet: SUBNET,
    atEnd: "stop",
  };
  const owner = await tenant(stack, SERVER);
  let agent = startAgent(options);
  await agent.ready();
  const containers: string[] = [];
  const record = (id: string) => {
    const found = recordOf(options.data, id);
    if (found?.init == null) throw new Error(`${id} does not run`);
    return { address: found.address, pid: found.init.pid };
  };

  const awaitState = (id: string, state: Container["state"]) =>
    until(async () => (await owner.call("GET", `/${id}`)).body.data.state === state, {
      timeoutMs: ALL_MS_MAX,
      everyMs: STATE_EVERY_MS,
    }).then(() => undefined);

  return {
    stack,
    containers,
    data: options.data,
    awaitState,
    async start(name, fields) {
      const fromMs = performance.now();
      const { status, body } = await owner.create(name, fields);
      if (status !== 201) throw new Error(`${name} was not made: ${JSON.stringify(body)}`);
      const id: string = body.data.id;
      await awaitState(id, "running");
      const ms = performance.now() - fromMs;
      containers.push(id);
      return { id, ms };
    },
    call: owner.call,
    address: (id) => record(id).address,
    init: (id) => record(id).pid,
    async fill(count) {
      const names = Array.from({ length: count - containers.length }, (_, i) => `c${containers.length + i}`);
      await eachOf(names, async (name) => {
        containers.push(await owner.container(name));
      });
      const isUp = async () => {
        const { body } = await owner.call("GET", "");
        return body.data.containers.every(({ state }: Container) => state === "running");
      };
      await until(isUp, { timeoutMs: ALL_MS_MAX, everyMs: LOOK_EVERY_MS });
    },
    async restartAgent() {
      await agent.kill();
      const fromMs = performance.now();
      agent = startAgent(options);
      const { lines } = agent;
      await until(() => lines.some((line) => line.msg === "ready"), { timeoutMs: ALL_MS_MAX });
      return performance.now() - fromMs;
    },
    async stop() {
      await agent.stop();
      await cleanUp(options);
      await stack.stop();
    },
  };
}

/** Does something for each, a few at a time. */
export async function eachOf<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const waiting = [...all];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(one);
    }),
  );
}
