import { closeSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import type { KeptProcess, StartOnPty } from "../../exec/target.ts";
import type { Keep } from "../session/adopt.ts";
import type { Found } from "../session/process.ts";
import { KeeperError, KeeperLink, REPLY_MS_MAX } from "./link.ts";
import { frame, type Held, place, SAY, TELL } from "./protocol.ts";
import { KeptPty } from "./pty-session.ts";
import { otherSockets, prepareFolder, withSocketPath } from "./socket-path.ts";

const MAIN = join(import.meta.dir, "main.ts");
/** A process of Bun's is there within a fraction of a second. */
const START_MS_MAX = 10_000;
const START_POLL_MS = 20;
/** An agent that has just been killed is missed by its keeper in no time. */
const OWN_MS_MAX = 3_000;
/** Hung up on, programs have five seconds. */
const END_ALL_MS_MAX = 10_000;
/** Between two tries to be the agent of a keeper that answers, and does not take this one. */
const AGAIN_MS = { min: 1_000, max: 30_000 };
const LOG_BYTES_MAX = 1 << 20;
const NO_KEEPER = "there is no keeper: this terminal will not outlive the process that serves it";

/** Somebody else has the keeper. */
export class KeeperTaken extends KeeperError {}

/**
 * The keeper of this agent: a process of its own that holds the PTYs, so that what runs on them outlives the agent. It is started
 * when it is first needed.
 */
export class TerminalKeeper {
  readonly #folder: string;
  readonly #report: (message: string, error?: unknown) => void;
  /** One at a time looks for the connection. */
  #turn: Promise<KeeperLink | null> = Promise.resolve(null);
  /** Programs that this process started or took up. */
  readonly #taken = new Set<number>();
  readonly #starting = new Set<Promise<unknown>>();
  /** Waits for the answer of a keeper that hangs; one question for all who wait. */
  #answer: Promise<void> | null = null;
  #asking: KeeperLink | null = null;
  #isClosed = false;

  /** @param folder its own, which nobody else enters */
  constructor(folder: string, report: (message: string, error?: unknown) => void) {
    this.#folder = folder;
    this.#report = report;
    prepareFolder(folder);
  }

  /**
   * What it holds from before; nothing when there is no keeper.
   *
   * @throws KeeperTaken when another agent is at work
   */
  async held(): Promise<readonly Held[]> {
    await this.#lookForOthers();
    const control = await this.#own(false);
    return (await control?.ask({ act: "list" }))?.held ?? [];
  }

  /**
   * Does what needs an answer of the keeper. Where that hangs, or has another agent, this settles after the first try, and it is done again
   * when the keeper answers, or is gone.
   */
  async insist(act: () => Promise<void>): Promise<void> {
    try {
      this.#notHanging();
      await act();
    } catch (error) {
      if (!(error instanceof KeeperError)) throw error;
      this.#report("what the keeper holds is taken up when it answers", error);
      void this.#insist(act);
    }
  }

  async #insist(act: () => Promise<void>): Promise<void> {
    for (let pause = AGAIN_MS.min; ; pause = Math.min(2 * pause, AGAIN_MS.max)) {
      this.#answer ??= this.#untilAnswer().finally(() => {
        this.#answer = null;
      });
      await this.#answer;
      if (this.#isClosed) return;
      try {
        await act();
        return;
      } catch (error) {
        if (!(error instanceof KeeperError)) {
          this.#report("what the keeper holds could not be taken up", error);
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, pause).unref());
      }
    }
  }

  /** Nobody waits again for what is waited for already. */
  #notHanging(): void {
    if (this.#answer !== null) throw new KeeperError("the keeper does not answer");
  }

  /** On one connection, however long it takes: each further one would fill the queue of a keeper that hangs. */
  async #untilAnswer(): Promise<void> {
    this.#asking = await this.#connect();
    await this.#asking?.ask({ act: "list" }, null).catch(() => undefined);
    this.#asking?.close();
  }

  /** What it holds for one owner, and this process has not. */
  async #left(owner: string): Promise<readonly Held[]> {
    const held = await this.held();
    // One that was being started when the keeper was asked is known only when its start is over.
    await Promise.allSettled(this.#starting);
    return held.filter((one) => one.owner === owner && !this.#taken.has(one.key));
  }

  /**
   * The part of it that is one owner's.
   *
   * @param place what a session belongs to that is started now
   */
  of(owner: string, place: () => string): Keep {
    return {
      place,
      held: () => this.#left(owner),
      insist: (act) => this.insist(act),
      find: (held) => this.find(held),
      end: (held) => this.end(held),
      start: (record, ...started) => this.start(owner, record, ...started),
    };
  }

  /** Starts a program; null when there is no keeper to be had, which has been reported. */
  async start(
    owner: string,
    record: Uint8Array,
    ...started: Parameters<StartOnPty>
  ): Promise<KeptProcess | null> {
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
  ): Promise<KeptProcess | null> {
    const { cols, rows } = terminal;
    const link = await this.#forProgram();
    if (link === null) return null;
    const until = Date.now() + REPLY_MS_MAX;
    const asked = { act: "spawn", owner, argv, ...options, cols, rows, until } as const;
    const reply = await link.ask(asked).catch((error: Error) => error);
    if (reply instanceof Error) {
      const isGone = link.isClosed;
      link.close();
      if (!isGone) throw reply;
      this.#report(NO_KEEPER, reply);
      return null;
    }
    const { program } = reply;
    if (program === undefined) throw new KeeperError("the keeper started nothing");
    this.#taken.add(program.key);
    const pty = new KeptPty(link, program, terminal);
    link.outbox.send(frame(SAY.store, place(0), record));
    pty.begin();
    return pty;
  }

  /** @throws KeeperError when it is not there any more */
  async find({ key }: Held): Promise<Found> {
    const link = await KeeperLink.open(this.#folder);
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const shown = Promise.withResolvers<void>();
    link.onFrame = (type, payload) => {
      if (type === TELL.record) resolve(payload);
    };
    link.onClose = () => reject(new KeeperError("the keeper is gone"));
    const [{ program }, record] = await Promise.all([link.ask({ act: "attach", key }), promise]);
    if (program === undefined) throw new KeeperError("the keeper attached nothing");
    this.#taken.add(key);
    return {
      record,
      given: program.given,
      taken: program.taken,
      ended: program.ended ?? false,
      begin: (terminal) => {
        const pty = new KeptPty(link, program, terminal, shown.resolve);
        pty.begin();
        return pty;
      },
      shown: shown.promise,
      close: () => {
        link.onClose = () => undefined;
        link.close();
      },
    };
  }

  /** Ends a program that nobody wants any more. */
  async end({ key }: Held): Promise<void> {
    await (await this.#own(false))?.ask({ act: "end", key });
  }

  /** Ends it with all that it holds. */
  async endAll(): Promise<void> {
    try {
      await (await this.#own(false))?.ask({ act: "end-all" }, END_ALL_MS_MAX);
    } catch (error) {
      this.#report("the keeper did not end", error);
    }
  }

  /** Leaves it, with what it holds, to whoever comes next. */
  close(): void {
    this.#isClosed = true;
    this.#asking?.close();
    void this.#turn.then((link) => link?.close()).catch(() => undefined);
    this.#turn = Promise.resolve(null);
  }

  async #forProgram(): Promise<KeeperLink | null> {
    try {
      this.#notHanging();
      await this.#own(true);
      return await KeeperLink.open(this.#folder);
    } catch (error) {
      if (error instanceof KeeperTaken) throw error;
      this.#report(NO_KEEPER, error);
      return null;
    }
  }

  /** The connection by which this process is the keeper's one agent; null when there is no keeper and none is to be started. */
  #own(start: boolean): Promise<KeeperLink | null> {
    const turn = this.#turn.catch(() => null).then((before) => this.#ownNow(before, start));
    this.#turn = turn;
    return turn;
  }

  async #ownNow(before: KeeperLink | null, start: boolean): Promise<KeeperLink | null> {
    if (before !== null && !before.isClosed) return before;
    const link = (await this.#connect()) ?? (start ? await this.#launch() : null);
    if (link === null) return null;
    const limit = performance.now() + OWN_MS_MAX;
    for (;;) {
      try {
        await link.ask({ act: "own", pid: process.pid });
        return link;
      } catch (error) {
        if (link.isClosed) throw error;
        if (performance.now() > limit) {
          link.close();
          throw new KeeperTaken((error as Error).message);
        }
        await Bun.sleep(START_POLL_MS);
      }
    }
  }

  #connect(): Promise<KeeperLink | null> {
    return KeeperLink.open(this.#folder).catch(() => null);
  }

  async #launch(): Promise<KeeperLink> {
    const log = join(this.#folder, "log");
    const isLong = (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_MAX;
    const descriptor = openSync(log, isLong ? "w" : "a", 0o600);
    const child = Bun.spawn([process.execPath, MAIN, this.#folder], {
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
      const link = await this.#connect();
      if (link !== null) return link;
      await Bun.sleep(START_POLL_MS);
    }
    throw new KeeperError(`the keeper did not start: see ${log}`);
  }

  /** What keepers of other versions hold goes on, but cannot be shown. */
  async #lookForOthers(): Promise<void> {
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
        `a keeper of another version listens on ${join(this.#folder, name)}: its sessions go on unseen until they end, or it does`,
      );
    }
  }
}
