import { beforeEach, describe, expect, test } from "bun:test";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import type { UsageCounters } from "../../../agents/containers/usage.ts";
import { UsageSampler } from "../../../agents/control-plane/usage-history/sampler.ts";
import {
  HOST,
  UsageHistory,
  type UsageSample,
} from "../../../agents/control-plane/usage-history/usage-history.ts";
import { temporaryFolder } from "../../harness/servers.ts";

const [ONE, TWO] = ["1".repeat(24), "2".repeat(24)];
/** A whole day. */
const START = 1_800_000_000 - (1_800_000_000 % 86_400);
const silent = pino({ level: "silent" });

let folder: string;
let history: UsageHistory;
beforeEach(() => {
  folder = temporaryFolder();
  history = new UsageHistory(folder, silent);
});

const sample = (fields: Partial<UsageSample> = {}): UsageSample => ({
  cpuPercent: null,
  memoryBytes: null,
  diskBytes: null,
  receivedBytesPerSecond: null,
  sentBytesPerSecond: null,
  ...fields,
});
const cpuOf = (from: number, to: number, step: number, container_ids: string[] | null = [ONE ?? ""]) =>
  history.read({ container_ids, from, to, step }).cpu_percent;

describe("the history of usage", () => {
  test("has a value for each step: the mean of its samples, and null where there are none", () => {
    history.record(START, new Map([[ONE, sample({ cpuPercent: 10, memoryBytes: 100 })]]));
    history.record(START + 10, new Map([[ONE, sample({ cpuPercent: 30, memoryBytes: 100 })]]));
    history.record(START + 30, new Map([[ONE, sample({ cpuPercent: 5.555, diskBytes: 7 })]]));
    expect(cpuOf(START, START + 50, 10)).toEqual([10, 30, null, 5.56, null]);
    expect(cpuOf(START, START + 60, 20)).toEqual([20, 5.56, null]);
    const { memory_bytes, disk_bytes } = history.read({
      container_ids: [ONE],
      from: START,
      to: START + 40,
      step: 20,
    });
    expect([memory_bytes, disk_bytes]).toEqual([
      [100, null],
      [null, 7],
    ]);
  });

  test("of several containers is their sum, and of the host its own", () => {
    const samples = new Map([
      [ONE, sample({ cpuPercent: 10 })],
      [TWO, sample({ cpuPercent: 5 })],
      [HOST, sample({ cpuPercent: 90 })],
    ]);
    history.record(START, samples);
    history.record(START + 10, new Map([[TWO, sample({ cpuPercent: 7 })]]));
    expect(cpuOf(START, START + 20, 10, [ONE, TWO])).toEqual([15, 7]);
    expect(cpuOf(START, START + 20, 20, [ONE, TWO])).toEqual([16]);
    expect(cpuOf(START, START + 10, 10, null)).toEqual([90]);
    expect(cpuOf(START, START + 10, 10, ["3".repeat(24)])).toEqual([null]);
  });

  test("keeps samples for a day and means of five minutes for a month, also across restarts", () => {
    const DAY = 86_400;
    const write = (at: number, cpuPercent: number) =>
      history.record(at, new Map([[ONE, sample({ cpuPercent })]]));
    write(START + 10, 10);
    write(START + 290, 30);
    write(START + 300, 50);
    history.maintain(START + 600);
    expect(cpuOf(START, START + 600, 300)).toEqual([20, 50]);
    // The last minutes are not whole: their samples count with the means of before, each with its weight.
    write(START + 610, 90);
    expect(cpuOf(START, START + 900, 900)).toEqual([45]);

    history.close();
    history = new UsageHistory(folder, silent);
    history.maintain(START + 2 * DAY);
    expect(cpuOf(START, START + 600, 10).every((value) => value === null)).toBe(true);
    expect(cpuOf(START, START + 900, 300)).toEqual([20, 50, 90]);
    history.maintain(START + 32 * DAY);
    expect(cpuOf(START, START + 900, 300)).toEqual([null, null, null]);
    expect(statSync(join(folder, "usage.sqlite")).size).toBeLessThan(1_000_000);
  });

  test("keeps its means as long as the operator has set", () => {
    history.close();
    history = new UsageHistory(folder, silent, 2 * 86_400);
    history.record(START, new Map([[ONE, sample({ cpuPercent: 10 })]]));
    history.maintain(START + 2 * 86_400);
    expect(cpuOf(START, START + 300, 300)).toEqual([10]);
    history.maintain(START + 2 * 86_400 + 300);
    expect(cpuOf(START, START + 300, 300)).toEqual([null]);
  });

  test("begins again when its file is damaged, and says so", () => {
    history.record(START, new Map([[ONE, sample({ cpuPercent: 10 })]]));
    history.close();
    writeFileSync(join(folder, "usage.sqlite"), "no database".repeat(1_000));
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => lines.push(line) });
    history = new UsageHistory(folder, log);
    expect(lines.join()).toContain("the history of usage is damaged: it begins again, empty");
    history.record(START, new Map([[ONE, sample({ cpuPercent: 20 })]]));
    expect(cpuOf(START, START + 10, 10)).toEqual([20]);
  });
});

describe("the sampler", () => {
  const counters = (fields: Partial<UsageCounters>): UsageCounters => ({
    cpuMicros: null,
    memoryBytes: null,
    diskBytes: null,
    receivedBytes: null,
    sentBytes: null,
    ...fields,
  });

  test("measures what grew between two looks, also where they begin again, and nothing across a pause", async () => {
    let now = START * 1_000;
    let measured: UsageCounters | null = null;
    const measure = async () => new Map(measured === null ? [] : [[ONE ?? "", measured]]);
    const sampler = new UsageSampler(history, measure, silent, () => now);
    const look = async (seconds: number, fields: Partial<UsageCounters> | null) => {
      now += seconds * 1_000;
      measured = fields === null ? null : counters(fields);
      await sampler.sample();
    };
    await look(0, { cpuMicros: 0, memoryBytes: 1, receivedBytes: 0 });
    await look(10, { cpuMicros: 15_000_000, memoryBytes: 2, receivedBytes: 5_000 });
    await look(10, { cpuMicros: 16_000_000, memoryBytes: 3, receivedBytes: 5_000 });
    await look(10, { cpuMicros: 1_000_000, memoryBytes: 4, receivedBytes: 0 });
    await look(10, null);
    await look(10, { cpuMicros: 2_000_000, memoryBytes: 5 });
    await look(300, { cpuMicros: 900_000, memoryBytes: 6 });
    const series = history.read({ container_ids: [ONE ?? ""], from: START, to: START + 60, step: 10 });
    expect(series.cpu_percent).toEqual([150, 10, 10, null, 20, null]);
    expect(series.memory_bytes).toEqual([2, 3, 4, null, 5, null]);
    expect(series.network_received_bytes_per_second).toEqual([500, 0, 0, null, null, null]);
    expect(cpuOf(START + 300, START + 360, 10)).toEqual([null, null, null, null, null, null]);
  });
});
