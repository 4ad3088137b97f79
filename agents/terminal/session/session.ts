import { foregroundOn, rgbOf } from "../parameters/colours.ts";
import type { Exit } from "../process/machine.ts";
import { Screen } from "../screen/screen.ts";
import { Client, type ClientPort } from "./client.ts";
import type { SessionProcess, StartProcess } from "./process.ts";
import { CLOSE, type Size } from "./protocol.ts";

/** Input that a program has not read. A paste of a whole book fits; a program that never reads must not take more. */
export const INPUT_BYTES_MAX = 16 << 20;
const FIRST_SIZE: Size = { cols: 80, rows: 24 };

export interface SessionOptions {
  readonly id: number;
  readonly backgroundColor: string;
  /** Where its shell is: `bash`, `ssh user@host`. */
  readonly description: string;
  /** The user of its machine that it runs as; null for the service's own. */
  readonly user: string | null;
  readonly start: StartProcess;
  /** Called once, when the process has ended. */
  readonly onEnd: (session: Session) => void;
}

/** One terminal: a process, the screen that it draws, and any number of people who look at it. */
export class Session {
  readonly id: number;
  readonly description: string;
  readonly user: string | null;
  readonly createdAt = new Date();
  readonly #screen: Screen;
  readonly #clients = new Set<Client>();
  readonly #onEnd: (session: Session) => void;
  #process: SessionProcess | null = null;
  #exit: (Exit & { reason: string | null }) | null = null;
  #endedAt: number | null = null;
  #reason: string | null = null;
  #name: string | null = null;
  #isEnding = false;

  private constructor(options: SessionOptions) {
    this.id = options.id;
    this.description = options.description;
    this.user = options.user;
    this.#onEnd = options.onEnd;
    this.#screen = new Screen({
      ...FIRST_SIZE,
      reply: (text) => this.#process?.write(Buffer.from(text)),
      foreground: rgbOf(foregroundOn(options.backgroundColor)),
      background: rgbOf(options.backgroundColor),
    });
  }

  /** Starts the process. Rejects with what the start rejects with, and then there is no session. */
  static async start(options: SessionOptions): Promise<Session> {
    const session = new Session(options);
    session.#process = await options.start(FIRST_SIZE, {
      output: (bytes) => session.#output(bytes),
      exited: (exit) => session.#exited(exit),
    });
    if (session.#isEnding) session.#process.end();
    return session;
  }

  get isRunning(): boolean {
    return this.#exit === null;
  }

  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  get name(): string | null {
    return this.#name;
  }

  get size(): Size {
    return { cols: this.#screen.cols, rows: this.#screen.rows };
  }

  get title(): string {
    return this.#screen.title;
  }

  get clients(): number {
    return this.#clients.size;
  }

  /** When its process ended, by `performance.now()`; null while it runs. */
  get endedAt(): number | null {
    return this.#endedAt;
  }

  get exit(): (Exit & { reason: string | null }) | null {
    return this.#exit;
  }

  /** The text on its screen. */
  text(): string {
    return this.#screen.text();
  }

  attach(port: ClientPort, options: { readonly: boolean; size: Size }, resume: string): Client {
    const source = {
      snapshot: () => this.#screen.snapshot(),
      session: this,
      get size(): Size {
        return this.session.size;
      },
    };
    const client = new Client(port, source, options);
    port.sendMessage({ type: "attached", id: this.id, name: this.#name, readonly: options.readonly, resume });
    this.#clients.add(client);
    this.#fit();
    client.catchUp();
    this.#tell();
    if (this.#exit !== null) this.#close(client);
    return client;
  }

  detach(client: Client): void {
    client.stop();
    if (!this.#clients.delete(client)) return;
    this.#fit();
    this.#tell();
  }

  /** What a person types. */
  input(client: Client, bytes: Uint8Array): void {
    if (client.isReadonly || this.#process === null || this.#exit !== null) return;
    if (this.#process.pending + bytes.length > INPUT_BYTES_MAX) {
      client.port.sendMessage({ type: "notice", text: "The program does not read: input was not taken." });
      return;
    }
    this.#process.write(bytes);
  }

  resize(client: Client, size: Size): void {
    if (client.isReadonly) return;
    client.size = size;
    this.#fit();
  }

  rename(name: string | null): void {
    this.#name = name;
    for (const client of this.#clients) client.port.sendMessage({ type: "name", name });
  }

  /** @param reason what its viewers are told */
  end(reason: string): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#reason = reason;
    this.#process?.end();
  }

  #output(bytes: Uint8Array): void {
    this.#screen.feed(bytes);
    for (const client of this.#clients) client.output(bytes);
  }

  #exited(exit: Exit): void {
    if (this.#exit !== null) return;
    this.#exit = { ...exit, reason: this.#reason };
    this.#endedAt = performance.now();
    for (const client of [...this.#clients]) this.#close(client);
    this.#onEnd(this);
  }

  #close(client: Client): void {
    client.finish();
    const { code = null, signal = null, reason = null } = this.#exit ?? {};
    client.port.sendMessage({ type: "exit", code, signal, reason });
    client.port.close(CLOSE.ended, "the session has ended");
  }

  /** Takes the smallest of its viewers' sizes, so that everybody sees all. The last one stays when nobody looks. */
  #fit(): void {
    const sizes = [...this.#clients].flatMap(({ size }) => (size === null ? [] : [size]));
    if (sizes.length === 0) return;
    const cols = Math.min(...sizes.map((size) => size.cols));
    const rows = Math.min(...sizes.map((size) => size.rows));
    if (cols === this.size.cols && rows === this.size.rows) return;
    this.#screen.resize(cols, rows);
    if (this.#exit === null) this.#process?.resize(cols, rows);
    for (const client of this.#clients) client.resized({ cols, rows });
  }

  #tell(): void {
    for (const { port } of this.#clients) port.sendMessage({ type: "clients", count: this.#clients.size });
  }
}
