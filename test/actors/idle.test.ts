import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSql, type Sql } from "../../actors/platform/db/sql.ts";
import { BACKSTOP_MS } from "../../actors/platform/due/due.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../harness/embedded-stack.ts";
import { until } from "../harness/until.ts";

/**
 * Transactions a second of an actor host and a gateway when nobody does anything: one common look, one renewal of the leases, and what looks
 * every few seconds, 2.4 in all, and the rounds that nobody asked for, some 40 every half a minute: 3.7. One more poll of a second makes it 4.7: give its
 * reconciler a condition for the common look instead (docs/decisions/0127-one-look-for-all-work.md).
 */
const TRANSACTIONS_PER_SECOND_MAX = 4.2;
/** Whenever it begins, it has each of those rounds once. PostgreSQL counts a transaction up to a second late. */
const WINDOW_MS = BACKSTOP_MS;

let stack: EmbeddedStack;
/** Of another database, so that the looks of this test do not count. */
let outside: Sql;
beforeAll(async () => {
  stack = await startEmbeddedStack();
  const url = new URL(stack.databaseUrl);
  url.pathname = "/postgres";
  outside = openSql(url.href, { max: 1, name: "test" });
});
afterAll(async () => {
  await outside.end();
  await stack.stop();
});

async function countTransactions(): Promise<number> {
  const [row] = await outside<{ count: bigint }[]>`
    SELECT xact_commit + xact_rollback AS count FROM pg_stat_database
    WHERE datname = ${new URL(stack.databaseUrl).pathname.slice(1)}`;
  return Number(row?.count);
}

test("an idle control plane asks PostgreSQL a few questions a second", async () => {
  const samples: { readonly atMs: number; readonly count: number }[] = [];
  const rates: number[] = [];
  // After a start it finishes what it has put off, which takes longer on a busy machine: one quiet window is enough.
  await until(
    async () => {
      const now = { atMs: performance.now(), count: await countTransactions() };
      samples.push(now);
      const first = samples.findLast(({ atMs }) => now.atMs - atMs >= WINDOW_MS);
      if (first === undefined) return false;
      rates.push((now.count - first.count) / ((now.atMs - first.atMs) / 1_000));
      return (rates.at(-1) as number) <= TRANSACTIONS_PER_SECOND_MAX;
    },
    { everyMs: 500, timeoutMs: 150_000 },
  ).catch((error) => {
    throw new Error(`it asked ${Math.min(...rates).toFixed(1)} a second at the least`, { cause: error });
  });
  // It was not merely dead: the common look goes on.
  expect(rates.at(-1)).toBeGreaterThan(0.5);
}, 200_000);
