import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Stack, startStack, type TestUser } from "../../harness/stack.ts";
import { until } from "../../harness/until.ts";
import { chargesOf, extend, inStock, rent, rented } from "./stock.ts";

let stack: Stack;
let user: TestUser;
let running: { readonly pid: number };
beforeAll(async () => {
  stack = await startStack();
  user = await stack.user({ balance: "1000.00" });
  running = stack.hosts[0] as { pid: number };
});
afterAll(() => stack.stop());

let started = 1;
/** Ends the only actor host at once, and starts another one. */
async function replaceHost(): Promise<void> {
  process.kill(running.pid, "SIGKILL");
  started += 1;
  running = await stack.startHost(`actors-${started}`);
}

/** Whether some commit waits for this table. */
const isHeldUp = async () => {
  const [row] = await stack.db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%commit_batch%'`;
  return (row?.count ?? 0) > 0;
};

/** While `work` runs, no commit can write to the table; it ends when the host has died and another one is there. */
async function dieBefore(table: string, work: () => Promise<unknown>): Promise<void> {
  const held = await stack.db.reserve();
  let under: Promise<unknown>;
  try {
    await held`BEGIN`;
    await held.unsafe(`LOCK TABLE ${table} IN SHARE MODE`);
    under = work();
    await until(isHeldUp);
    process.kill(running.pid, "SIGKILL");
    // What the dead host had sent to the database must not be done after all.
    await held`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%commit_batch%'`;
    await held`COMMIT`;
  } finally {
    held.release();
  }
  started += 1;
  running = await stack.startHost(`actors-${started}`);
  await under;
}

/** Asks under one key until there is an answer that tells how it ended. */
async function insist(ask: () => ReturnType<typeof rent>) {
  return until(async () => {
    const answer = await ask();
    return answer.status === 503 ? undefined : answer;
  });
}

describe("a rental whose actor host dies", () => {
  test.each(["wallets", "rentals"])(
    "before the commit to %s is made once, and paid for once",
    async (table) => {
      const server = await inStock(stack, `saga-${table}`);
      const before = (await chargesOf(stack, user)).length;
      let answer: Awaited<ReturnType<typeof rent>> | undefined;
      await dieBefore(table, async () => {
        answer = await insist(() =>
          rent(
            stack,
            user,
            server,
            { rental_days: 7, max_charge_cents: 700 },
            { "idempotency-key": `saga-${table}` },
          ),
        );
      });
      expect(answer?.status).toBe(201);
      expect(await chargesOf(stack, user)).toHaveLength(before + 1);
      const rentals = await stack.db`SELECT id FROM rentals WHERE server_id = ${server}`;
      expect(rentals.map(({ id }) => id)).toEqual([answer?.body.data.id]);
    },
  );

  test("before its extension is paid for is extended once", async () => {
    const { rental } = await rented(stack, user, "saga-extend");
    const before = (await chargesOf(stack, user)).length;
    const ask = { expected_rental_end: rental.rental_end, additional_days: 7 };
    await dieBefore("wallets", () => insist(() => extend(stack, user, rental.id, ask)));
    const end = async () => {
      const { body } = await stack.call("GET", `/api/v1/rentals/${rental.id}`, { token: user.token });
      return Date.parse(body.data.rental_end) - Date.parse(rental.rental_end);
    };
    await until(async () => (await end()) > 0);
    await replaceHost();
    expect(await end()).toBe(7 * 86_400_000);
    expect(await chargesOf(stack, user)).toHaveLength(before + 1);
    const again = await insist(() => extend(stack, user, rental.id, ask));
    expect(again.body.code).toBe("EXTENSION_ALREADY_APPLIED");
  });
});
