import type { Socket } from "bun";
import { identify, isRunning, type ProcessIdentity, signal } from "../../../system/process-identity.ts";
import { Attachment } from "./attachment.ts";
import type { OrphanWatchdog } from "./orphan-watchdog.ts";
import { END_MS_MAX, Program, TAIL_BYTES_MAX } from "./program.ts";
import {
  decodeOffset,
  EventFrame,
  FrameReader,
  frame,
  jsonFrame,
  ProtocolError,
  type Reply,
  type Request,
  RequestFrame,
} from "./protocol.ts";
import { WriteBuffer } from "./write-buffer.ts";

/** The stored output of all programs together; each program keeps at least `TAIL_BYTES_MIN`. */
const TAILS_BYTES_MAX = 256 << 20;
const TAIL_BYTES_MIN = 256 << 10;
/** Ended programs that are kept until an agent has seen their end. */
const ENDED_MAX = 256;
const ENDED_MS_MAX = 24 * 60 * 60 * 1000;
/** The time from the hang-up to the kill of programs that ignore it, and a little more. */
const END_ALL_MS_MAX = 7_000;

interface State {
  readonly writeBuffer: WriteBuffer;
  readonly reader: FrameReader;
  program: Program | null;
  attachment: Attachment | null;
}

/** Holds programs on PTYs for an agent that may be restarted. */
export class PtyHost {
  readonly #programs = new Map<number, Program>();
  /** Further processes of each program. */
  readonly #guarded = new Map<number, ProcessIdentity[]>();
  readonly #connections = new Set<Socket<State>>();
  readonly #watchdog: OrphanWatchdog;
  readonly #onIdle: () => void;
  #owner: { readonly socket: Socket<State>; readonly pid: number } | null = null;
  #lastKey = 0;
  #idle: Timer | undefined;

  /** @param options.onIdle called when it had no program and no agent for `idleMs`, or was told to end */
  constructor(
    private readonly options: {
      readonly watchdog: OrphanWatchdog;
      readonly idleMs: number;
      readonly onIdle: () => void;
    },
  ) {
    this.#watchdog = options.watchdog;
    this.#onIdle = options.onIdle;
    this.#checkIdle();
  }

  /** The handler for `Bun.listen`. */
  get handler() {
    return {
      open: (socket: Socket<State>) => this.#opened(socket),
      data: (socket: Socket<State>, bytes: Buffer) => this.#received(socket, bytes),
      drain: ({ data }: Socket<State>) => {
        if (data.attachment === null) data.writeBuffer.flush();
        else data.attachment.pump();
      },
      close: (socket: Socket<State>) => this.#closed(socket),
      error: (socket: Socket<State>) => socket.end(),
    };
  }

  /** Ends all programs. Settles when they have ended, or after a time limit. */
  async endAll(): Promise<void> {
    for (const program of this.#programs.values()) program.hangUp();
    const limit = performance.now() + END_ALL_MS_MAX;
    const isOver = () => [...this.#programs.values()].every(({ exit }) => exit !== null);
    while (!isOver() && performance.now() < limit) await Bun.sleep(20);
  }

  #opened(socket: Socket<State>): void {
    const reader = new FrameReader((type, payload) => this.#handle(socket, type, payload));
    socket.data = { writeBuffer: new WriteBuffer(socket), reader, program: null, attachment: null };
    this.#connections.add(socket);
    this.#checkIdle();
  }

  #received(socket: Socket<State>, bytes: Buffer): void {
    try {
      socket.data.reader.push(bytes);
    } catch (error) {
      console.error("a connection breaks the protocol:", String(error));
      socket.end();
    }
  }

  #closed(socket: Socket<State>): void {
    this.#connections.delete(socket);
    if (this.#owner?.socket === socket) this.#owner = null;
    const { program, attachment } = socket.data;
    if (program !== null && program.reader === attachment) program.reader = null;
    this.#checkIdle();
  }

  #handle(socket: Socket<State>, type: number, payload: Buffer): void {
    const { program, attachment } = socket.data;
    if (type === RequestFrame.request) {
      if (program !== null) throw new ProtocolError("this connection is a program's");
      void this.#onRequest(socket, JSON.parse(payload.toString()));
      return;
    }
    if (program === null || attachment === null) throw new ProtocolError("a request comes first");
    if (type === RequestFrame.begin) attachment.begin();
    else if (type === RequestFrame.input) program.input(decodeOffset(payload), payload.subarray(8));
    else if (type === RequestFrame.resize)
      program.resize(decodeOffset(payload), payload.readUInt16LE(8), payload.readUInt16LE(10));
    else if (type === RequestFrame.store)
      program.store(decodeOffset(payload), Buffer.from(payload.subarray(8)));
    else if (type === RequestFrame.guard) this.#guard(program, payload);
    else if (type === RequestFrame.hangUp) program.hangUp();
    else if (type === RequestFrame.kill) program.kill();
    else if (type === RequestFrame.release) this.#release(program);
  }

