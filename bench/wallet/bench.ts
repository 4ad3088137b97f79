import { newId } from "../../actors/platform/ids.ts";
import { SetupError } from "../../scripts/setup-error.ts";
import { startOwnPostgres } from "../../test/harness/servers.ts";
import type { Report, RunOptions, Series } from "../benchmark.ts";
import { installPeers, ofPeers } from "../peers.ts";
import { type Peer, preparePeer, startBerth, TRANSFER_PEERS } from "./contenders.ts";
import { findFaults, readDurability } from "./queries.ts";
import { measureSeries, type Setting } from "./series.ts";
import { issueTokens } from "./tokens.ts";

/** Tokens live for 15 minutes; those of a series are made when it begins. */
const SERIES_SECONDS_MAX = 12 * 60;
/** What a contender takes in a round besides its measurement, and what a series takes before its first one. */
const ROUND_OVERHEAD_S = 3;
const SERIES_OVERHEAD_S = 90;

/** Durable transfers over HTTP, spread over so many wallets, by Berth and by its peers. */
export async function benchTransfers(
  wallets: number,
  settings: readonly Setting[],
  options: RunOptions,
): Promise<Report> {
  const seconds =
    options.rounds * (TRANSFER_PEERS.length + 1) * (options.seconds + ROUND_OVERHEAD_S) + SERIES_OVERHEAD_S;
  if (seconds > SERIES_SECONDS_MAX)
    throw new SetupError("the tokens would expire: give fewer rounds or seconds");

  options.say("installing the peers");
  const peerVersions = await installPeers();
  options.say(`starting PostgreSQL and the contenders, ${wallets} wallets each`);
  const server = await startOwnPostgres({ durable: true });
  const userIds = Array.from({ length: wallets }, newId);
  const berth = await startBerth(server, userIds);
  const peers: Peer[] = [];
  for (const way of TRANSFER_PEERS) peers.push(await preparePeer(server, way, userIds, berth.signingKeyFile));
  const { version, isDurable } = await readDurability(berth.db);
  if (!isDurable) throw new Error("PostgreSQL is not durable");

  const series: Series[] = [];
  for (const setting of settings) {
    const tokens = await issueTokens(berth.signingKeyFile, userIds);
    series.push(await measureSeries({ server, berth, peers, tokens }, setting, options));
  }

  for (const contender of [berth, ...(await Promise.all(peers.map((peer) => peer.start(1))))]) {
    const faults = Object.entries(await findFaults(contender.db)).filter(([, count]) => count > 0);
    if (faults.length > 0) throw new Error(`${contender.name} left faults: ${JSON.stringify(faults)}`);
    await contender.stop();
  }
  for (const peer of peers) await peer.end();
  await server.stop();

  return {
    method: [
      "One request: `POST /api/v1/wallet/transfers` with an access token and, where it says keyed, a fresh `Idempotency-Key`; 5% fee.",
      "Every contender writes the same rows: wallet, transaction, two movements, receipt, event, outbox row, with the same columns and indexes (Berth's migrations, a database each on one PostgreSQL).",
      "Every database begins with 20,000 past transfers and gathered statistics, so that nobody's statements are planned for empty tables.",
      "fsync, synchronous_commit and full_page_writes are on. Berth also publishes its outbox to JetStream; the peers do not.",
      "The peers check the same tokens with the same cache and the same TypeBox schema, and have no request ids, metrics or error envelopes.",
      `A B C A B C: ${options.rounds} rounds, each contender ${options.seconds} s after a checkpoint and a warm-up of 1 s; medians. Only one is under load at a time.`,
      "Before the first round every token was used once with everyone. Each client keeps one connection and one request under way; an answer other than 200 ends the run.",
      "After every load the transfers in the database were exactly the acknowledged ones; at the end every balance was the sum of its postings, and no receipt, event, movement or outbox row was missing.",
      "Latencies are medians of the rounds' quantiles.",
    ],
    series,
    versions: { PostgreSQL: version, ...ofPeers(peerVersions) },
  };
}
