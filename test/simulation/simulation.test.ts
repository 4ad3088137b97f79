import { expect, test } from "bun:test";
import type { Mutations } from "./database.ts";
import { play } from "./play.ts";

/** On machines that others share: many times what it takes on two cores of its own. */
const LIMIT_MS = 1_200_000;
const SEEDS = 2_000;
const PLAYED_AGAIN = 40;
/** Within so many seeds the simulation finds what was taken out. */
const BITES_WITHIN = 1_000;

let all: ReturnType<typeof play> | undefined;
const playAll = () => {
  all ??= play({ seeds: SEEDS });
  return all;
};

test(
  "clusters in trouble lose no money, no acknowledged operation, no order and no effect, and get well",
  async () => {
    const { played, failures } = await playAll();
    for (const { seed, violations } of failures) console.log(`simulation: seed ${seed}: ${violations[0]}`);
    expect(failures).toEqual([]);
    expect(played).toBe(SEEDS);
  },
  LIMIT_MS,
);

test(
  "a seed decides all that happens: played twice it leaves the same trace",
  async () => {
    const [first, again] = [await playAll(), await play({ seeds: PLAYED_AGAIN })];
    expect(again.traces.size).toBe(PLAYED_AGAIN);
    for (const [seed, trace] of again.traces) expect(first.traces.get(seed)).toBe(trace);
    expect(new Set(first.traces.values()).size).toBe(SEEDS);
  },
  LIMIT_MS,
);

/** Each with the seed at which the search begins: where it is found late, the one that found it last. */
const taken: readonly [part: string, mutations: Mutations, from?: number][] = [
  ["the fence", { fence: "off" }],
  ["the lock of the fence", { fence: "without a lock" }, 700],
  ["the receipt check", { receipts: "off" }],
  ["the output gate", { gate: "off" }],
  ["the token check of tasks", { takenOut: "token" }],
  ["what is left of an operation that was taken back", { takenOut: "tombstone" }],
  ["the reading of tasks at a takeover", { takenOut: "takeover" }],
  ["the removal of tasks in the commit of what they did", { removal: "later" }],
];

test.each(taken)(
  "without %s a promise is broken, and the simulation finds where",
  async (part, mutations, from = 1) => {
    const { failures } = await play({ from, seeds: BITES_WITHIN, mutations, stopAtFirst: true });
    const [first] = failures;
    console.log(`simulation: without ${part} seed ${first?.seed} fails: ${first?.violations[0]}`);
    expect(first).toBeDefined();
  },
  LIMIT_MS,
);
