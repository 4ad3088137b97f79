import { type Attempt, attempt, type Operation } from "./attempts.ts";
import type { Cluster } from "./cluster.ts";
import type { Witness } from "./witness.ts";

const CREDIT_CENTS_MAX = 2_000;
const TRANSFER_CENTS_MAX = 3_000;
const CREDITS = 0.5;
const KEYED = 0.75;
const INVALID = 0.02;
/** How often a client that knows the outcome asks again, and how often it uses a key for something else. */
const ASKS_AGAIN = 0.15;
const USES_AGAIN = 0.08;
const RETRIES = 0.6;
const SETTLING_DEADLINE_MS = 10_000;

/** Clients that credit wallets and transfer, ask again when they got no answer, and sometimes when they did. */
export class Workload {
  #left: number;
  #underWay = 0;
  #keys = 0;
  readonly #wallets: string[];
  /** Keyed operations without a clear outcome so far. */
  readonly #unclear = new Map<string, Operation>();
  readonly #settled: Operation[] = [];

  constructor(
    private readonly cluster: Cluster,
    private readonly witness: Witness,
  ) {
    const { plan } = cluster;
    this.#left = plan.operations;
    this.#wallets = Array.from({ length: plan.wallets }, (_, n) => `wallet${n}`);
    for (let client = 0; client < plan.clients; client++) this.#next();
  }

  get isDone(): boolean {
    return this.#left <= 0 && this.#underWay === 0;
  }

  /** Asks for each operation until it has a clear outcome, and each wallet for one more: all must answer by themselves now. */
  settle(): void {
    for (const operation of this.#unclear.values()) this.#untilClear(operation);
    for (const wallet of this.#wallets) {
      this.#untilClear({ wallet, op: "credit", key: `last-${wallet}`, hasClientKey: true, cents: 100n });
    }
  }

  #next(): void {
    const { scheduler, plan } = this.cluster;
    scheduler.after(scheduler.random.around(plan.thinkMs), "client", () => {
      if (this.#left <= 0) return;
      this.#left -= 1;
      this.#ask(this.#operation(), plan.deadlineMs, ({ operation, outcome }) => {
        const isClear = outcome?.kind !== "unknown";
        const key = `${operation.wallet} ${operation.op} ${operation.key}`;
        if (isClear) this.#unclear.delete(key);
        else if (operation.hasClientKey) this.#unclear.set(key, operation);
        if (isClear && operation.hasClientKey) this.#settled.push(operation);
        this.#next();
      });
    });
  }

  #operation(): Operation {
    const { random } = this.cluster.scheduler;
    if (this.#unclear.size > 0 && random.chance(RETRIES)) return random.pick([...this.#unclear.values()]);
    if (this.#settled.length > 0 && random.chance(ASKS_AGAIN)) return random.pick(this.#settled);
    if (this.#settled.length > 0 && random.chance(USES_AGAIN)) {
      return { ...random.pick(this.#settled), cents: this.#cents(TRANSFER_CENTS_MAX) };
    }
    const op = random.chance(CREDITS) ? "credit" : "transfer";
    return {
      wallet: random.pick(this.#wallets),
      op,
      key: `key-${++this.#keys}`,
      hasClientKey: random.chance(KEYED),
      cents: random.chance(INVALID)
        ? 0n
        : this.#cents(op === "credit" ? CREDIT_CENTS_MAX : TRANSFER_CENTS_MAX),
    };
  }

  #cents(max: number): bigint {
    return BigInt(1 + this.cluster.scheduler.random.integer(max));
  }

  #untilClear(operation: Operation): void {
    this.#ask(operation, SETTLING_DEADLINE_MS, ({ outcome }) => {
      if (outcome?.kind === "unknown") this.#untilClear(operation);
    });
  }

  #ask(operation: Operation, deadlineMs: number, then: (attempt: Attempt) => void): void {
    const { cluster, witness } = this;
    const caller = cluster.scheduler.random.pick(cluster.callers);
    this.#underWay += 1;
    const made = attempt(cluster, caller, operation, deadlineMs, (answered, process) => {
      this.#underWay -= 1;
      witness.answered(answered, process);
      then(answered);
    });
    witness.attempts.push(made);
  }
}
