import { closeSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import type { HostedPtyProcess, StartOnPty } from "../../exec/target.ts";
import type { PtyStore } from "../session/adopt.ts";
import type { AdoptedPty } from "../session/process.ts";
import { PtyHostConnection, PtyHostError, REPLY_MS_MAX } from "./connection.ts";
import { EventFrame, encodeOffset, frame, type HostedPty, RequestFrame } from "./protocol.ts";
import { PtySession } from "./pty-session.ts";
import { otherSockets, prepareFolder, withSocketPath } from "./socket-path.ts";

const MAIN = join(import.meta.dir, "main.ts");
/** A process of Bun's is there within a fraction of a second. */
const START_MS_MAX = 10_000;
const START_POLL_MS = 20;
/** An agent that has just been killed is missed by its PTY host in no time. */
const OWN_MS_MAX = 3_000;
/** Hung up on, programs have five seconds. */
const END_ALL_MS_MAX = 10_000;
/** Between two tries to be the agent of a PTY host that answers, and does not take this one. */
const AGAIN_MS = { min: 1_000, max: 30_000 };
const LOG_BYTES_MAX = 1 << 20;
const NO_PTY_HOST = "there is no PTY host: this terminal will not outlive the process that serves it";

/**
 * Gives the PTY host a file system of PTYs that nobody else sees. A container's root is given one end of a PTY, and may change the owner and
 * the mode of its device node: on the host's own file system of PTYs, another user of the host could then read along.
 */
const WITH_OWN_PTYS = [
  ...["unshare", "--mount", "--propagation", "slave", "sh", "-c"],
  'mount -t devpts -o newinstance,ptmxmode=0666,mode=0600 devpts /dev/pts && mount --bind /dev/pts/ptmx /dev/ptmx && exec "$@"',
  "sh",
];

export interface PtyHostOptions {
  /** The PTYs are for programs of containers. It takes root. */
  readonly isForContainers?: boolean;
}

/** Somebody else has the PTY host. */
export class PtyHostTaken extends PtyHostError {}

/**
 * The PTY host of this agent: a process of its own that holds the PTYs, so that what runs on them outlives the agent. It is started
 * when it is first needed.
 */
export class PtyHostClient {
  readonly #folder: string;
  readonly #report: (message: string, error?: unknown) => void;
  readonly #command: readonly string[];
  /** One at a time looks for the connection. */
  #turn: Promise<PtyHostConnection | null> = Promise.resolve(null);
  /** Programs that this process started or took up. */
  readonly #adopted = new Set<number>();
  readonly #starting = new Set<Promise<unknown>>();
  /** Waits for the answer of a PTY host that hangs; one question for all who wait. */
  #reply: Promise<void> | null = null;
  #asking: PtyHostConnection | null = null;
  #isClosed = false;

  /** @param folder its own, which nobody else enters */
  constructor(
    folder: string,
    report: (message: string, error?: unknown) => void,
    { isForContainers = false }: PtyHostOptions = {},
  ) {
    this.#folder = folder;
    this.#report = report;
    this.#command = [...(isForContainers ? WITH_OWN_PTYS : []), process.execPath, MAIN, folder];
    prepareFolder(folder);
  }

  /**
   * What it holds from before; nothing when there is no PTY host.
   *
   * @throws PtyHostTaken when another agent is at work
   */
  async list(): Promise<readonly HostedPty[]> {
    await this.#reportOlderHosts();
    const control = await this.#reconnect(false);
    return (await control?.request({ act: "list" }))?.held ?? [];
  }

  /**
   * Does what needs an answer of the PTY host. Where that hangs, or has another agent, this settles after the first try, and it is done again
   * when the PTY host answers, or is gone.
   */
  async retryUntilAvailable(act: () => Promise<void>): Promise<void> {
    try {
      this.#assertAnswering();
      await act();
    } catch (error) {
      if (!(error instanceof PtyHostError)) throw error;
      this.#report("what the PTY host holds is adopted when it answers", error);
      void this.#retry(act);
    }
  }

  async #retry(act: () => Promise<void>): Promise<void> {
    for (let pause = AGAIN_MS.min; ; pause = Math.min(2 * pause, AGAIN_MS.max)) {
      this.#reply ??= this.#untilReply().finally(() => {
        this.#reply = null;
      });
      await this.#reply;
      if (this.#isClosed) return;
      try {
        await act();
        return;
      } catch (error) {
        if (!(error instanceof PtyHostError)) {
          this.#report("what the PTY host holds could not be adopted", error);
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, pause).unref());
      }
    }
  }

  /** Nobody waits again for what is waited for already. */
  #assertAnswering(): void {
    if (this.#reply !== null) throw new PtyHostError("the PTY host does not answer");
  }

  /** On one connection, however long it takes: each further one would fill the queue of a PTY host that hangs. */
  async #untilReply(): Promise<void> {
    this.#asking = await this.#connect();
    await this.#asking?.request({ act: "list" }, null).catch(() => undefined);
    this.#asking?.close();
  }

  /** What it holds for one owner, and this process has not. */
  async #listLeft(owner: string): Promise<readonly HostedPty[]> {
    const held = await this.list();
    // One that was being started when the PTY host was asked is known only when its start is over.
    await Promise.allSettled(this.#starting);
    return held.filter((one) => one.owner === owner && !this.#adopted.has(one.key));
  }

  /**
   * The part of it that is one owner's.
   *
   * @param location where a session that starts now runs
   */
  forOwner(owner: string, location: () => string): PtyStore {
    return {
      location,
      list: () => this.#listLeft(owner),
      retryUntilAvailable: (act) => this.retryUntilAvailable(act),
      find: (held) => this.find(held),
      end: (held) => this.end(held),
      start: (record, ...started) => this.start(owner, record, ...started),
    };
  }

  /** Starts a program; null when there is no PTY host to be had, which has been reported. */
  async start(
    owner: string,
    record: Uint8Array,
    ...started: Parameters<StartOnPty>
  ): Promise<HostedPtyProcess | null> {
    const starting = this.#start(owner, record, ...started);
    this.#starting.add(starting);
    try {
      return await starting;
    } finally {
      this.#starting.delete(starting);
    }
  }

  async #start(
    owner: string,
    record: Uint8Array,
    ...[argv, options, terminal]: Parameters<StartOnPty>
  ): Promise<HostedPtyProcess | null> {
    const { cols, rows } = terminal;
    const connection = await this.#connectionForProgram();
    if (connection === null) return null;
    const until = Date.now() + REPLY_MS_MAX;
    const asked = { act: "spawn", owner, argv, ...options, cols, rows, until } as const;
    const reply = await connection.request(asked).catch((error: Error) => error);
    if (reply instanceof Error) {
      const isGone = connection.isClosed;
      connection.close();
      if (!isGone) throw reply;
      this.#report(NO_PTY_HOST, reply);
      return null;
    }
    const { program } = reply;
    if (program === undefined) throw new PtyHostError("the PTY host started nothing");
    this.#adopted.add(program.key);
    const pty = new PtySession(connection, program, terminal);
    connection.writeBuffer.send(frame(RequestFrame.store, encodeOffset(0), record));
    pty.begin();
    return pty;
  }

  /** @throws PtyHostError when it is not there any more */
  async find({ key }: HostedPty): Promise<AdoptedPty> {
    const connection = await PtyHostConnection.open(this.#folder);
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const shown = Promise.withResolvers<void>();
    connection.onFrame = (type, payload) => {
      if (type === EventFrame.record) resolve(payload);
    };
    connection.onClose = () => reject(new PtyHostError("the PTY host is gone"));
    const [{ program }, record] = await Promise.all([connection.request({ act: "attach", key }), promise]);
    if (program === undefined) throw new PtyHostError("the PTY host attached nothing");
    this.#adopted.add(key);
    return {
      record,
      given: program.given,
      taken: program.taken,
      ended: program.ended ?? false,
      start: (terminal) => {
        const pty = new PtySession(connection, program, terminal, shown.resolve);
        pty.begin();
        return pty;
      },
      shown: shown.promise,
      close: () => {
        connection.onClose = () => undefined;
        connection.close();
      },
    };
  }

  /** Ends a program that nobody wants any more. */
  async end({ key }: HostedPty): Promise<void> {
    await (await this.#reconnect(false))?.request({ act: "end", key });
  }

  /** Ends it with all that it holds. */
  async endAll(): Promise<void> {
    try {
      await (await this.#reconnect(false))?.request({ act: "end-all" }, END_ALL_MS_MAX);
    } catch (error) {
      this.#report("the PTY host did not end", error);
    }
  }

  /** Leaves it, with what it holds, to whoever comes next. */
  close(): void {
    this.#isClosed = true;
    this.#asking?.close();
    void this.#turn.then((connection) => connection?.close()).catch(() => undefined);
    this.#turn = Promise.resolve(null);
  }

  async #connectionForProgram(): Promise<PtyHostConnection | null> {
    try {
      this.#assertAnswering();
      await this.#reconnect(true);
      return await PtyHostConnection.open(this.#folder);
    } catch (error) {
      if (error instanceof PtyHostTaken) throw error;
      this.#report(NO_PTY_HOST, error);
      return null;
    }
  }

  /** The connection by which this process is the PTY host's one agent; null when there is no PTY host and none is to be started. */
  #reconnect(start: boolean): Promise<PtyHostConnection | null> {
    const turn = this.#turn.catch(() => null).then((before) => this.#reconnectNow(before, start));
    this.#turn = turn;
    return turn;
  }

  async #reconnectNow(before: PtyHostConnection | null, start: boolean): Promise<PtyHostConnection | null> {
    if (before !== null && !before.isClosed) return before;
    const connection = (await this.#connect()) ?? (start ? await this.#launch() : null);
    if (connection === null) return null;
    const limit = performance.now() + OWN_MS_MAX;
    for (;;) {
      try {
        await connection.request({ act: "own", pid: process.pid });
        return connection;
      } catch (error) {
        if (connection.isClosed) throw error;
        if (performance.now() > limit) {
          connection.close();
          throw new PtyHostTaken((error as Error).message);
        }
        await Bun.sleep(START_POLL_MS);
      }
    }
  }

  #connect(): Promise<PtyHostConnection | null> {
    return PtyHostConnection.open(this.#folder).catch(() => null);
  }

  async #launch(): Promise<PtyHostConnection> {
    const log = join(this.#folder, "log");
    const isLong = (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_MAX;
    const descriptor = openSync(log, isLong ? "w" : "a", 0o600);
    const child = Bun.spawn([...this.#command], {
      cwd: "/",
      // Everything else in this process's environment is its own.
      env: { PATH: process.env.PATH ?? "", LANG: process.env.LANG ?? "C.UTF-8" },
      stdio: ["ignore", descriptor, descriptor],
      // Neither Ctrl-C at a terminal nor the end of this process reaches it.
      detached: true,
    });
    closeSync(descriptor);
    child.unref();
    const limit = performance.now() + START_MS_MAX;
    while (performance.now() < limit) {
      const connection = await this.#connect();
      if (connection !== null) return connection;
      await Bun.sleep(START_POLL_MS);
    }
    throw new PtyHostError(`the PTY host did not start: see ${log}`);
  }

  /** What PTY hosts of other versions hold goes on, but cannot be shown. */
  async #reportOlderHosts(): Promise<void> {
    for (const name of otherSockets(this.#folder)) {
      const isAlive = await withSocketPath(
        this.#folder,
        (unix) => Bun.connect({ unix, socket: { data: () => undefined } }),
        name,
      ).then(
        (socket) => {
          socket.end();
          return true;
        },
        () => false,
      );
      if (!isAlive) continue;
      this.#report(
        `a PTY host of another version listens on ${join(this.#folder, name)}: its sessions go on unseen until they end, or it does`,
      );
    }
  }
}
