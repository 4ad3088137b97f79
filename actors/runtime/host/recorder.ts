import { DomainError } from "../../../schemas/errors.ts";
import type { Origin } from "../../../schemas/origin.ts";
import {
  AwaitedSaga,
  type Context,
  type Message,
  type Row,
  type SendOptions,
  type Timer,
} from "../definition.ts";
import type { Ids, SendTask, Task } from "../ports.ts";
import { isTooLarge } from "../transport/tick-batcher.ts";
import type { Reply } from "../transport/wire.ts";
import type { Activation, Change, PendingRequest } from "./activation.ts";
import { RowChanges } from "./changes.ts";
import { firstInvalid, invalidAddress, sagaKey, toErrorReply } from "./replies.ts";

export interface ExecuteOptions {
  readonly ids: Ids;
  readonly now: Date;
  readonly primaryKeys: ReadonlyMap<string, readonly string[]>;
  fault(error: unknown, activation: Activation, request: PendingRequest): void;
}

const NOT_SET = Symbol("not set");

/** Records the changes of a handler until it has returned. */
export class Recorder implements Context<unknown> {
  readonly actorId: string;
  readonly key: string;
  readonly now: Date;
  readonly #origin: Origin | null;
  #next: unknown = NOT_SET;
  readonly #rows: ["insert" | "update" | "remove", string, Row][] = [];
  readonly #effects: Change["effects"] = [];
  readonly #tasks: Change["tasks"] = new Map();
  readonly #ends: Change["ends"] = new Map();

  constructor(
    private readonly activation: Activation,
    request: PendingRequest,
    private readonly options: ExecuteOptions,
  ) {
    this.actorId = activation.id;
    this.key = request.item.key;
    this.#origin = request.item.origin ?? null;
    this.now = options.now;
    // Running a task completes it; its handler may set it again.
    if (request.task !== undefined) this.#tasks.set(request.task.name, null);
  }

  newId = () => this.options.ids.record();
  setState = (next: unknown) => {
    this.#next = next;
  };
  insert = (table: string, row: Row) => {
    this.#rows.push(["insert", table, row]);
  };
  update = (table: string, row: Row) => {
    this.#rows.push(["update", table, row]);
  };
  remove = (table: string, row: Row) => {
    this.#rows.push(["remove", table, row]);
  };
  emit = (topic: string, body: object) => {
    this.#effects.push({ topic, body, origin: this.#origin });
  };

