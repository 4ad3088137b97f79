import { DomainError } from "../../../schemas/errors.ts";
import type { PendingRequest } from "../host/activation.ts";
import { SETTLE } from "../host/execute.ts";
import { toErrorReply } from "../host/replies.ts";
import type { Clock, SendTask, Task } from "../ports.ts";
import type { Caller } from "../transport/caller.ts";
import { ABORT, type AbortInput, type ErrorReply, type Reply } from "../transport/wire.ts";
import type { TaskResult } from "./tasks.ts";

/** The time limit of one attempt. */
const ATTEMPT_MS = 10_000;

/** Temporary refusals, which decide nothing about the operation: it is tried again, under the same key. */
const TEMPORARY = new Set(["OVERLOADED", "UNAVAILABLE", "QUARANTINED", "INTERNAL_ERROR"]);

export interface RunTaskOptions {
  readonly caller: Pick<Caller, "call">;
  readonly clock: Clock;
  /** Gives a message to an actor of this host. */
  dispatch(message: Omit<PendingRequest, "reruns" | "receipt" | "reply">): Promise<Reply>;
}

/**
 * Attempts a task once. A timer's message goes to its own actor. A send's goes to the other actor, and the reply
 * comes back as a message. Both act once even if an attempt is repeated: the other actor by the key, this one since
 * the commit of the message removes the task.
 */
export async function runTask(task: Task, options: RunTaskOptions): Promise<TaskResult> {
  if (task.send === null) return toResult(await dispatchTask(task, task.op, task.input, options));
  const reply = await requestReply(task, task.send, options.caller);
  if (reply === undefined) return "failed";
  const { replyOp, context } = task.send;
  return toResult(
    replyOp === null
      ? await dispatchTask(task, SETTLE, {}, options)
      : await dispatchTask(task, replyOp, { context: context ?? {}, reply }, options),
  );
}

type TaskReply = { readonly status: "ok"; readonly value: unknown } | ErrorReply;

/** The other actor's final reply; undefined if it is not known yet. */
async function requestReply(
  task: Task,
  send: SendTask,
  caller: Pick<Caller, "call">,
): Promise<TaskReply | undefined> {
  const { key, aborting } = send;
  if (aborting) return request(send, ABORT, { op: task.op, key } satisfies AbortInput, caller);
  const reply = await request(send, task.op, task.input, caller);
  if (reply?.status !== "error") return reply;
  // A refusal leaves no receipt, so a copy of the message that is still in flight might succeed: it is aborted.
  return request(send, ABORT, { op: task.op, key, reply } satisfies AbortInput, caller);
}

async function request(
  { kind, actorId, key, origin }: SendTask,
  op: string,
  input: object,
  caller: Pick<Caller, "call">,
): Promise<TaskReply | undefined> {
  try {
    const { value } = await caller.call(kind, actorId, op, input, {
      key: op === ABORT ? `abort:${key}` : key,
      hasClientKey: true,
      deadlineMs: ATTEMPT_MS,
      origin: origin ?? undefined,
    });
    return { status: "ok", value };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return TEMPORARY.has(error.code) ? undefined : toErrorReply(error);
  }
}

function dispatchTask(
  task: Task,
  op: string,
  input: object,
  { dispatch, clock }: RunTaskOptions,
): Promise<Reply> {
  return dispatch({
    item: {
      id: 0,
      partition: task.partition,
      epoch: 0,
      kind: task.kind,
      actor: task.actorId,
      op,
      key: task.token,
      hasClientKey: false,
      attempt: 0,
      ttlMs: ATTEMPT_MS,
      input,
      origin: task.send?.origin ?? undefined,
    },
    deadlineMs: clock.monotonicMs() + ATTEMPT_MS,
    task: { name: task.name, token: task.token },
  });
}

/** Converts a reply to a result. A task of a partition that moved counts as done here: its next owner runs it. */
const toResult = (reply: Reply): TaskResult => (reply.status === "error" ? "failed" : "done");
