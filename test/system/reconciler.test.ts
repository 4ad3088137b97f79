import { expect, test } from "bun:test";
import pino from "pino";
import { Registry } from "../../system/prometheus.ts";
import { ReconcilerRunner } from "../../system/reconciler.ts";
import { until } from "../harness/until.ts";

const logged = () => {
  const lines: { reconciler?: string; msg: string }[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { log, registry: new Registry(), lines };
};

const setUp = () => {
  const { log, registry, lines } = logged();
  return { runner: new ReconcilerRunner({ log, registry }), registry, lines };
};

test("a reconciler runs at once and again, one round at a time, and not after it was stopped", async () => {
  const { runner } = setUp();
  let rounds = 0;
  let inProgress = 0;
  runner.start({
    name: "pools",
    intervalMs: 1,
    async reconcile() {
      expect(++inProgress).toBe(1);
      await Bun.sleep(5);
      inProgress--;
      rounds++;
    },
  });
  expect(inProgress).toBe(1);
  await until(() => rounds >= 3);
  runner.stop();
  await until(() => inProgress === 0);
  const atEnd = rounds;
  const { runner: other } = setUp();
  let later = 0;
  other.start({ name: "later", intervalMs: 1, reconcile: () => void later++ });
  await until(() => later > 5);
  other.stop();
  expect(rounds).toBe(atEnd);
});

test("a reconciler that starts later waits for its interval", async () => {
  const { runner } = setUp();
  let rounds = 0;
  runner.start({ name: "disks", intervalMs: 1, startsLater: true, reconcile: () => void rounds++ });
  expect(rounds).toBe(0);
  await until(() => rounds > 0);
  runner.stop();
});

test("a failure is logged and counted, and the next round tries again", async () => {
  const { runner, registry, lines } = setUp();
  let rounds = 0;
  runner.start({
    name: "hosts",
    intervalMs: 1,
    reconcile() {
      if (++rounds <= 2) throw new Error("no database");
    },
  });
  await until(() => rounds >= 4);
  runner.stop();
  expect(lines.map(({ reconciler }) => reconciler)).toEqual(["hosts", "hosts"]);
  const metrics = await registry.metrics();
  expect(metrics).toContain('berth_reconciler_failures_total{reconciler="hosts"} 2');
  const [, at] =
    /berth_reconciler_last_success_timestamp_seconds\{reconciler="hosts"\} ([\d.]+)/.exec(metrics) ?? [];
  expect(Math.abs(Number(at) * 1_000 - Date.now())).toBeLessThan(60_000);
});

test("a round that is in progress at the stop sees the signal, and its failure is not reported", async () => {
  const { runner, registry, lines } = setUp();
  let ended = false;
  runner.start({
    name: "events",
    intervalMs: 1,
    async reconcile(signal) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      ended = true;
      throw new Error("the connection is closed");
    },
  });
  runner.stop();
  await until(() => ended);
  await Promise.resolve();
  expect(lines).toEqual([]);
  const metrics = await registry.metrics();
  expect(metrics).toContain('berth_reconciler_failures_total{reconciler="events"} 0');
  // One that never succeeded still has a time from which an alert can count.
  expect(metrics).toMatch(/^berth_reconciler_start_timestamp_seconds\{reconciler="events"\} [\d.]+$/m);
  expect(metrics).not.toMatch(/^berth_reconciler_last_success_timestamp_seconds\{/m);
});

const NEVER_MS = 1_000_000;

test("a reconciler runs when the common look finds work for it, and not while there is none", async () => {
  const { log, registry } = logged();
  const found = new Set<string>();
  let looks = 0;
  const find = async () => {
    looks++;
    return new Set(found);
  };
  const runner = new ReconcilerRunner({ log, registry, look: { intervalMs: 1, find } });
  const rounds = { rentals: 0, pools: 0 };
  const counting = (name: keyof typeof rounds) => ({
    ...{ name, intervalMs: 1, backstopMs: NEVER_MS },
    reconcile: () => void rounds[name]++,
  });
  runner.start(counting("rentals"), counting("pools"));
  expect(rounds).toEqual({ rentals: 1, pools: 1 });
  await until(() => looks > 10);
  expect(rounds).toEqual({ rentals: 1, pools: 1 });
  // An alert counts from the last success: to have had no work is one.
  expect(await registry.metrics()).toContain('last_success_timestamp_seconds{reconciler="rentals"}');
  found.add("rentals");
  await until(() => rounds.rentals > 3);
  runner.stop();
  expect(rounds.pools).toBe(1);
});

test("the backstop heals work that the common look never finds", async () => {
  const { log } = logged();
  const runner = new ReconcilerRunner({ log, look: { intervalMs: 1, find: async () => new Set() } });
  let rounds = 0;
  runner.start({ name: "pools", intervalMs: 1, backstopMs: 5, reconcile: () => void rounds++ });
  await until(() => rounds > 3);
  runner.stop();
});

test("while the common look fails, each reconciler looks by itself at its interval", async () => {
  const { log, lines } = logged();
  const find = () => Promise.reject(new Error("no database"));
  const runner = new ReconcilerRunner({ log, look: { intervalMs: 1, find } });
  const rounds = { soon: 0, late: 0 };
  runner.start(
    { name: "soon", intervalMs: 1, backstopMs: NEVER_MS, reconcile: () => void rounds.soon++ },
    { name: "late", intervalMs: NEVER_MS, backstopMs: NEVER_MS, reconcile: () => void rounds.late++ },
  );
  await until(() => rounds.soon > 3);
  runner.stop();
  expect(rounds.late).toBe(1);
  expect(lines[0]?.msg).toContain("the common look for work failed");
});

test("no round overlaps another of the same reconciler, however often the look finds work", async () => {
  const { log } = logged();
  let looks = 0;
  const find = async () => {
    looks++;
    return new Set(["slow"]);
  };
  const runner = new ReconcilerRunner({ log, look: { intervalMs: 1, find } });
  let rounds = 0;
  let end = () => {};
  const reconcile = () => {
    rounds++;
    return new Promise<void>((resolve) => {
      end = resolve;
    });
  };
  runner.start({ name: "slow", intervalMs: 1, backstopMs: 1, reconcile });
  await until(() => looks > 10);
  expect(rounds).toBe(1);
  end();
  await until(() => rounds === 2);
  runner.stop();
  end();
});
