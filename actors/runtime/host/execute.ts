import { DomainError } from "../../../schemas/errors.ts";
import { AwaitedSaga, type Command } from "../definition.ts";
import { ABORT, type AbortInput, type ErrorReply, type Reply } from "../transport/wire.ts";
import type { Activation, CachedReceipt, HandlerReply, PendingRequest } from "./activation.ts";
import { type ExecuteOptions, Recorder } from "./recorder.ts";
import {
  ABORTED,
  digest,
  FAILED,
  firstInvalid,
  receiptKey,
  sagaKey,
  TOMBSTONE,
  toErrorReply,
} from "./replies.ts";

/** The operation of a send without `onReply`: it only removes the task. */
export const SETTLE = "$settle";

/**
 * Runs one message on the actor's state, to the end and without I/O. The reply depends on the present state, so the caller
 * holds it back until all of that state is committed.
 * @throws Error when what the handler recorded cannot be written: the activation must be unloaded then.
 */
export function execute(
  activation: Activation,
  request: PendingRequest,
  options: ExecuteOptions,
): HandlerReply {
  const { item, task } = request;
  if (task !== undefined) return executeTask(activation, request, options);

  const key = receiptKey(item);
  const receipt = activation.receipts.get(key);
  if (item.op === ABORT) {
    if (receipt !== undefined) return replay(activation, receipt);
    const reply = (item.input as AbortInput).reply ?? ABORTED;
    recordResult(activation, request, new Recorder(activation, request, options), {
      key,
      fingerprint: TOMBSTONE,
      reply,
    });
    return reply;
  }

  const command = commandOf(activation, item.op);
  if (command === undefined) {
    return toErrorReply(new DomainError("VALIDATION_ERROR", `${item.kind} has no operation ${item.op}`));
  }
  const fingerprint = digest(command.options.fingerprint?.(item.input) ?? JSON.stringify(item.input));
  if (receipt !== undefined) {
    if (receipt.fingerprint === fingerprint || receipt.fingerprint === TOMBSTONE)
      return replay(activation, receipt);
    return toErrorReply(
      new DomainError(
        command.options.reusedCode ?? "IDEMPOTENCY_KEY_REUSED",
        "this idempotency key was used for another request",
      ),
    );
  }
  const invalid = firstInvalid(command.input, item.input);
  if (invalid !== undefined) return toErrorReply(new DomainError("VALIDATION_ERROR", invalid));

  const recorder = new Recorder(activation, request, options);
  let value: unknown;
  try {
    value = command.handle(activation.state, item.input, recorder);
  } catch (error) {
    if (error instanceof DomainError) return toErrorReply(error);
    options.fault(error, activation, request);
    return FAILED;
  }
  if (typeof value !== "object" || value === null || "then" in value) {
    const error = new Error("a handler returns an object synchronously: no promise, no other value");
    options.fault(error, activation, request);
    return FAILED;
  }
  if (value instanceof AwaitedSaga) {
    const saga = sagaKey(item.kind, value.saga);
    recordResult(activation, request, recorder, { key, fingerprint, reply: {}, saga });
    return new AwaitedSaga(saga, !recorder.setsTasks);
  }
  // A reply without changes needs no receipt, unless the client may send its key again.
  if (recorder.changed || item.hasClientKey)
    recordResult(activation, request, recorder, { key, fingerprint, reply: value });
  return { status: "ok", value, replayed: false, version: activation.version };
}

/** The command of a request; properties that every object inherits are not operations. */
const commandOf = (activation: Activation, op: string): Command<unknown, unknown, unknown> | undefined =>
  Object.hasOwn(activation.definition.on, op) ? activation.definition.on[op] : undefined;

/** A task runs once: the commit of its changes removes it, and its token exposes a late delivery. */
function executeTask(activation: Activation, request: PendingRequest, options: ExecuteOptions): Reply {
  const { item, task } = request;
  const done = (): Reply => ({ status: "ok", value: {}, replayed: false, version: activation.version });
  if (task === undefined || activation.tasks.get(task.name)?.token !== task.token) return done();
  const recorder = new Recorder(activation, request, options);
  if (item.op !== SETTLE) {
    const command = commandOf(activation, item.op);
    const invalid =
      command === undefined ? `there is no operation ${item.op}` : firstInvalid(command.input, item.input);
    if (command === undefined || invalid !== undefined) {
      // A task of another version of the definition: kept and retried until a version knows its operation.
      options.fault(new Error(`task ${task.name}: ${invalid}`), activation, request);
      return FAILED;
    }
    try {
      command.handle(activation.state, item.input, recorder);
    } catch (error) {
      if (!(error instanceof DomainError)) {
        options.fault(error, activation, request);
        return FAILED;
      }
      // A refusal is a reply too: the task is done, and nothing else happened.
      new Recorder(activation, request, options).apply();
      return done();
    }
  }
  recorder.apply();
  return done();
}

/** The reply that was given under this key before; while its saga goes on, the wait for it. */
function replay(activation: Activation, receipt: CachedReceipt): HandlerReply {
  if (receipt.fingerprint === TOMBSTONE) return receipt.reply as ErrorReply;
  if (receipt.saga === undefined) {
    return { status: "ok", value: receipt.reply, replayed: true, version: receipt.version };
  }
  const end = activation.sagaEndOf(receipt);
  if (end === undefined) return new AwaitedSaga(receipt.saga.name);
  return end.status === "ok" ? { ...end, replayed: true } : end;
}

/** Adds the recorded changes to the batch, with the receipt that keeps the operation from acting twice. */
function recordResult(
  activation: Activation,
  { item }: PendingRequest,
  recorder: Recorder,
  receipt: { key: string; fingerprint: string; reply: object; saga?: string },
): void {
  const { key, fingerprint, reply, saga } = receipt;
  const change = recorder.apply();
  const { version } = activation;
  activation.cacheReceipt(key, {
    fingerprint,
    reply,
    version,
    ...(saga === undefined ? {} : { saga: { name: saga, end: undefined } }),
  });
  change.receipts.push({
    actor_id: activation.id,
    key,
    fingerprint,
    reply,
    actor_version: version,
    minted: !item.hasClientKey,
    created_at: recorder.now,
    saga: saga ?? null,
  });
}
