import { newId } from "../actors/platform/ids.ts";
import { startOwnPostgres } from "../test/harness/servers.ts";
import type { Benchmark, Measurement, Report, RunOptions, Series } from "./benchmark.ts";
import type { LoadPlan } from "./load/plan.ts";
import { installPeers, ofPeers } from "./peers.ts";
import { bestPool, poolNote } from "./wallet/best-pool.ts";
import { type Contender, preparePeer, startBerth } from "./wallet/contenders.ts";
import { measureLoad, WARMUP_MS } from "./wallet/measure.ts";
import { readDurability } from "./wallet/queries.ts";
import { issueTokens } from "./wallet/tokens.ts";

const USERS = 10_000;
const CLIENTS = 64;
const PATH = "/api/v1/wallet/balances/general";

/** What the gateway itself costs: a read by one query, with nothing but the framework beside it. */
export const gatewayRead: Benchmark = {
  summary: "A user's balance over HTTP, read by one query",
  async run(options: RunOptions): Promise<Report> {
    options.say("installing the peer");
    const peerVersions = await installPeers();
    const server = await startOwnPostgres({ durable: true });
    const userIds = Array.from({ length: USERS }, newId);
    const berth = await startBerth(server, userIds);
    const peer = await preparePeer(server, "read", userIds, berth.signingKeyFile);
    const { version } = await readDurability(berth.db);
    const plan = {
      path: PATH,
      body: null,
      clients: CLIENTS,
      hasClientKey: false,
      tokens: await issueTokens(berth.signingKeyFile, userIds),
    };
    const measure = async (one: Contender, load: Omit<LoadPlan, "port">) =>
      (await measureLoad(server, one, load)).measurement;
    const pool = await bestPool(peer, plan, measure, options.say);
    const other = await peer.start(pool);
    await mustAnswerAlike(berth, other, plan.tokens[0] ?? "");
    const series = await race(berth, { contender: other, pool }, plan, measure, options);
    for (const one of [berth, other]) await one.stop();
    await peer.end();
    await server.stop();
    return {
      method: [
        `One request: \`GET ${PATH}\` with an access token of one of ${USERS.toLocaleString("en")} users at random; ${CLIENTS} clients, each with one connection and one request under way.`,
        "The peer checks the same tokens with the same cache, sends the same query, and answers with the same body; it has no request ids, metrics, permissions, rate limits or error envelopes.",
        `A B A B: ${options.rounds} rounds, each contender ${options.seconds} s after a warm-up of 1 s; medians. Only one is under load at a time; an answer other than 200 ends the run.`,
        "Before the first round every token was used once with both.",
      ],
      series: [series],
      versions: { PostgreSQL: version, ...ofPeers(peerVersions) },
    };
  },
};

async function race(
  berth: Contender,
  { contender, pool }: { contender: Contender; pool: number },
  plan: Omit<LoadPlan, "port" | "until">,
  measure: (one: Contender, load: Omit<LoadPlan, "port">) => Promise<Measurement>,
  { rounds, seconds, say }: RunOptions,
): Promise<Series> {
  const own: Measurement[] = [];
  const others: Measurement[] = [];
  for (const one of [berth, contender]) await measure(one, { ...plan, until: "each token once" });
  const until = { warmupMs: WARMUP_MS, measureMs: seconds * 1000 };
  for (let round = 1; round <= rounds; round++) {
    own.push(await measure(berth, { ...plan, until }));
    others.push(await measure(contender, { ...plan, until }));
    say(
      `round ${round}: Berth ${own.at(-1)?.perSecond.toFixed(0)} · Elysia ${others.at(-1)?.perSecond.toFixed(0)}`,
    );
  }
  return {
    title: `${USERS.toLocaleString("en")} users, ${CLIENTS} clients`,
    columns: [
      { name: berth.name, rounds: own },
      { name: contender.name, note: poolNote(pool), rounds: others },
    ],
    notes: [],
  };
}

/** @throws Error when the peer does other work: then a ratio would say nothing. */
async function mustAnswerAlike(one: Contender, other: Contender, token: string): Promise<void> {
  const read = async ({ port }: Contender) => {
    const headers = { Authorization: `Bearer ${token}` };
    const reply = await fetch(`http://127.0.0.1:${port}${PATH}`, { headers });
    const { data } = (await reply.json()) as { data: { general_balance: string } };
    return data.general_balance;
  };
  const balances = [await read(one), await read(other)];
  if (balances[0] === undefined || balances[0] !== balances[1])
    throw new Error(`the contenders answer differently: ${balances.join(" and ")}`);
}
