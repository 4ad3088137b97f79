import { fromCents } from "../../actors/platform/money.ts";
import type { CallReply } from "../../actors/runtime/transport/caller.ts";
import { DomainError } from "../../schemas/errors.ts";
import type { CallerMember, Cluster } from "./cluster.ts";

export type Op = "credit" | "transfer";

/** An operation as a client means it. The same key with another amount is another one, and must be refused. */
export interface Operation {
  readonly wallet: string;
  readonly op: Op;
  readonly key: string;
  /** Whether the key is the client's own. One that its caller made up is never asked for again. */
  readonly hasClientKey: boolean;
  readonly cents: bigint;
}

export interface Receipt {
  readonly general_balance: string;
  readonly amount?: string;
  readonly gross_transferred?: string;
}

export type Outcome =
  | { readonly kind: "done"; readonly answer: CallReply<Receipt> }
  | { readonly kind: "refused"; readonly code: string }
  | { readonly kind: "unknown" };

/** One time that a client asked for an operation. */
export interface Attempt {
  readonly operation: Operation;
  readonly sentAtMs: number;
  readonly deadlineMs: number;
  /** How long its caller had stood still when it was sent. */
  readonly stoodStillMs: number;
  outcome: Outcome | undefined;
  answeredAtMs: number;
}

/** Asks for an operation through a caller, and tells what came of it. */
export function attempt(
  cluster: Cluster,
  { process, client, onDeath }: CallerMember,
  operation: Operation,
  deadlineMs: number,
  answered: (attempt: Attempt, caller: CallerMember["process"]) => void,
): Attempt {
  const { scheduler } = cluster;
  const made: Attempt = {
    operation,
    sentAtMs: scheduler.nowMs,
    deadlineMs,
    stoodStillMs: process.stoodStillMs,
    outcome: undefined,
    answeredAtMs: Number.POSITIVE_INFINITY,
  };
  const settle = (outcome: Outcome) => {
    onDeath.delete(died);
    made.outcome = outcome;
    made.answeredAtMs = scheduler.nowMs;
    scheduler.trace.note(() => `${describe(operation)} ${describeOutcome(outcome)}`);
    answered(made, process);
  };
  const died = () => settle({ kind: "unknown" });
  onDeath.add(died);
  process.after(0, "request", () => {
    const { wallet, op, key, hasClientKey, cents } = operation;
    const actor = client.actors.wallet(wallet);
    const options = { key, hasClientKey, deadlineMs };
    const amount = fromCents(cents);
    const call =
      op === "credit"
        ? actor.credit({ amount, reason: "gift", idempotency_key: key.padEnd(8, "-") }, options)
        : actor.transfer({ amount }, options);
    call.then(
      (answer) => settle({ kind: "done", answer }),
      (error) => settle(outcomeOf(error)),
    );
  });
  return made;
}

function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof DomainError)) throw error;
  return error.code === "UNAVAILABLE" ? { kind: "unknown" } : { kind: "refused", code: error.code };
}

export const describe = ({ wallet, op, key, cents }: Operation): string =>
  `${op} of ${fromCents(cents)} on ${wallet} under ${key}`;

const describeOutcome = (outcome: Outcome): string =>
  outcome.kind === "done"
    ? `is done: version ${outcome.answer.version}${outcome.answer.replayed ? ", replayed" : ""}`
    : outcome.kind === "refused"
      ? `is refused: ${outcome.code}`
      : "has an unknown outcome";

/** What an applied operation left: its receipt as the database has it. */
export interface StoredReceipt {
  readonly version: number;
  readonly reply: Receipt;
}

export function storedReceipt(cluster: Cluster, { wallet, op, key }: Operation): StoredReceipt | undefined {
  const row = cluster.database.tables.get("receipts", wallet, `wallet.${op}:${key}`);
  return row === undefined ? undefined : { version: Number(row.actor_version), reply: row.reply as Receipt };
}

/** The amount that an operation moved, as its receipt has it. */
export const amountOf = ({ amount, gross_transferred }: Receipt): string => amount ?? gross_transferred ?? "";
