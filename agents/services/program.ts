import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { type Duplex, pipeline } from "node:stream";
import type { DeclaredProgram } from "../containers/images/programs.ts";
import { Overloaded } from "../exec/concurrency-limiter.ts";
import { connectInside, RelayError } from "../exec/relay.ts";
import { readShellScript } from "../exec/shell-script.ts";
import type { ExecTarget } from "../exec/target.ts";

const START = readShellScript(join(import.meta.dir, "start-program.sh"));

/** An editor takes seconds to start on a busy host. Past this nobody waits any more. */
const START_MS_MAX = 60_000;
/** A program that could not be started is not started again for each request. */
const FAILED_MS = 5_000;
/** A program that answered was there a moment ago. If it died since, the next connection starts it again. */
const ANSWERED_MS = 2_000;
/** The reason stands at the end of what a program wrote. */
const SAID_LINES = 3;
const SAID_CHARS_MAX = 500;

export interface ProgramOptions {
  readonly program: DeclaredProgram;
  /** Who runs it; null: root. */
  readonly user: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly target: ExecTarget;
}

/** A program cannot be reached; the message says why, in words for whoever wants to use it. */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
}

/**
 * A program that a container's image declares, behind a socket of the file system. It is started when it is first asked for, once however
 * many ask, and again when it has ended. It is reached on the container's loopback interface, where no other container can.
 */
export class ProgramServer {
  readonly #server: Server;
  readonly #connections = new Set<Socket>();
  #starting: Promise<void> | undefined;
  #failed: { readonly error: ProgramError; readonly atMs: number } | undefined;
  #answeredAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    readonly path: string,
    private readonly options: ProgramOptions,
  ) {
    this.#server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
      this.#connections.add(socket);
      socket.once("close", () => this.#connections.delete(socket));
      socket.on("error", () => socket.destroy());
      void this.#serve(socket);
    });
    this.#server.listen(path);
  }

  /**
   * Waits until the program answers; false: it is still starting.
   *
   * @throws ProgramError when it cannot be started
   */
  async isReady(withinMs: number): Promise<boolean> {
    const sinceMs = performance.now();
    if (sinceMs - this.#answeredAtMs < ANSWERED_MS) return true;
    if (this.#starting === undefined && (await this.#answers())) return true;
    return Promise.race([
      this.#ensureStarted(sinceMs).then(() => true),
      Bun.sleep(withinMs).then(() => false),
    ]);
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#connections) socket.destroy();
  }

  async #serve(socket: Socket): Promise<void> {
    try {
      const inside = await this.#connect();
      pipeline(socket, inside, socket, () => {
        inside.destroy();
        socket.destroy();
      });
    } catch {
      // The edge answers that it could not be reached; the next request is told why.
      socket.destroy();
    }
  }

  async #connect(): Promise<Duplex> {
    const sinceMs = performance.now();
    try {
      return await this.#open(0);
    } catch (error) {
      if (!isRefused(error)) throw error;
      await this.#ensureStarted(sinceMs);
      return this.#open(0);
    }
  }

  async #open(waitMs: number): Promise<Duplex> {
    const { target, user, program } = this.options;
    const inside = await connectInside(target, { port: program.port }, { user, waitMs });
    this.#answeredAtMs = performance.now();
    return inside;
  }

  async #answers(): Promise<boolean> {
    try {
      (await this.#open(0)).destroy();
      return true;
    } catch (error) {
      if (isRefused(error)) return false;
      throw this.#explained(error);
    }
  }

  /**
   * Starts the program, unless it has answered somebody since a connection that was refused began: that connection came too early, and a
   * second start would meet the first one's port.
   */
  #ensureStarted(sinceMs: number): Promise<void> {
    if (this.#answeredAtMs >= sinceMs) return Promise.resolve();
    const { error, atMs } = this.#failed ?? {};
    if (error !== undefined && performance.now() - (atMs ?? 0) < FAILED_MS) return Promise.reject(error);
    this.#starting ??= this.#start()
      .catch((cause) => {
        const explained = this.#explained(cause);
        this.#failed = { error: explained, atMs: performance.now() };
        throw explained;
      })
      .finally(() => {
        this.#starting = undefined;
      });
    return this.#starting;
  }

  async #start(): Promise<void> {
    const { program, target, user, env } = this.options;
    const { command, port, name } = program;
    if (command === null)
      throw new ProgramError(
        `nothing listens on its port ${port}, and its image says no command that starts it (label berth.program.${name}.command)`,
      );
    const log = `/tmp/berth-program-${name}.log`;
    const argv = ["/bin/sh", "-c", START, "sh", log, ...command];
    const started = target.stream({ user, argv, env }, null);
    void started.stdout.cancel().catch(() => undefined);
    const failed = started.exited.then(async (code) => {
      // One that goes on in the background has ended well.
      if (code === 0) return new Promise<never>(() => undefined);
      throw new ProgramError(`its command ended with code ${code}${await this.#lastWords(log)}`);
    });
    const answered = this.#open(START_MS_MAX).then((inside) => void inside.destroy());
    // The one that comes second has nobody left who waits for it.
    failed.catch(() => undefined);
    answered.catch(() => undefined);
    try {
      await Promise.race([answered, failed]);
    } catch (error) {
      if (error instanceof ProgramError) throw error;
      if (isRefused(error))
        throw new ProgramError(
          `it did not answer on its port ${port} within ${START_MS_MAX / 1_000} s${await this.#lastWords(log)}`,
        );
      throw error;
    }
  }

  /** What it wrote last, where that can be had. */
  async #lastWords(log: string): Promise<string> {
    const { target, user } = this.options;
    const tail = await target
      .run({ user, argv: ["/bin/sh", "-c", 'tail -n "$1" "$2" 2>/dev/null', "sh", String(SAID_LINES), log] })
      .catch(() => null);
    const said = tail?.stdout.replace(/\p{Cc}+/gu, " ").trim() ?? "";
    return said === "" ? `; what it writes is in ${log}` : `, and said: ${said.slice(-SAID_CHARS_MAX)}`;
  }

  #explained(error: unknown): ProgramError {
    if (error instanceof ProgramError) return error;
    if (error instanceof Overloaded)
      return new ProgramError("too many programs of this container are under way at once: try again soon");
    return new ProgramError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

const isRefused = (error: unknown): boolean => error instanceof RelayError && error.reason === "refused";
