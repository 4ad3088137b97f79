import { describe, expect, test } from "bun:test";
import { type Costs, fitCost, fitCosts } from "../../bench/queueing/costs.ts";
import { Clock, Machine, Process } from "../../bench/queueing/simulation.ts";
import { type Installation, simulateTransfers } from "../../bench/queueing/transfers.ts";
import { Random } from "../simulation/random.ts";

const seededRandom = (seed: number) => {
  const random = new Random(seed);
  return () => random.next();
};
const nothing = { perCommit: 0, perTransfer: 0 };
const FREE: Costs = {
  gateway: nothing,
  "actor host": nothing,
  NATS: nothing,
  PostgreSQL: nothing,
  "load generator": nothing,
};
const ONE_OF_EACH: Installation = { machines: { postgres: 1 }, gateways: 1, hosts: 1, natsServers: 1 };
const within = (share: number, actual: number, expected: number) => {
  expect(actual).toBeGreaterThan(expected * (1 - share));
  expect(actual).toBeLessThan(expected * (1 + share));
};

describe("the queue of a process", () => {
  test("is as long as the formula for random arrivals and equal services says", () => {
    const random = seededRandom(1);
    const clock = new Clock();
    const process = new Process(clock, new Machine(1));
    const waits: number[] = [];
    const arrive = () => {
      const at = clock.nowMs;
      process.run(1, () => waits.push(clock.nowMs - at - 1));
      clock.after(-Math.log(1 - random()) / 0.7, arrive);
    };
    arrive();
    clock.runUntil(300_000);
    // Pollaczek and Khinchine: load / (2 (1 - load)) services.
    within(0.05, waits.reduce((sum, wait) => sum + wait, 0) / waits.length, 0.7 / (2 * 0.3));
    within(0.02, process.busyMs / 300_000, 0.7);
  });

  test("waits for a core where processes share one, and not where each has its own", () => {
    const ends = (machines: (clock: Clock) => Machine[]) => {
      const clock = new Clock();
      const done: number[] = [];
      for (const machine of machines(clock))
        new Process(clock, machine).run(10, () => done.push(clock.nowMs));
      clock.runUntil(100);
      return done;
    };
    const one = new Machine(1);
    expect(ends(() => [one, one])).toEqual([10, 20]);
    expect(ends(() => [new Machine(1), new Machine(1)])).toEqual([10, 10]);
    const two = new Machine(2);
    expect(ends(() => [two, two, two])).toEqual([10, 10, 20]);
  });
});

describe("transfers", () => {
  const options = () => ({ seconds: 20, random: seededRandom(2) });

  test("of clients that wait: as many in a commit as there are clients, one commit after the other", () => {
    const costs = { ...FREE, PostgreSQL: { perCommit: 2, perTransfer: 0.1 } };
    const outcome = simulateTransfers(ONE_OF_EACH, { clients: 30 }, { costs, waitMs: 1 }, options());
    // The first commit takes one, and the next ones all others and this one in turn: 30 in two commits.
    within(0.02, outcome.perSecond, (30 / (2 * (2 + 1) + 30 * 0.1)) * 1_000);
    expect(outcome.batch).toBeCloseTo(15, 0);
  });

  test("on a machine of their own are limited by the busiest process, and on a shared one by all of them", () => {
    const cost = { perCommit: 0, perTransfer: 0.1 };
    const costs = { ...FREE, gateway: cost, PostgreSQL: { perCommit: 0, perTransfer: 0.2 } };
    const load = { clients: 200 };
    const apart = simulateTransfers(ONE_OF_EACH, load, { costs, waitMs: 0 }, options());
    within(0.02, apart.perSecond, 5_000);
    expect(apart.busy.postgres).toBeGreaterThan(0.98);
    within(0.05, apart.busy.gateway, 0.5);
    const together = { ...ONE_OF_EACH, machines: { shared: 1 } };
    within(0.02, simulateTransfers(together, load, { costs, waitMs: 0 }, options()).perSecond, 1_000 / 0.3);
  });

  test("that come at random are answered as they come, until a process is full", () => {
    const costs = { ...FREE, "actor host": { perCommit: 1, perTransfer: 0.1 } };
    const at = (perSecond: number) =>
      simulateTransfers(ONE_OF_EACH, { perSecond }, { costs, waitMs: 0 }, options());
    const calm = at(100);
    within(0.06, calm.perSecond, 100);
    expect(calm.p50Ms).toBeCloseTo(1.1, 1);
    expect(calm.batch).toBeLessThan(1.2);
    const full = at(9_000);
    within(0.06, full.perSecond, 9_000);
    expect(full.batch).toBeGreaterThan(5);
    // No more can be handled than 1,000 / 0.1 a second.
    const over = at(11_000);
    expect(over.perSecond).toBeLessThan(10_000);
    expect(over.p50Ms).toBeGreaterThan(500);
  });

  test("have a second host beside the first, and twice the room", () => {
    const costs = { ...FREE, "actor host": { perCommit: 0, perTransfer: 1 } };
    const at = (hosts: number) =>
      simulateTransfers({ ...ONE_OF_EACH, hosts }, { clients: 400 }, { costs, waitMs: 0 }, options());
    within(0.03, at(2).perSecond / at(1).perSecond, 2);
  });
});

describe("costs", () => {
  test("are found from loads with commits of different sizes", () => {
    const cpuMs = (batch: number) => 0.08 + 0.9 / batch;
    const cost = fitCost([1, 4, 11, 40].map((batch) => ({ batch, cpuMs: cpuMs(batch) })));
    expect(cost.perTransfer).toBeCloseTo(0.08, 6);
    expect(cost.perCommit).toBeCloseTo(0.9, 6);
  });

  test("are never below zero", () => {
    const points = [
      { batch: 1, cpuMs: 0.1 },
      { batch: 10, cpuMs: 0.2 },
    ];
    expect(fitCost(points).perCommit).toBe(0);
    expect(fitCost(points).perTransfer).toBeGreaterThan(0.1);
  });

  test("are those of each part", () => {
    const samples = [1, 10].map((batch) => ({
      ...{ clients: batch, perSecond: 1, p50Ms: 1, batch, commitMs: 1, walBytes: 1 },
      cpuMsPerThousand: { gateway: 50, PostgreSQL: 100 + 500 / batch },
    }));
    const costs = fitCosts(samples);
    expect(costs.gateway.perTransfer).toBeCloseTo(0.05, 6);
    expect(costs.PostgreSQL.perCommit).toBeCloseTo(0.5, 6);
    expect(costs.NATS.perTransfer).toBe(0);
  });
});
