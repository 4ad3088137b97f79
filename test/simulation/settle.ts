import { type Attempt, attempt, type Operation, type Outcome } from "./attempts.ts";
import { Cluster } from "./cluster.ts";
import type { Plan } from "./plan.ts";
import { Scheduler, Trace } from "./scheduler.ts";

const DEADLINE_MS = 10_000;
/** Virtual: an operation that has no answer by then has none. */
const PATIENCE_MS = 60_000;

/** A simulated cluster in which nothing goes wrong by itself, for tests that arrange one fault. */
export class QuietCluster extends Cluster {
  #keys = 0;

  constructor(plan: Pick<Plan, "hosts" | "leaseTtlMs">) {
    const quiet: Plan = {
      ...plan,
      lanes: 1,
      callers: 1,
      wallets: 0,
      market: null,
      clients: 0,
      operations: 0,
      thinkMs: 0,
      deadlineMs: DEADLINE_MS,
      bus: { lose: 0, duplicate: 0, late: 0 },
      store: { lost: 0, unanswered: 0, late: 0 },
      incidents: [],
      incidentEveryMs: 0,
    };
    super(new Scheduler(1, new Trace(false)), quiet, {});
  }

  /** Sends an operation; its outcome is there later. */
  send(operation: Pick<Operation, "wallet" | "op" | "cents"> & Partial<Operation>): Attempt {
    const [caller] = this.callers;
    if (caller === undefined) throw new Error("there is no caller");
    const whole = { key: `quiet-${++this.#keys}`, hasClientKey: true, ...operation };
    return attempt(this, caller, whole, DEADLINE_MS, () => {});
  }

  /** Sends an operation and lets time pass until it is answered. */
  ask(operation: Parameters<QuietCluster["send"]>[0]): Outcome | undefined {
    const sent = this.send(operation);
    this.until(() => sent.outcome !== undefined);
    return sent.outcome;
  }

  /** Lets time pass until something holds. Throws when it does not come to that. */
  until(holds: () => boolean): void {
    if (!this.scheduler.run(holds, this.scheduler.nowMs + PATIENCE_MS)) {
      throw new Error(`it did not come to ${holds}`);
    }
  }

  pass(ms: number): void {
    this.scheduler.run(() => false, this.scheduler.nowMs + ms);
  }
}
