import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSql } from "../../actors/platform/db/sql.ts";
import { growCluster } from "../../scripts/grow-cluster.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../harness/embedded-stack.ts";
import { until } from "../harness/until.ts";

let stack: EmbeddedStack;
beforeAll(async () => {
  stack = await startEmbeddedStack();
});
afterAll(() => stack.stop());

const grow = async (partitions: string, lines: string[] = []) =>
  growCluster({ DATABASE_URL: stack.databaseUrl }, (line) => lines.push(line), [partitions]);

test("they do not grow beside a gateway that does not say its version: it may know of 64 alone", async () => {
  const earlier = openSql(stack.databaseUrls.gateway, { max: 1, name: "berth-gateway" });
  await earlier`SELECT 1`;
  await expect(grow("128")).rejects.toThrow(
    "PARTITIONS: a gateway of an earlier version runs: replace all gateways first",
  );
  await earlier.end();
  await until(async () => {
    const sessions = await stack.db`SELECT FROM pg_stat_activity WHERE application_name = 'berth-gateway'`;
    return sessions.length === 0;
  });
});

test("the partitions of a running cluster grow, its users notice nothing, and operators see them", async () => {
  const user = await stack.user({ balance: "10" });
  const lines: string[] = [];
  const growing = grow("128", lines);
  for (let n = 1; n <= 20; n++) {
    const body = { amount: "0.20", idempotency_key: `while-it-grows-${n}` };
    const { status } = await stack.call("POST", "/api/v1/wallet/transfers", { token: user.token, body });
    expect(status).toBe(200);
  }
  expect(await growing).toBe(true);
  expect(lines.at(-1)).toBe("128 of 128 partitions are there");
  const { body } = await stack.call("GET", "/api/v1/wallet/balances/general", { token: user.token });
  expect(body.data.general_balance).toBe("6.00");
  const admin = await stack.user({ role: "admin" });
  const cluster = await stack.call("GET", "/api/v1/admin/cluster", { token: admin.token });
  expect(cluster.body.data.partitions.map((one: { partition: number }) => one.partition)).toEqual(
    Array.from({ length: 128 }, (_, partition) => partition),
  );
});

test.each([
  ["a hundred", "PARTITIONS: give a whole number, such as 128"],
  ["", "PARTITIONS: give a whole number, such as 128"],
  ["-64", "PARTITIONS: give a whole number, such as 128"],
  ["64", "PARTITIONS: give a multiple of 128 up to 1024, such as 256"],
  ["200", "PARTITIONS: give a multiple of 128 up to 1024, such as 256"],
  ["2048", "PARTITIONS: give a multiple of 128 up to 1024, such as 256"],
])("%p is refused with the reason", async (partitions, reason) => {
  await expect(grow(partitions)).rejects.toThrow(reason);
});
