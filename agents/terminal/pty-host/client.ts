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
/** A Bun process starts within a fraction of a second. */
const START_MS_MAX = 10_000;
const START_POLL_MS = 20;
/** A PTY host notices the end of a killed agent almost at once. */
const OWN_MS_MAX = 3_000;
/** After the hang-up, programs have five seconds to end. */
const END_ALL_MS_MAX = 10_000;
/** The pauses between attempts to become the agent of a PTY host that responds and has another agent. */
const AGAIN_MS = { min: 1_000, max: 30_000 };
const LOG_BYTES_MAX = 1 << 20;
const NO_PTY_HOST = "there is no PTY host: this terminal will not outlive the process that serves it";

/**
 * Gives the PTY host a private devpts mount. A container's root gets one end of a PTY, and may change the owner and
 * mode of its device node: on the host's own devpts, another user of the host could then read the terminal.
 */
const WITH_OWN_PTYS = [
  ...["unshare", "--mount", "--propagation", "slave", "sh", "-c"],
  'mount -t devpts -o newinstance,ptmxmode=0666,mode=0600 devpts /dev/pts && mount --bind /dev/pts/ptmx /dev/ptmx && exec "$@"',
  "sh",
];

export interface PtyHostOptions {
  /** Whether the PTYs are for programs of containers. It needs root. */
  readonly isForContainers?: boolean;
}

/** Another agent uses the PTY host. */
export class PtyHostTaken extends PtyHostError {}

/**
 * A client of this agent's PTY host, a separate process that holds the PTYs, so that programs on them outlive the
 * agent. It is started at its first use.
 */
export class PtyHostClient {
  readonly #folder: string;
  readonly #report: (message: string, error?: unknown) => void;
  readonly #command: readonly string[];
  /** Serializes the search for the connection. */
  #turn: Promise<PtyHostConnection | null> = Promise.resolve(null);
  /** Programs that this process has started or adopted. */
  readonly #adopted = new Set<number>();
  readonly #starting = new Set<Promise<unknown>>();
  /** The pending reply of a hanging PTY host, shared by all callers. */
  #reply: Promise<void> | null = null;
  #asking: PtyHostConnection | null = null;
  #isClosed = false;

  /** @param folder a private folder */
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

  /** The programs that it holds; none if there is no PTY host. @throws PtyHostTaken when another agent uses it */
  async list(): Promise<readonly HostedPty[]> {
    await this.#reportOlderHosts();
    const control = await this.#reconnect(false);
    return (await control?.request({ act: "list" }))?.held ?? [];
  }

  /**
   * Runs an action that needs a reply of the PTY host. If it hangs, or has another agent, this settles after the
   * first attempt, and the action is repeated when the PTY host responds, or is gone.
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

  /** @throws PtyHostError while a reply of a hanging PTY host is pending */
  #assertAnswering(): void {
    if (this.#reply !== null) throw new PtyHostError("the PTY host does not answer");
  }

  /** Waits without a time limit on one connection; further connections would fill the queue of a hanging PTY host. */
  async #untilReply(): Promise<void> {
    this.#asking = await this.#connect();
    await this.#asking?.request({ act: "list" }, null).catch(() => undefined);
    this.#asking?.close();
  }

  /** The programs of one owner that this process has not adopted. */
  async #listLeft(owner: string): Promise<readonly HostedPty[]> {
    const held = await this.list();
    // A program whose start is in progress is known only after its start.
    await Promise.allSettled(this.#starting);
    return held.filter((one) => one.owner === owner && !this.#adopted.has(one.key));
  }

  /** The store of one owner's programs. @param location the location of a session that starts now */
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

  /** Starts a program; null if no PTY host is available, which has been reported. */
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

  /** @throws PtyHostError when the program no longer exists */
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

  /** Ends a program. */
  async end({ key }: HostedPty): Promise<void> {
    await (await this.#reconnect(false))?.request({ act: "end", key });
  }

  /** Ends the PTY host with all its programs. */
  async endAll(): Promise<void> {
    try {
      await (await this.#reconnect(false))?.request({ act: "end-all" }, END_ALL_MS_MAX);
    } catch (error) {
      this.#report("the PTY host did not end", error);
    }
  }

  /** Disconnects. The next agent can adopt the programs. */
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

  /** The connection as the PTY host's only agent; null if there is no PTY host and `start` is false. */
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
      // The PTY host gets nothing else of this process's environment.
      env: { PATH: process.env.PATH ?? "", LANG: process.env.LANG ?? "C.UTF-8" },
      stdio: ["ignore", descriptor, descriptor],
      // Neither Ctrl+C on a terminal nor the end of this process affects it.
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

  /** Logs PTY hosts of other versions: their sessions continue, but cannot be shown. */
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
