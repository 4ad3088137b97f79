import { expect, test } from "bun:test";
import pino from "pino";
import { Publisher } from "../../../actors/runtime/outbox/publisher.ts";
import type { Clock, OutboxRow } from "../../../actors/runtime/ports.ts";

/** A clock that stands still until a test lets it go on. */
class ManualClock implements Clock {
  #nowMs = 0;
  #waiting: { atMs: number; callback: () => void }[] = [];

  now = () => new Date(this.#nowMs);
  monotonicMs = () => this.#nowMs;
  soon = (callback: () => void) => queueMicrotask(callback);
  after(ms: number, callback: () => void) {
    const timer = { atMs: this.#nowMs + ms, callback };
    this.#waiting.push(timer);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== timer);
    };
  }

  async advance(ms: number): Promise<void> {
    this.#nowMs += ms;
    const due = this.#waiting.filter(({ atMs }) => atMs <= this.#nowMs);
    this.#waiting = this.#waiting.filter(({ atMs }) => atMs > this.#nowMs);
    for (const { callback } of due) callback();
    await settled();
  }
}

/** All that was begun without a timer has happened. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

const PARTITION = 7;

async function startPublisher() {
  const clock = new ManualClock();
  const delivered: number[][] = [];
  let seq = 0;
  const take = async (rows: readonly OutboxRow[]) => void delivered.push(rows.map((row) => row.seq));
  const publisher = new Publisher({
    store: {
      effectsAfter: async () => [],
      saveProgress: async () => {},
      rewind: async () => {},
      sequences: async () => [],
    },
    clock,
    log: pino({ level: "silent" }),
    topics: { patient: take, urgent: take },
    patientTopics: new Set(["patient"]),
  });
  publisher.open(PARTITION, 1, 0, 0);
  await settled();
  const commit = async (...topics: string[]) => {
    publisher.add(
      topics.map((topic) => ({ partition: PARTITION, seq: ++seq, topic, body: {}, origin: null })),
    );
    await settled();
  };
  // What the partition was opened with leaves at once.
  await commit("patient");
  await clock.advance(1_000);
  delivered.splice(0);
  return { clock, commit, delivered };
}

test("the first effect after a pause leaves at once, and those that may wait follow together", async () => {
  const { clock, commit, delivered } = await startPublisher();
  await commit("patient");
  expect(delivered).toEqual([[2]]);
  await commit("patient");
  await commit("patient", "patient");
  expect(delivered).toEqual([[2]]);
  await clock.advance(1_000);
  expect(delivered).toEqual([[2], [3, 4, 5]]);
});

test("an effect that may not wait leaves at once, after those before it", async () => {
  const { commit, delivered } = await startPublisher();
  await commit("patient");
  await commit("patient");
  await commit("urgent");
  expect(delivered).toEqual([[2], [3], [4]]);
});

test("many waiting effects do not wait for more", async () => {
  const { commit, delivered } = await startPublisher();
  await commit("patient");
  await commit(...Array.from({ length: 1_000 }, () => "patient"));
  expect(delivered.flat().length).toBeGreaterThan(100);
});
