import type { TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { Value } from "@sinclair/typebox/value";
import { DomainError } from "../../schemas/errors.ts";
import type { Cell, Change, Delivery } from "./cell.ts";
import { RowChanges } from "./changes.ts";
import type { Command, Context } from "./definition.ts";
import type { Ids } from "./ports.ts";
import type { Outcome } from "./wire.ts";

export interface ExecuteOptions {
  readonly ids: Ids;
  readonly now: Date;
  readonly primaryKeys: ReadonlyMap<string, readonly string[]>;
  fault(error: unknown, cell: Cell, op: string): void;
}

/** Receipts of two operations of one actor never meet: a client may use one key for both. */
export const receiptKey = (delivery: Delivery): string =>
  `${delivery.item.kind}.${delivery.item.op}:${delivery.item.key}`;

/**
 * Runs one message on the actor's state, to the end and without I/O. Whatever the answer, it saw the state as it is now,
 * so the caller must hold it back until all of that is committed.
 */
export function execute(cell: Cell, delivery: Delivery, options: ExecuteOptions): Outcome {
  const { item } = delivery;
  const command: Command<unknown, unknown, unknown> | undefined = cell.definition.on[item.op];
  if (command === undefined)
    return refusal(new DomainError("VALIDATION_ERROR", `${item.kind} has no operation ${item.op}`));

  const key = receiptKey(delivery);
  const fingerprint = digest(command.options.fingerprint?.(item.input) ?? JSON.stringify(item.input));
  const receipt = cell.receipts.get(key);
  if (receipt !== undefined) {
    if (receipt.fingerprint === fingerprint) {
      return { status: "ok", value: receipt.reply, replayed: true, version: receipt.version };
    }
    return refusal(
      new DomainError(
        command.options.reusedCode ?? "IDEMPOTENCY_KEY_REUSED",
        "this idempotency key was used for another request",
      ),
    );
  }

  const invalid = firstInvalid(command.input, item.input);
  if (invalid !== undefined) return refusal(new DomainError("VALIDATION_ERROR", invalid));

  const recorded = new Recorder(cell, delivery, options);
  let value: unknown;
  try {
    value = command.handle(cell.state, item.input, recorded);
  } catch (error) {
    if (error instanceof DomainError) return refusal(error);
    options.fault(error, cell, item.op);
    return { status: "error", code: "INTERNAL_ERROR", message: "the operation failed" };
  }

  // An answer that changed nothing needs no receipt, unless the client may show its key again.
  if (!recorded.changed && !item.keyed)
    return { status: "ok", value, replayed: false, version: cell.version };

  const change = recorded.apply();
  cell.keepReceipt(key, { fingerprint, reply: value, version: cell.version });
  change.receipts.push({
    actor_id: cell.id,
    key,
    fingerprint,
    reply: value as object,
    actor_version: cell.version,
    minted: !item.keyed,
    created_at: options.now,
  });
  return { status: "ok", value, replayed: false, version: cell.version };
}

const NOT_SET = Symbol("not set");

/** Keeps what a handler does until it has returned. */
class Recorder implements Context<unknown> {
  readonly actorId: string;
  readonly key: string;
  readonly now: Date;
  #next: unknown = NOT_SET;
  readonly #rows: ["insert" | "update" | "remove", string, Parameters<RowChanges["add"]>[2]][] = [];
  readonly #effects: Change["effects"] = [];

  constructor(
    private readonly cell: Cell,
    delivery: Delivery,
    private readonly options: ExecuteOptions,
  ) {
    this.actorId = cell.id;
    this.key = delivery.item.key;
    this.now = options.now;
  }

  newId = () => this.options.ids.record();
  become = (next: unknown) => {
    this.#next = next;
  };
  insert: Context<unknown>["insert"] = (table, row) => {
    this.#rows.push(["insert", table, row]);
  };
  update: Context<unknown>["update"] = (table, row) => {
    this.#rows.push(["update", table, row]);
  };
  remove: Context<unknown>["remove"] = (table, row) => {
    this.#rows.push(["remove", table, row]);
  };
  emit: Context<unknown>["emit"] = (topic, body) => {
    this.#effects.push({ topic, body });
  };

  get changed(): boolean {
    return this.#next !== NOT_SET || this.#rows.length > 0 || this.#effects.length > 0;
  }

  apply(): Change {
    const { cell } = this;
    cell.open ??= {
      cell,
      baseVersion: cell.version,
      rows: new RowChanges(this.options.primaryKeys),
      root: undefined,
      changedAt: undefined,
      receipts: [],
      effects: [],
      waiting: [],
    };
    const change = cell.open;
    // Child rows are guarded by their root's version, so a change of theirs is a change of the root.
    if (this.#next !== NOT_SET || this.#rows.length > 0) {
      if (this.#next !== NOT_SET) cell.state = this.#next;
      cell.version += 1;
      change.changedAt = this.now;
    }
    for (const [op, table, row] of this.#rows) change.rows.add(op, table, row);
    change.effects.push(...this.#effects);
    return change;
  }
}

function refusal(error: DomainError): Outcome {
  const { code, message, data } = error;
  return data === undefined ? { status: "error", code, message } : { status: "error", code, message, data };
}

const checks = new WeakMap<TSchema, TypeCheck<TSchema>>();

/** The gateway has checked inputs against the same schemas; a host does not take that on trust. */
function firstInvalid(schema: TSchema, input: unknown): string | undefined {
  let check = checks.get(schema);
  if (check === undefined) {
    check = TypeCompiler.Compile(schema);
    checks.set(schema, check);
  }
  if (check.Check(input)) return undefined;
  const first = Value.Errors(schema, input).First();
  return first === undefined
    ? "invalid input"
    : `${first.path.slice(1).replaceAll("/", ".") || "input"}: ${first.message}`;
}

/** 128 bits of SHA-256: enough that two inputs never meet, short enough to keep with every receipt. */
function digest(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 32);
}
