import { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import {
  type HostMetricsRequest,
  METRICS_COARSE_SECONDS,
  METRICS_COARSE_STEP_SECONDS,
  METRICS_FINE_SECONDS,
  METRICS_POINTS_MAX,
  type MetricsSeries,
} from "../../../schemas/hosting/metrics.ts";
import * as sql from "./queries.ts";

/** The host itself among the subjects; no container has such an id. */
export const HOST = "host";

/** The mean of an interval; null where it is not known. */
export interface UsageSample {
  readonly cpuPercent: number | null;
  readonly memoryBytes: number | null;
  readonly diskBytes: number | null;
  readonly receivedBytesPerSecond: number | null;
  readonly sentBytesPerSecond: number | null;
}

interface PointRow {
  point: number;
  cpu: number | null;
  memory: number | null;
  disk: number | null;
  received: number | null;
  sent: number | null;
}

/**
 * What this host and its containers have used: a day of samples, and by default a month of their means. It is a record for people, and no
 * truth: a file that cannot be used is replaced by an empty one.
 */
export class UsageHistory {
  readonly #path: string;
  #db: Database;

  /** @param folder the agent's @param meansSeconds how long the means are kept */
  constructor(
    folder: string,
    private readonly log: Logger,
    private readonly meansSeconds = METRICS_COARSE_SECONDS,
  ) {
    this.#path = join(folder, "usage.sqlite");
    try {
      this.#db = this.#open();
    } catch (error) {
      this.#db = this.#renew(error);
    }
  }

  /** Adds the samples of one time, by subject. @param at seconds since the epoch */
  record(at: number, samples: ReadonlyMap<string, UsageSample>): void {
    this.#orRenew(() => {
      this.#db.transaction(() => {
        for (const [name, one] of samples) {
          this.#db.query(sql.ADD_SUBJECT).run(name);
          const { cpuPercent, memoryBytes, diskBytes, receivedBytesPerSecond, sentBytesPerSecond } = one;
          this.#db
            .query(sql.ADD_SAMPLE)
            .run(at, cpuPercent, memoryBytes, diskBytes, receivedBytesPerSecond, sentBytesPerSecond, name);
        }
      })();
    });
  }

  /** Makes the means of whole intervals, and deletes what is too old. @param now seconds since the epoch */
  maintain(now: number): void {
    this.#orRenew(() => {
      const whole = now - (now % METRICS_COARSE_STEP_SECONDS);
      this.#db.transaction(() => {
        this.#db.query(sql.ADD_MEANS).run(this.#coarseEnd(), whole);
        this.#db.query(sql.DELETE_FINE).run(now - METRICS_FINE_SECONDS);
        this.#db.query(sql.DELETE_COARSE).run(now - this.meansSeconds);
        this.#db.query(sql.DELETE_SUBJECTS).run();
      })();
    });
  }

  /** The series of the host, or the sums of containers. */
  read({ container_ids, from, to, step }: HostMetricsRequest): MetricsSeries {
    const isCoarse = step % METRICS_COARSE_STEP_SECONDS === 0;
    const names = JSON.stringify(container_ids ?? [HOST]);
    let rows: PointRow[] = [];
    this.#orRenew(() => {
      const coarseEnd = isCoarse ? this.#coarseEnd() : 0;
      rows = this.#db
        .query<PointRow, Record<string, string | number>>(sql.READ)
        .all({ $names: names, $from: from, $to: to, $step: step, $coarseEnd: coarseEnd });
    });
    const length = Math.min(Math.ceil((to - from) / step), METRICS_POINTS_MAX);
    return seriesOf(rows, length);
  }

  close(): void {
    this.#db.close();
  }

  #coarseEnd(): number {
    return this.#db.query<{ at: number }, []>(sql.COARSE_END).get()?.at ?? 0;
  }

  #open(): Database {
    const db = new Database(this.#path, { create: true });
    try {
      db.run(sql.SCHEMA);
      const { quick_check: state } = db.query<{ quick_check: string }, []>(sql.CHECK).get() ?? {};
      if (state !== "ok") throw new Error(state ?? "it cannot be checked");
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  }

  #orRenew(use: () => void): void {
    try {
      use();
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      this.#db.close();
      this.#db = this.#renew(error);
    }
  }

  #renew(cause: unknown): Database {
    this.log.error(
      { file: this.#path, error: String(cause) },
      "the history of usage is damaged: it begins again, empty",
    );
    for (const suffix of ["", "-wal", "-shm"]) rmSync(this.#path + suffix, { force: true });
    return this.#open();
  }
}

const isCorrupt = (error: unknown): boolean =>
  error instanceof Error && "code" in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code));

function seriesOf(rows: readonly PointRow[], length: number): MetricsSeries {
  const series = (name: Exclude<keyof PointRow, "point">) => {
    const values = new Array<number | null>(length).fill(null);
    for (const row of rows) if (row.point < length) values[row.point] = rounded(row[name]);
    return values;
  };
  return {
    cpu_percent: series("cpu"),
    memory_bytes: series("memory"),
    disk_bytes: series("disk"),
    network_received_bytes_per_second: series("received"),
    network_sent_bytes_per_second: series("sent"),
  };
}

const rounded = (value: number | null): number | null =>
  value === null ? null : Math.max(0, Math.round(value * 100) / 100);
