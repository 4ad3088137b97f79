import { afterAll, beforeAll, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { AckPolicy } from "nats";
import { consume, consumeStream } from "../../../actors/runtime/transport/consume.ts";
import { type NatsBus, natsBus } from "../../../actors/runtime/transport/nats-bus.ts";
import { jsonOf } from "../../../schemas/received.ts";
import { nats, type TestNats } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";

/** What a process does with messages that it cannot take, on a real nats-server. */

const read = jsonOf(Type.Object({ n: Type.Integer() }), 1_000);
let server: TestNats;
let bus: NatsBus;
beforeAll(async () => {
  server = await nats();
  bus = await natsBus(server.url, "test");
});
afterAll(async () => {
  await bus.close();
  await server.stop();
});

test("garbage and handlers that throw are counted, and the messages after them are taken", async () => {
  const taken: number[] = [];
  const end = consume(bus, "cluster.test", {
    kind: "test",
    read,
    handle({ n }) {
      if (n === 1) throw new Error("a fault");
      if (n === 2) return Promise.reject(new Error("a later fault"));
      taken.push(n);
      return undefined;
    },
  });
  await bus.connection.flush();
  for (const text of ["{", "", '{"n":"x"}', '{"n":1}', '{"n":2}', '{"n":3}'])
    bus.publish("cluster.test", text);
  await until(() => taken.length === 1);
  await until(() => bus.droppedCounts.get("test") === 5);
  expect(taken).toEqual([3]);
  // The connection is the one that it was: nothing ended the reading of it.
  await bus.ping(1_000);
  expect(bus.connection.stats().inMsgs).toBeGreaterThan(0);
  end();
});

test("a message of a stream that cannot be read is terminated, and one whose handler fails comes again", async () => {
  const manager = await bus.connection.jetstreamManager();
  await manager.streams.add({ name: "TEST", subjects: ["evt.test"] });
  await manager.consumers.add("TEST", {
    durable_name: "one",
    ack_policy: AckPolicy.Explicit,
    max_deliver: 5,
  });
  const consumer = await bus.jetstream.consumers.get("TEST", "one");
  const taken: number[] = [];
  const tries = new Map<number, number>();
  const stopping = new AbortController();
  const reader = {
    kind: "test-stream",
    read,
    inFlightMax: 4,
    async handle({ n }: { n: number }) {
      tries.set(n, (tries.get(n) ?? 0) + 1);
      if (n === 1 && tries.get(n) === 1) throw new Error("not now");
      taken.push(n);
    },
  };
  const running = consumeStream(bus, consumer, reader, stopping.signal);
  for (let n = 0; n < 20; n++) await bus.jetstream.publish("evt.test", "poison");
  for (const n of [1, 2]) await bus.jetstream.publish("evt.test", JSON.stringify({ n }));
  await until(() => taken.length === 2);
  expect(taken).toEqual([2, 1]);
  const state = await until(async () => {
    const info = await consumer.info();
    return info.num_ack_pending === 0 && info;
  });
  expect(state.num_pending).toBe(0);
  expect(bus.droppedCounts.get("test-stream")).toBe(21);
  stopping.abort();
  await running;
});
