import { expect, test } from "bun:test";
import { openSql } from "../../actors/platform/db/sql.ts";
import { startOwnPostgres } from "../harness/servers.ts";
import { startStack } from "../harness/stack.ts";
import { standStill } from "../harness/stand-still.ts";
import { until } from "../harness/until.ts";

/** With a PostgreSQL or NATS that stood still, without being away, `/health/ready` did not say which it was. */

test("a server that stands still is named while it stands still, and is up again when it goes on", async () => {
  const postgres = await startOwnPostgres();
  const sql = openSql(postgres.url, { max: 1, name: "test" });
  const stack = await startStack({ databaseUrl: postgres.url });
  const ready = () =>
    // Without a limit of its own the answer would come when the server goes on.
    fetch(`${stack.url}/health/ready`, { signal: AbortSignal.timeout(60_000) }).then(async (response) => {
      const { data } = (await response.json()) as { data: Record<string, string> };
      return { status: response.status, data };
    });
  const isUp = async () => (await ready()).status === 200;
  await until(isUp);
  const backends = (
    await sql<{ pid: number }[]>`SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()`
  ).map(({ pid }) => pid);
  const stopped = [postgres.pid, ...backends];
  await standStill(...stopped);
  try {
    expect(await ready()).toEqual({ status: 503, data: { postgres: "down", nats: "up" } });
  } finally {
    for (const pid of stopped) process.kill(pid, "SIGCONT");
  }
  await until(isUp);

  await standStill(stack.nats.pid);
  try {
    expect(await ready()).toEqual({ status: 503, data: { postgres: "up", nats: "down" } });
  } finally {
    process.kill(stack.nats.pid, "SIGCONT");
  }
  await until(isUp);

  await sql.end();
  await stack.stop();
  await postgres.stop();
});