  setTimer = (name: string, { at, op, input = {} }: Timer) => {
    if (Number.isNaN(at.getTime())) throw new Error(`timer ${name} has no time`);
    const command = this.activation.definition.on[op];
    if (command === undefined) throw new Error(`timer ${name}: there is no operation ${op}`);
    const invalid = firstInvalid(command.input, input);
    if (invalid !== undefined) throw new Error(`timer ${name}: ${invalid}`);
    if (this.#task(name)?.send) throw new Error(`timer ${name} has the name of a send that is under way`);
    this.#setTask(name, at, op, input, null);
  };

  clearTimer = (name: string) => {
    const task = this.#task(name);
    if (task?.send) throw new Error(`${name} is a send: it can be aborted, not cleared`);
    if (task !== null) this.#tasks.set(name, null);
  };

  send = (name: string, { kind, actor, op, input }: Message, options: SendOptions = {}) => {
    const { key = this.newId(), onReply = null, context = null } = options;
    if (onReply !== null && this.activation.definition.on[onReply] === undefined) {
      throw new Error(`send ${name}: there is no operation ${onReply} for its reply`);
    }
    if (this.#task(name) !== null) throw new Error(`send ${name} is under way already`);
    const invalid = invalidAddress({ actor, key });
    if (invalid !== undefined) throw new Error(`send ${name}: ${invalid.message}`);
    const send: SendTask = {
      ...{ kind, actorId: actor, key, aborting: false, replyOp: onReply, context },
      origin: this.#origin,
    };
    this.#setTask(name, this.now, op, input, send);
  };

  abort = (name: string) => {
    const task = this.#task(name);
    if (!task?.send) throw new Error(`there is no send ${name} under way`);
    this.#setTask(name, this.now, task.op, task.input, { ...task.send, aborting: true });
  };

  isPending = (name: string) => this.#task(name) !== null;
  awaitSaga = (saga: string) => new AwaitedSaga(saga);
  completeSaga = (name: string, reply: object) => {
    const saga = sagaKey(this.activation.definition.kind, name);
    if (this.#ends.has(saga)) throw new Error(`saga ${name} has ended already`);
    const outcome: Reply =
      reply instanceof DomainError
        ? toErrorReply(reply)
        : { status: "ok", value: reply, replayed: false, version: 0 };
    this.#ends.set(saga, outcome);
  };

  /** A task with this message's changes; null if there is none. */
  #task(name: string): Task | null {
    const own = this.#tasks.get(name);
    return own !== undefined ? own : (this.activation.tasks.get(name) ?? null);
  }

  #setTask(name: string, dueAt: Date, op: string, input: object, send: SendTask | null): void {
    const { definition, id, partition } = this.activation;
    if (isTooLarge(JSON.stringify([input, send?.context]))) {
      throw new Error(`task ${name} is larger than a message may be`);
    }
    if (definition.hasTasks !== true) throw new Error(`${definition.kind} is defined without hasTasks`);
    const token = this.newId();
    this.#tasks.set(name, {
      kind: definition.kind,
      actorId: id,
      name,
      partition,
      token,
      dueAt,
      op,
      input,
      send,
    });
  }

  /** Whether tasks are pending after this message, as at the beginning of a saga. */
  get setsTasks(): boolean {
    return [...this.#tasks.values()].some((task) => task !== null);
  }

  get changed(): boolean {
    return (
      this.#next !== NOT_SET ||
      this.#rows.length > 0 ||
      this.#effects.length > 0 ||
      this.#tasks.size > 0 ||
      this.#ends.size > 0
    );
  }

  /** Adds everything to the actor's changes in the open batch. Throws only for invalid rows of the handler. */
  apply(): Change {
    const { activation } = this;
    activation.open ??= {
      activation,
      baseVersion: activation.version,
      rows: new RowChanges(this.options.primaryKeys),
      root: undefined,
      changedAt: undefined,
      receipts: [],
      effects: [],
      tasks: new Map(),
      ends: new Map(),
      waiting: [],
    };
    const change = activation.open;
    // The root's version guards the child rows too, so a change of a child row counts as a change of the root.
    if (this.#next !== NOT_SET || this.#rows.length > 0 || this.#tasks.size > 0) {
      if (this.#next !== NOT_SET) activation.state = this.#next;
      activation.version += 1;
      change.changedAt = this.now;
    }
    for (const [op, table, row] of this.#rows) change.rows.add(op, table, row);
    for (const [name, task] of this.#tasks) this.#applyTask(change, name, task);
    for (const [saga, outcome] of this.#ends) this.#applyEnd(change, saga, outcome);
    change.effects.push(...this.#effects);
    return change;
  }

  #applyTask(change: Change, name: string, task: Task | null): void {
    const { activation } = this;
    const before = activation.tasks.get(name);
    if (task !== null) {
      change.rows.add(before === undefined ? "insert" : "update", "tasks", taskRow(task));
      activation.tasks.set(name, task);
    } else if (before !== undefined) {
      change.rows.add("remove", "tasks", taskRow(before));
      activation.tasks.delete(name);
    }
    change.tasks.set(name, task);
  }

  #applyEnd(change: Change, saga: string, outcome: Reply): void {
    const { activation } = this;
    const end: Reply = outcome.status === "ok" ? { ...outcome, version: activation.version } : outcome;
    change.ends.set(saga, end);
    activation.cacheSagaEnd(saga, end);
    change.receipts.push({
      actor_id: activation.id,
      key: saga,
      fingerprint: "",
      reply: end,
      actor_version: activation.version,
      minted: false,
      created_at: this.now,
      saga: null,
    });
  }
}

const taskRow = ({ kind, actorId, name, partition, token, dueAt, op, input, send }: Task): Row => ({
  kind,
  actor_id: actorId,
  name,
  partition,
  token,
  due_at: dueAt,
  op,
  input,
  target_kind: send?.kind ?? null,
  target_id: send?.actorId ?? null,
  key: send?.key ?? null,
  aborting: send?.aborting ?? false,
  reply_op: send?.replyOp ?? null,
  context: send?.context ?? null,
  origin: send?.origin ?? null,
});
