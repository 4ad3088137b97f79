import { fromCents, toCents } from "../../actors/platform/money.ts";
import { type Attempt, amountOf, describe, type Receipt, storedReceipt } from "./attempts.ts";
import type { Cluster } from "./cluster.ts";
import type { Process } from "./process.ts";

/** A caller looks for requests past their deadline this often; its timers and its answer may be a little late. */
const DEADLINE_SLACK_MS = 250 + 50;

/**
 * Holds every answer, when it comes, against what the database has committed by then: an answer that says more than that
 * could be taken back by a crash.
 */
export class Witness {
  readonly attempts: Attempt[] = [];
  readonly violations: string[] = [];
  /** By wallet, the balances that were committed, oldest first. */
  readonly #balances = new Map<string, { atMs: number; cents: bigint }[]>();
  /** By wallet, the highest version answered so far. */
  readonly #answered = new Map<string, { atMs: number; version: number }[]>();
  #commitsRead = 0;

  constructor(private readonly cluster: Cluster) {}

  answered(attempt: Attempt, caller: Process): void {
    this.#readCommits();
    const { outcome } = attempt;
    if (outcome?.kind === "done") this.#done(attempt);
    if (outcome?.kind === "refused") this.#refused(attempt, outcome.code);
    const waitedMs = attempt.answeredAtMs - attempt.sentAtMs - (caller.stoodStillMs - attempt.stoodStillMs);
    if (waitedMs > attempt.deadlineMs + DEADLINE_SLACK_MS)
      this.#breach(attempt, "was answered past its deadline");
  }

  #done(attempt: Attempt): void {
    const { operation, outcome } = attempt;
    if (outcome?.kind !== "done") return;
    const { version, value, replayed } = outcome.answer;
    const stored = storedReceipt(this.cluster, operation);
    if (stored === undefined) {
      this.#breach(attempt, "was acknowledged, and is not committed");
      return;
    }
    if (stored.version !== version || JSON.stringify(stored.reply) !== JSON.stringify(value)) {
      this.#breach(attempt, `was answered with version ${version}, and committed as ${stored.version}`);
    }
    if (amountOf(value) !== fromCents(operation.cents)) this.#breach(attempt, `moved ${amountOf(value)}`);
    const answers = this.#answered.get(operation.wallet) ?? [];
    const before = answers.findLast(({ atMs }) => atMs < attempt.sentAtMs);
    if (!replayed && before !== undefined && version <= before.version) {
      this.#breach(attempt, `has version ${version}, and ${before.version} was answered before it was sent`);
    }
    const highest = Math.max(version, answers.at(-1)?.version ?? 0);
    answers.push({ atMs: attempt.answeredAtMs, version: highest });
    this.#answered.set(operation.wallet, answers);
  }

  #refused(attempt: Attempt, code: string): void {
    const { operation } = attempt;
    const stored = storedReceipt(this.cluster, operation);
    const amount = fromCents(operation.cents);
    if (code === "INSUFFICIENT_BALANCE") {
      if (operation.op !== "transfer" || !this.#wasEverBelow(attempt)) {
        this.#breach(attempt, `was refused with ${code}, and the balance sufficed all the time`);
      }
    } else if (code.endsWith("IDEMPOTENCY_KEY_REUSED")) {
      if (stored === undefined) this.#breach(attempt, "was refused for a key that nobody used");
      else if (amountOf(stored.reply) === amount) this.#breach(attempt, "was refused for its own key");
    } else if (code !== "VALIDATION_ERROR" || operation.cents > 0n) {
      this.#breach(attempt, `was refused with ${code}`);
    }
  }

  /** Whether the committed balance was too low at some time while the request was under way. */
  #wasEverBelow({ operation, sentAtMs, answeredAtMs }: Attempt): boolean {
    // By a clock that jumped two hosts may hold one partition: commits are fenced, what is only read is not.
    if (this.cluster.plan.incidents.includes("jump database's clock")) return true;
    const balances = this.#balances.get(operation.wallet) ?? [{ atMs: 0, cents: 0n }];
    return balances.some(({ atMs, cents }, i) => {
      const untilMs = balances[i + 1]?.atMs ?? Number.POSITIVE_INFINITY;
      return atMs <= answeredAtMs && untilMs >= sentAtMs && cents < operation.cents;
    });
  }

  #readCommits(): void {
    const { applied } = this.cluster.database;
    for (; this.#commitsRead < applied.length; this.#commitsRead++) {
      const { atMs, commit } = applied[this.#commitsRead] as (typeof applied)[number];
      const receipts = (commit.writes.get("receipts")?.insert ?? []).filter(({ key }) =>
        String(key).startsWith("wallet."),
      );
      receipts.sort((a, b) => Number(a.actor_version) - Number(b.actor_version));
      for (const row of receipts) {
        const wallet = String(row.actor_id);
        const balances = this.#balances.get(wallet) ?? [{ atMs: 0, cents: 0n }];
        balances.push({ atMs, cents: toCents((row.reply as Receipt).general_balance) });
        this.#balances.set(wallet, balances);
      }
    }
  }

  #breach(attempt: Attempt, what: string): void {
    this.violations.push(`${describe(attempt.operation)} ${what}`);
  }
}
