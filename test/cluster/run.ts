import { PERMISSION_NAMES } from "../../schemas/permissions.ts";
import { check } from "../faults/checker.ts";
import { tenant } from "../gateway/routes/hosting/container/hosting.ts";
import type { TestUser } from "../harness/stack-client.ts";
import { until } from "../harness/until.ts";
import { BACK_WITHIN_MS, type Incident, playRound, type Round, type Target } from "./chaos.ts";
import { type Cluster, HOSTS, startCluster } from "./cluster.ts";
import { startTraffic } from "./traffic.ts";

export interface Run {
  readonly rounds: readonly Round[];
  /** What was lost, done twice, or not served in time; a line each. */
  readonly faults: readonly string[];
  readonly acknowledged: number;
  readonly minutes: number;
}

const USERS = 4;
const BALANCE = "100000";

/** Starts a cluster, lets one thing after the other happen to it under load, and compares every answer with what is left. */
export async function playChaos(
  rounds: (playedMs: number) => { target: Target; incident: Incident } | undefined,
  { pick, say }: { pick: <T>(from: readonly T[]) => T; say: (line: string) => void },
): Promise<Run> {
  const cluster = await startCluster();
  try {
    const users = await Promise.all(
      Array.from({ length: USERS }, async () =>
        withLastingToken(cluster, await cluster.client.user({ balance: BALANCE })),
      ),
    );
    const containers = await startContainers(cluster);
    const traffic = await startTraffic(cluster.gateways, users);
    const sinceMs = performance.now();
    const played: Round[] = [];
    const faults: string[] = [];
    for (let next = rounds(0); next !== undefined; next = rounds(performance.now() - sinceMs)) {
      const round = await playRound(cluster, traffic, { ...next, pick });
      played.push(round);
      say(
        `${round.incident} of ${round.machine} (${round.target}): reads away ${Math.round(round.reads)} ms, writes ${Math.round(round.writes)} ms`,
      );
      faults.push(...lateness(round));
    }
    const history = await traffic.stop();
    const minutes = (performance.now() - sinceMs) / 60_000;
    await containers.follow();
    const { client } = cluster;
    faults.push(...(await check({ db: client.db, nats: { url: client.natsUrl } }, users, history)));
    return { rounds: played, faults, acknowledged: traffic.acknowledged(), minutes };
  } finally {
    await cluster.close();
  }
}

export function lateness({ target, incident, machine, reads, writes }: Round): string[] {
  const limit = BACK_WITHIN_MS[target];
  return [
    ...(reads > limit.reads ? [`${incident} of ${machine}: no reads for ${Math.round(reads)} ms`] : []),
    ...(writes > limit.writes ? [`${incident} of ${machine}: no writes for ${Math.round(writes)} ms`] : []),
  ];
}

/** A session's token ends after a quarter of an hour, which is a run's time. */
async function withLastingToken({ client }: Cluster, user: TestUser): Promise<TestUser> {
  const body = { name: "chaos", permissions: PERMISSION_NAMES };
  const answer = await client.call("POST", "/api/v1/auth/tokens", { token: user.token, body });
  if (answer.status !== 201) throw new Error(`no token: ${JSON.stringify(answer.body)}`);
  return { ...user, token: answer.body.data.token };
}

/** A container on each host, which follow their desired state in the end, whatever happened meanwhile. */
async function startContainers(cluster: Cluster) {
  const { client } = cluster;
  const ours = await Promise.all(
    HOSTS.map(async (host) => {
      const { user, container } = await tenant(client, host);
      const path = `/api/v1/containers/${await container("web")}`;
      const { token } = await withLastingToken(cluster, user);
      return (method: string, action = "") => client.call(method, path + action, { token });
    }),
  );
  const reach = async (state: string) => {
    for (const ask of ours) await until(async () => (await ask("GET")).body.data.state === state);
  };
  await reach("running");
  return {
    async follow() {
      for (const [action, state] of [
        ["/stop", "stopped"],
        ["/start", "running"],
      ] as const) {
        for (const ask of ours) await until(async () => (await ask("POST", action)).status < 300);
        await reach(state);
      }
    },
  };
}
