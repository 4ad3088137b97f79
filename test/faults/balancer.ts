import { type Answer, type CallOptions, callAt } from "../harness/stack-client.ts";

/** Sends requests to several gateways, as a load balancer in front of them does. */
export interface Balancer {
  /** Asks a gateway that says it is ready. One that takes no connection is left for the next. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Requests that had no answer, or one that says that Berth is at fault; a line each. */
  readonly failures: readonly string[];
  stop(): Promise<void>;
}

const PROBE_EVERY_MS = 100;
const PROBE_MS_MAX = 2_000;

/** Nothing was sent: the next gateway may be asked. */
const isRefused = (error: unknown) =>
  ["ConnectionRefused", "ECONNREFUSED"].includes((error as { code?: string }).code ?? "");

export async function startBalancer(gateways: readonly string[]): Promise<Balancer> {
  let ready: readonly string[] = [];
  let going = true;
  let turn = 0;
  const failures: string[] = [];

  const isReady = (url: string) =>
    fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(PROBE_MS_MAX) }).then(
      ({ ok }) => ok,
      () => false,
    );
  const probe = async () => {
    const found = await Promise.all(gateways.map(isReady));
    ready = gateways.filter((_, at) => found[at]);
  };
  await probe();
  const probing = (async () => {
    while (going) {
      await Bun.sleep(PROBE_EVERY_MS);
      await probe();
    }
  })();

  return {
    failures,
    async call(method, path, options) {
      turn += 1;
      const places = ready.length === 0 ? gateways : ready;
      const inTurn = places.map((_, at) => places[(turn + at) % places.length] as string);
      for (const url of inTurn) {
        try {
          const answer = await callAt(url, method, path, options);
          if (answer.status >= 500) failures.push(`${method} ${path} at ${url}: ${answer.status}`);
          return answer;
        } catch (error) {
          if (isRefused(error)) continue;
          failures.push(`${method} ${path} at ${url}: ${(error as Error).message}`);
          throw error;
        }
      }
      failures.push(`${method} ${path}: no gateway takes connections`);
      throw new Error("no gateway takes connections");
    },
    async stop() {
      going = false;
      await probing;
    },
  };
}
