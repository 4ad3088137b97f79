import { type AnyAuthMethod, Client, type ClientChannel, type NextAuthHandler } from "ssh2";
import type { SshTarget } from "../parameters/parse.ts";
import type { ProcessEvents, SessionProcess, StartProcess } from "../session/process.ts";
import { CONNECT_MS_MAX, openSocket, SshError, type SshOptions } from "./connect.ts";
import { fingerprint, HostKeyChanged } from "./known-hosts.ts";
import { Questions } from "./questions.ts";

/** The same as ssh. */
const PASSWORD_TRIES = 3;
const KEEPALIVE_MS = 30_000;

const BROKEN = "The SSH connection broke off.";

class TimedOut extends Error {
  override readonly name = "TimedOut";
}

export interface SshSessionOptions extends SshOptions {
  /** Run once before the shell. */
  readonly command: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** Lines that are shown first. */
  readonly notes: readonly string[];
}

/**
 * A shell over SSH. It counts as started when the host has authenticated the user, or asks a question that only a
 * person can answer. Failures before that are thrown as SshError or HostKeyChanged.
 */
export const startSsh =
  (target: SshTarget, options: SshSessionOptions): StartProcess =>
  (size, events) =>
    new SshSession(target, options, size, events).start();

class SshSession implements SessionProcess {
  readonly pid = null;
  readonly #target: SshTarget;
  readonly #options: SshSessionOptions;
  readonly #events: ProcessEvents;
  readonly #client = new Client();
  readonly #questions: Questions;
  #channel: ClientChannel | null = null;
  #size: { cols: number; rows: number };
  /** Before the start, an end of the session fails the start. */
  #isStarted = false;
  #isOver = false;
  #exit: { code: number | null; signal: string | null } = { code: null, signal: null };
  #problem: Error | null = null;
  /** Whether the host has authenticated the user. */
  #isIn = false;
  #isGivenUp = false;
  #isEnded = false;
  /** Settles when there is a shell or a question. */
  readonly #start = Promise.withResolvers<void>();
  #waiting: Timer | undefined;

  constructor(
    target: SshTarget,
    options: SshSessionOptions,
    size: { cols: number; rows: number },
    events: ProcessEvents,
  ) {
    this.#target = target;
    this.#options = options;
    this.#size = size;
    this.#events = events;
    this.#questions = new Questions((text) => this.#show(text));
  }

