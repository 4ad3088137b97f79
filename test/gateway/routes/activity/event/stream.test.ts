import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect, type NatsConnection } from "nats";
import type { CommittedEvent } from "../../../../../schemas/events.ts";
import { EVENT_STREAM } from "../../../../../schemas/subjects.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../../../harness/embedded-stack.ts";
import { until } from "../../../../harness/until.ts";
import { tenant } from "../../hosting/container/hosting.ts";

type Streamed = CommittedEvent;

let stack: EmbeddedStack;
let connection: NatsConnection;
beforeAll(async () => {
  stack = await startEmbeddedStack({ actorHosts: 2 });
  const { host, username, password } = new URL(stack.nats.url);
  connection = await connect({ servers: host, user: username, pass: password });
});
afterAll(async () => {
  await connection.close();
  await stack.stop();
});

/** Everything in the stream, in its order; what came twice is dropped as a reader drops it. */
async function streamed(): Promise<Streamed[]> {
  const jetstream = connection.jetstream();
  const { state } = await (await jetstream.jetstreamManager()).streams.info(EVENT_STREAM);
  const stream = await jetstream.streams.get(EVENT_STREAM);
  const seen = new Set<string>();
  const events: Streamed[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
    const message = await stream.getMessage({ seq });
    for (const event of message.json<Streamed[]>()) {
      if (seen.has(event.id)) continue;
      seen.add(event.id);
      events.push(event);
    }
  }
  return events;
}

/** Waits until the stream has as many events as the log. */
const caughtUp = () =>
  until(
    async () => {
      const [row] = await stack.db`SELECT count(*)::int AS n FROM events`;
      const events = await streamed();
      return events.length >= row?.n && events;
    },
    { everyMs: 200 },
  );

async function activity() {
  const ours = await Promise.all([1, 2, 3, 4].map(() => tenant(stack, `node-${crypto.randomUUID()}`)));
  await Promise.all(
    ours.map(async ({ user, token, container, call }) => {
      await stack.actors.wallet(user.id).credit({ amount: "9", reason: "test", idempotency_key: "k" });
      const id = await container("app");
      await Promise.all([
        ...Array.from({ length: 10 }, () =>
          stack.call("POST", "/api/v1/wallet/transfers", { token, body: { amount: "0.5" } }),
        ),
        ...Array.from({ length: 10 }, () => call("POST", `/${id}/restart`)),
      ]);
    }),
  );
}

test("every event of the log arrives on the stream, once and as it was", async () => {
  await activity();
  const events = await caughtUp();
  const rows = await stack.db`SELECT * FROM events ORDER BY id`;
  const logged = rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  const told = events
    .map(({ partition: _partition, seq: _seq, audience: _audience, ...event }) => event)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  expect(told).toEqual(logged as never);
});

test("numbers of a partition have no gap: those on the stream are the events of the outbox, in their order", async () => {
  await activity();
  const events = await caughtUp();
  const outbox = await stack.db<{ partition: number; seq: bigint; topic: string }[]>`
    SELECT partition, seq, topic FROM outbox ORDER BY partition, seq`;
  for (const [partition, rows] of Map.groupBy(outbox, (row) => row.partition)) {
    expect(rows.map(({ seq }) => Number(seq))).toEqual(rows.map((_, i) => i + 1));
    const expected = rows.filter(({ topic }) => topic === "event").map(({ seq }) => Number(seq));
    const arrived = events.filter((event) => event.partition === partition).map(({ seq }) => seq);
    expect(arrived).toEqual(expected);
  }
});

test("what happened to one thing arrives in the order in which it happened", async () => {
  const user = await stack.user({ balance: "5" });
  for (let i = 1; i <= 5; i++) {
    await stack.call("POST", "/api/v1/wallet/transfers", { token: user.token, body: { amount: `0.0${i}` } });
  }
  const own = (await caughtUp()).filter(
    (event) => event.user_id === user.id && event.event_type.includes("transferred"),
  );
  expect(own.map(({ data }) => data.gross)).toEqual(["0.01", "0.02", "0.03", "0.04", "0.05"]);
  expect(new Set(own.map(({ partition }) => partition)).size).toBe(1);
});

test("a stream that was lost is made again, with everything that the outbox still holds", async () => {
  await activity();
  await caughtUp();
  const manager = await connection.jetstreamManager();
  expect(await manager.streams.delete(EVENT_STREAM)).toBe(true);
  // Any event will do: whoever finds the stream gone tells the others.
  const user = await stack.user({ balance: "1" });
  const events = await caughtUp();
  const [row] = await stack.db`SELECT count(*)::int AS n FROM events`;
  expect(new Set(events.map(({ id }) => id)).size).toBe(row?.n);
  expect(events.some((event) => event.user_id === user.id)).toBe(true);
});

test("who has only an agent's credentials cannot listen", async () => {
  const { host } = new URL(stack.nats.url);
  const stranger = connect({ servers: host, user: "agent-node-1", pass: "guess" });
  await expect(stranger).rejects.toThrow(/authorization/i);
});
