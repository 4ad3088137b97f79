import { expect, test } from "bun:test";
import pino from "pino";
import { Registry } from "../../system/prometheus.ts";
import { ReconcilerRunner } from "../../system/reconciler.ts";
import { until } from "../harness/until.ts";

const setUp = () => {
  const lines: { reconciler?: string; msg: string }[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const registry = new Registry();
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
