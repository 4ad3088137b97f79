import {
  COMMAND_OUTPUT_BYTES_MAX,
  type HostCommandReply,
  type HostCommandRequest,
} from "../../schemas/hosting/container-command.ts";
import { BoundedMap } from "../../system/bounded-map.ts";
import { type ContainerCommand, InvalidCommand, NotRunning } from "../containers/command.ts";
import { ConcurrencyLimiter, Overloaded } from "../exec/concurrency-limiter.ts";
import type { ProgramResult } from "../exec/program.ts";
import { type CallerAccess, watchCaller } from "./command-caller.ts";

/** Commands at the same time: each is a process of the host too, and a megabyte of output at most. */
const LIMITS = { perOwner: 4, total: 64, queuedPerOwner: 0, queueMsMax: 0 };
/** Results that are kept for a client whose connection broke; more than run at a time. */
const RESULTS_MAX = 128;
/** A client that repeats a request does so within seconds. */
const RESULT_MS_MAX = 120_000;
/** Refusals after which it is certain that nothing of the command ran. */
const BEFORE_START = new Set<HostRefusal>(["busy", "invalid", "not_running"]);
const MESSAGE_LENGTH_MAX = 1_000;

/** Runs commands that clients of the API ask for, each of them once, however often its request arrives. */
export class Commands {
  readonly #limiter = new ConcurrencyLimiter(LIMITS);
  readonly #results = new BoundedMap<string, Promise<HostCommandReply>>(RESULTS_MAX);
  /** Commands that were refused before they started: a repeated request may start them. */
  readonly #unstarted = new BoundedMap<string, true>(RESULTS_MAX);

  /**
   * @param run runs a command in a container. It throws InvalidCommand or ContainerError
   * @param access what the host knows of the callers
   */
  constructor(
    private readonly run: (containerId: string, command: ContainerCommand) => Promise<ProgramResult>,
    private readonly access: CallerAccess,
  ) {}

  reply(request: HostCommandRequest): Promise<HostCommandReply> {
    const { command_id, is_repeated } = request;
    const known = this.#results.get(command_id);
    const isUnstarted = this.#unstarted.delete(command_id);
    if (known !== undefined && !isUnstarted) return known;
    if (is_repeated && !isUnstarted)
      return Promise.resolve(refused("unknown", "its result is not kept any more"));
    const result = this.#run(request).catch(refusalOf);
    this.#results.set(command_id, result);
    void result.then((reply) => {
      if (reply.kind === "refused" && BEFORE_START.has(reply.reason)) this.#unstarted.set(command_id, true);
      setTimeout(() => this.#forget(command_id, result), RESULT_MS_MAX).unref();
    });
    return result;
  }

  #forget(id: string, result: Promise<HostCommandReply>): void {
    if (this.#results.get(id) !== result) return;
    this.#results.delete(id);
    this.#unstarted.delete(id);
  }

  async #run(request: HostCommandRequest): Promise<HostCommandReply> {
    const { container_id, command, env, user, working_directory, input, timeout_ms } = request;
    const release = this.#limiter.acquireNow(container_id);
    const watch = watchCaller(this.access, request);
    const startedAt = performance.now();
    try {
      const { code, boundMet, stdout, stderr } = await this.run(container_id, {
        argv: command,
        env,
        user,
        folder: working_directory,
        input: Uint8Array.from(Buffer.from(input, "base64")),
        msMax: timeout_ms,
        outputBytesMax: COMMAND_OUTPUT_BYTES_MAX,
        signal: watch.signal,
      });
      if (boundMet === "signal") return refused("access_ended", "the caller's access has ended");
      return {
        kind: "ended",
        exit_status: code,
        stdout: stdout.toString("base64"),
        stderr: stderr.toString("base64"),
        truncated: boundMet === "stdout" || boundMet === "stderr",
        timed_out: boundMet === "deadline",
        duration_ms: Math.round(performance.now() - startedAt),
      };
    } finally {
      watch[Symbol.dispose]();
      release();
    }
  }
}

type Refused = Extract<HostCommandReply, { kind: "refused" }>;
type HostRefusal = Refused["reason"];

const refused = (
  reason: Refused["reason"],
  message: string,
  field: Refused["field"] = null,
): HostCommandReply => ({ kind: "refused", reason, field, message: message.slice(0, MESSAGE_LENGTH_MAX) });

function refusalOf(error: unknown): HostCommandReply {
  if (error instanceof InvalidCommand) return refused("invalid", error.message, error.field);
  if (error instanceof NotRunning) return refused("not_running", error.message);
  if (error instanceof Overloaded)
    return refused("busy", `${LIMITS.perOwner} commands run in this container at a time`);
  return refused("failed", error instanceof Error ? error.message : String(error));
}
