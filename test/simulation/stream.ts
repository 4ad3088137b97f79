import type { OutboxHandler } from "../../actors/runtime/outbox/publisher.ts";
import type { OutboxRow } from "../../actors/runtime/ports.ts";
import type { BusClient, BusServer } from "./bus.ts";
import type { Process } from "./process.ts";
import type { Scheduler } from "./scheduler.ts";

const STORE_MS = 0.5;
const ACKNOWLEDGEMENT_TIMEOUT_MS = 1_000;

/** Where effects are delivered to, and a reader that drops what comes twice. */
export class EventStream {
  /** Rows in the order in which each came for the first time, by partition. */
  readonly firsts = new Map<number, OutboxRow[]>();
  /** How many came, without those that came again. */
  arrived = 0;
  readonly #seen = new Map<number, Set<number>>();

  constructor(
    private readonly scheduler: Scheduler,
    private readonly bus: Pick<BusServer, "travelMs">,
  ) {}

  deliver(process: Process, bus: BusClient): OutboxHandler {
    return (rows) =>
      new Promise((resolve, reject) => {
        process.after(ACKNOWLEDGEMENT_TIMEOUT_MS, "stream is silent", () =>
          reject(new Error("the stream did not acknowledge")),
        );
        const travelMs = this.bus.travelMs();
        if (travelMs === undefined || bus.isCut) return;
        this.scheduler.after(travelMs + this.scheduler.random.around(STORE_MS), "stream", () => {
          this.scheduler.trace.note(
            () => `delivered: ${rows.map(({ partition, seq }) => `${partition}#${seq}`).join(" ")}`,
          );
          for (const row of rows) this.#take(row);
          const backMs = this.bus.travelMs();
          if (backMs !== undefined && !bus.isCut) process.after(backMs, "stream acknowledges", resolve);
        });
      });
  }

  #take(row: OutboxRow): void {
    let seen = this.#seen.get(row.partition);
    if (seen === undefined) {
      seen = new Set();
      this.#seen.set(row.partition, seen);
      this.firsts.set(row.partition, []);
    }
    if (seen.has(row.seq)) return;
    seen.add(row.seq);
    this.arrived += 1;
    this.firsts.get(row.partition)?.push(row);
  }
}