  async #onRequest(socket: Socket<State>, request: Request): Promise<void> {
    const reply = (answer: Reply) => socket.data.writeBuffer.send(jsonFrame(EventFrame.reply, answer));
    try {
      reply(await this.#reply(socket, request));
    } catch (error) {
      reply({ ok: false, problem: error instanceof Error ? error.message : String(error) });
      return;
    }
    const { program } = socket.data;
    if (program === null) return;
    // The output waits for `begin`, since the agent may still be handling the reply.
    if (request.act === "attach")
      socket.data.writeBuffer.send(frame(EventFrame.record, program.record.bytes));
  }

  async #reply(socket: Socket<State>, request: Request): Promise<Reply> {
    switch (request.act) {
      case "own":
        if (this.#owner !== null) return { ok: false, problem: `process ${this.#owner.pid} is its agent` };
        this.#owner = { socket, pid: request.pid };
        return { ok: true };
      case "list":
        return {
          ok: true,
          held: [...this.#programs.values()].map(({ key, owner, pid, isEnding: ending }) => ({
            ...{ key, owner, pid, ending },
          })),
        };
      case "spawn": {
        // This process was stopped meanwhile, and the agent has started the program in another way.
        if (Date.now() > (request.until ?? Infinity)) return { ok: false, problem: "it is too late" };
        const program = this.#spawn(request);
        this.#attach(socket, program);
        return { ok: true, program: program.attached };
      }
      case "attach": {
        const program = this.#programs.get(request.key);
        if (program === undefined) return { ok: false, problem: "there is no such program" };
        this.#attach(socket, program);
        return { ok: true, program: program.attached };
      }
      case "end": {
        const program = this.#programs.get(request.key);
        if (program === undefined) return { ok: true };
        program.isUnwanted = true;
        if (program.exit === null) program.hangUp();
        else this.#release(program);
        return { ok: true };
      }
      case "end-all":
        await this.endAll();
        setTimeout(this.#onIdle);
        return { ok: true };
      default:
        return { ok: false, problem: "this PTY host does not know how" };
    }
  }

  #spawn(request: Extract<Request, { act: "spawn" }>): Program {
    const program = new Program({
      ...request,
      key: ++this.#lastKey,
      tailBytesMax: () =>
        Math.max(Math.min(TAIL_BYTES_MAX, TAILS_BYTES_MAX / this.#programs.size), TAIL_BYTES_MIN),
      onExit: (ended) => this.#ended(ended),
    });
    this.#programs.set(program.key, program);
    this.#track(program, program.pid);
    this.#checkIdle();
    return program;
  }

  #attach(socket: Socket<State>, program: Program): void {
    program.reader?.close();
    const attachment = new Attachment(program, socket, socket.data.writeBuffer);
    program.reader = attachment;
    Object.assign(socket.data, { program, attachment });
  }

  #guard(program: Program, payload: Buffer): void {
    const found: ProcessIdentity[] = [];
    for (let at = 0; at + 4 <= payload.length; at += 4)
      found.push(...this.#track(program, payload.readUInt32LE(at)));
    this.#guarded.set(program.key, found);
    if (program.exit !== null) this.#endGuarded(program);
  }

  #track(program: Program, pid: number): ProcessIdentity[] {
    const identity = identify(pid);
    if (identity === null) return [];
    this.#watchdog.watch(program.key, identity);
    return [identity];
  }

  /** Ends the further processes of a program: after the hang-up they have time to end, and are then killed. */
  #endGuarded(program: Program): void {
    const rest = (this.#guarded.get(program.key) ?? []).filter(isRunning);
    this.#guarded.delete(program.key);
    if (rest.length === 0) {
      this.#watchdog.forget(program.key);
      return;
    }
    setTimeout(() => {
      for (const one of rest) signal(one, "SIGKILL");
      this.#watchdog.forget(program.key);
    }, END_MS_MAX);
  }

  #ended(program: Program): void {
    this.#endGuarded(program);
    if (program.isUnwanted) this.#release(program);
    const ended = [...this.#programs.values()].filter(({ exit }) => exit !== null);
    for (const oldest of ended.slice(0, Math.max(ended.length - ENDED_MAX, 0))) this.#release(oldest);
    setTimeout(() => this.#release(program), ENDED_MS_MAX).unref();
  }

  #release(program: Program): void {
    if (program.exit === null) return;
    this.#programs.delete(program.key);
    this.#checkIdle();
  }

  /** Ends the PTY host after a time without programs and agents. */
  #checkIdle(): void {
    clearTimeout(this.#idle);
    if (this.#programs.size === 0 && this.#connections.size === 0) {
      this.#idle = setTimeout(this.#onIdle, this.options.idleMs);
    }
  }
}