  async start(): Promise<this> {
    for (const note of this.#options.notes) this.#show(`${note}\r\n`);
    this.#wait();
    try {
      await Promise.race([this.#connect(), this.#start.promise]);
      await this.#start.promise;
      return this;
    } catch (cause) {
      this.#isOver = true;
      clearTimeout(this.#waiting);
      this.#client.destroy();
      if (this.#problem instanceof HostKeyChanged) throw this.#problem;
      throw cause instanceof SshError ? cause : new SshError(this.#target.host, { cause });
    }
  }

  async #connect(): Promise<void> {
    const sock = await openSocket(this.#target, this.#options);
    if (this.#isOver) {
      // The session may have ended during name resolution or the proxy's handshake.
      sock.destroy();
      return;
    }
    this.#client.on("ready", () => {
      this.#isIn = true;
      this.#openShell();
    });
    this.#client.on("error", (error) => {
      this.#problem ??= error;
    });
    this.#client.on("close", () => {
      this.#start.reject(this.#problem ?? new Error("the connection ended"));
      this.#over();
    });
    this.#client.connect({
      sock,
      username: this.#target.user,
      authHandler: this.#nextMethod(),
      hostVerifier: (key: Buffer, verified: (ok: boolean) => void) => void this.#verify(key, verified),
      // ssh2's timeout would include the time in which the user answers; this class has its own.
      readyTimeout: 0,
      keepaliveInterval: KEEPALIVE_MS,
    });
  }

  /** Waits for the host from here on, with the time limit. */
  #wait(): void {
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => {
      this.#problem ??= new TimedOut();
      this.#start.reject(this.#problem);
      this.#client.destroy();
      this.#over();
    }, this.#options.answerMsMax ?? CONNECT_MS_MAX);
  }

  /** Waits for the user from here on, without a time limit. */
  #started(): void {
    clearTimeout(this.#waiting);
    this.#isStarted = true;
    this.#start.resolve();
  }

  /** Null when the user cancels, which ends the session. */
  async #ask(prompt: string, echo: boolean): Promise<string | null> {
    this.#started();
    const answer = await this.#questions.ask(prompt, echo);
    if (this.#isOver) return null;
    if (answer === null) {
      this.#isGivenUp = true;
      this.end();
    } else this.#wait();
    return answer;
  }

  get pending(): number {
    return this.#channel?.writableLength ?? 0;
  }

  write(bytes: Uint8Array): void {
    if (this.#channel === null) this.#questions.typed(bytes);
    else this.#channel.write(Buffer.from(bytes));
  }

  resize(cols: number, rows: number): void {
    this.#size = { cols, rows };
    this.#channel?.setWindow(rows, cols, 0, 0);
  }

  end(): void {
    this.#isEnded = true;
    this.#client.end();
    this.#client.destroy();
    this.#over();
  }

  #show(text: string): void {
    this.#events.output(Buffer.from(text));
  }

  async #verify(key: Buffer, verified: (ok: boolean) => void): Promise<void> {
    const { host, port } = this.#target;
    try {
      const isNew = await this.#options.knownHosts.check(port === 22 ? host : `[${host}]:${port}`, key);
      if (isNew) this.#show(`\x1b[2mNew host ${host}, its key is ${fingerprint(key)}\x1b[0m\r\n`);
      verified(true);
    } catch (error) {
      this.#problem = error as Error;
      verified(false);
    }
  }

  /** Authentication methods, in the order in which ssh tries them. */
  #nextMethod() {
    const { user: username, password, key } = this.#target;
    let next = 0;
    let tries = 0;
    const steps: ((left: readonly string[], proceed: NextAuthHandler) => boolean)[] = [
      (_, proceed) => {
        proceed({ type: "none", username });
        return true;
      },
      (left, proceed) => {
        if (key === null || !left.includes("publickey")) return false;
        proceed({
          type: "publickey",
          username,
          key,
          ...(password === null ? {} : { passphrase: password }),
        } as AnyAuthMethod);
        return true;
      },
      (left, proceed) => {
        if (password === null || !left.includes("password")) return false;
        proceed({ type: "password", username, password });
        return true;
      },
      (left, proceed) => {
        if (!left.includes("keyboard-interactive")) return false;
        proceed({ type: "keyboard-interactive", username, prompt: this.#answerPrompts(password) });
        return true;
      },
      (left, proceed) => {
        // The given password or key was rejected: report that instead of asking for others.
        if (password !== null || key !== null || !left.includes("password")) return false;
        void this.#askPassword(proceed, username);
        return true;
      },
    ];
    return (left: readonly string[] | null, _partial: boolean | null, proceed: NextAuthHandler) => {
      for (; next < steps.length; next++) {
        const isLast = next === steps.length - 1;
        if (!steps[next]?.(left ?? [], proceed)) continue;
        // The last method, a typed password, may be retried.
        if (!isLast || ++tries >= PASSWORD_TRIES) next += 1;
        return;
      }
      proceed(false as unknown as AnyAuthMethod);
    };
  }

  /**
   * Answers keyboard-interactive prompts: a single hidden prompt with the given password, others with what the user
   * types.
   */
  #answerPrompts(password: string | null) {
    let unused = password;
    return async (
      _name: string,
      instructions: string,
      _language: string,
      prompts: { prompt: string; echo?: boolean }[],
      finish: (answers: string[]) => void,
    ) => {
      const answers: string[] = [];
      let said = instructions ? `${instructions}\n` : "";
      for (const { prompt, echo = false } of prompts) {
        if (unused !== null && prompts.length === 1 && !echo) {
          answers.push(unused);
          unused = null;
          continue;
        }
        const answer = await this.#ask(said + prompt, echo);
        said = "";
        if (answer === null) return;
        answers.push(answer);
      }
      finish(answers);
    };
  }

  async #askPassword(proceed: NextAuthHandler, username: string): Promise<void> {
    const password = await this.#ask(`${username}@${this.#target.host}'s password: `, false);
    if (password !== null) proceed({ type: "password", username, password });
  }

  #openShell(): void {
    const { command, env } = this.#options;
    const { cols, rows } = this.#size;
    const pty = { term: "xterm-256color", cols, rows, width: 0, height: 0 };
    const opened = (error: Error | undefined, channel: ClientChannel) => {
      if (error) {
        this.#problem = error;
        this.#client.end();
        return;
      }
      this.#channel = channel;
      // The size may have changed while the shell was being opened.
      channel.setWindow(this.#size.rows, this.#size.cols, 0, 0);
      channel.on("data", (bytes: Buffer) => this.#events.output(bytes));
      channel.stderr.on("data", (bytes: Buffer) => this.#events.output(bytes));
      channel.on("exit", (code: number | null, signal?: string) => {
        this.#exit = { code, signal: signal ?? null };
      });
      channel.on("close", () => {
        this.#problem = null;
        this.#client.end();
        this.#over();
      });
      const ahead = this.#questions.takeAhead();
      if (ahead.length > 0) channel.write(Buffer.from(ahead));
      this.#started();
    };
    if (command === null) this.#client.shell(pty, { env }, opened);
    else this.#client.exec(`${command}\nexec "\${SHELL:-/bin/sh}" -l`, { pty, env }, opened);
  }

  #over(): void {
    clearTimeout(this.#waiting);
    if (this.#isOver || !this.#isStarted) return;
    this.#isOver = true;
    const ending = this.#ending();
    if (ending !== null) this.#show(`\r\n${ending}\r\n`);
    this.#events.exited(this.#exit);
  }

  /** A message about the end, for a user who saw the session start. */
  #ending(): string | null {
    const problem = this.#problem as (Error & { readonly level?: string }) | null;
    if (this.#channel !== null) return problem === null ? null : BROKEN;
    if (this.#isEnded && !this.#isGivenUp) return null;
    if (this.#isGivenUp) return "No SSH connection: it was given up.";
    if (problem instanceof TimedOut) return "No SSH connection: the host did not answer in time.";
    if (this.#isIn) return "No SSH connection: the host opened no shell.";
    const isBroken = problem === null || problem.level === "client-socket";
    return isBroken ? BROKEN : "No SSH connection: these credentials were not accepted.";
  }
}
