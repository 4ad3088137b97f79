import { randomInt } from "node:crypto";
import { ParameterError, type TerminalRequest } from "../parameters/parse.ts";
import type { StartProcess } from "./process.ts";
import type { ShownProcess } from "./record.ts";
import { type AdoptOptions, Session } from "./session.ts";

/** Each session holds a screen of a few megabytes and a process. */
export const SESSIONS_MAX = 256;
const ID_MAX = 65_535;
/** A page that was disconnected for a moment can still see how its session ended. */
export const ENDED_KEPT_MS = 60_000;

/** The server has reached its limit of sessions. */
export class TooManySessions extends Error {
  override readonly name = "TooManySessions";

  constructor() {
    super(`${SESSIONS_MAX} sessions are open: end one of them first`);
  }
}

/** A session that a request asks for: how to start it, and its description. */
export interface Prepared {
  readonly start: StartProcess;
  readonly description: string;
  /** The running process that it moves to its terminal instead of starting one. */
  readonly shown?: ShownProcess;
  /** The session that already shows the requested process, to be joined instead. */
  readonly existing?: Session;
}

/** All sessions of one terminal service, by their number. */
export class Sessions {
  /** The latest session of each number, including those that are ending or ended recently. */
  readonly #latest = new Map<number, Session>();
  /** Sessions whose process runs. While one is ending, its number may already have a new session. */
  readonly #alive = new Set<Session>();
  /** Sessions adopted from an earlier process of this service under their old number. */
  readonly #adopted = new WeakSet<Session>();
  /** Numbers whose session is being started. */
  readonly #starting = new Set<number>();
  /** What to do with a session whose start completes only after `close` or `leave` was called. */
  #late: ((session: Session) => void) | null = null;
  /** Serializes the operations on each number, so that no number is started twice. */
  readonly #queues = new Map<number, Promise<unknown>>();
  /** Serializes the requests for running processes, so that no process is taken by two sessions. */
  #adopting: Promise<unknown> = Promise.resolve();
  readonly #prepare: (request: TerminalRequest, id: number) => Promise<Prepared>;
  readonly #location: () => string;

  /**
   * @param prepare prepares the session that a request asks for; throws an error for the client
   * @param location what a session started now belongs to
   */
  constructor(
    prepare: (request: TerminalRequest, id: number) => Promise<Prepared>,
    location: () => string = () => "",
  ) {
    this.#prepare = prepare;
    this.#location = location;
  }

  /** All sessions with a process, including those that are ending. */
  get all(): readonly Session[] {
    return [...this.#alive];
  }

  /** The sessions that can be joined. */
  get open(): readonly Session[] {
    return this.all.filter((session) => this.#isOpen(session));
  }

  /** The session with this number, if it can be joined. */
  get(id: number): Session | undefined {
    const session = this.#latest.get(id);
    return session !== undefined && this.#isOpen(session) ? session : undefined;
  }

  /** The session with this number, even if it is ending or ended recently. */
  recent(id: number): Session | undefined {
    return this.#latest.get(id);
  }

  /**
   * Adopts a session of an earlier process. Of two such sessions with one number the later one is kept. If a new
   * session already has the number, because a client could not wait for adoption, both continue: the adopted one
   * under another number, with a name that tells its old one.
   */
  adopt(kept: Omit<AdoptOptions, "onEnd">): Promise<void> {
    return this.#serialize(kept.record.id, () => this.#adopt(kept));
  }

  async #adopt(kept: Omit<AdoptOptions, "onEnd">): Promise<void> {
    const { id, name } = kept.record;
    const before = this.#latest.get(id);
    const isTaken = before !== undefined && this.#isOpen(before) && !this.#adopted.has(before);
    const record = isTaken ? { ...kept.record, id: this.#freeId() } : kept.record;
    const session = await Session.adopt({ ...kept, record, onEnd: (ended) => this.#onEnd(ended) });
    if (isTaken) session.rename(name ?? `was terminal ${id}`);
    else {
      this.#adopted.add(session);
      before?.end("it was set up again");
    }
    this.#add(session);
    this.#late?.(session);
  }

  /**
   * The running session of the request's number, or a new one (container services §3), and whether it is new.
   *
   * @throws ParameterError if it cannot be started; an existing session then stays unchanged
   * @throws TooManySessions
   */
  async ensure(request: TerminalRequest): Promise<{ session: Session; isNew: boolean }> {
    const id = request.terminalId ?? this.#freeId();
    return this.#serialize(id, () => this.#ensure(request, id));
  }

  async #serialize<Result>(id: number, act: () => Promise<Result>): Promise<Result> {
    const turn = (this.#queues.get(id) ?? Promise.resolve()).catch(() => undefined).then(act);
    this.#queues.set(id, turn);
    try {
      return await turn;
    } finally {
      if (this.#queues.get(id) === turn) this.#queues.delete(id);
    }
  }

  /** Ends all of them. */
  close(): void {
    this.#forEach((session) => session.end("the service stops"));
  }

  /** Leaves the sessions that can outlive this process to the next one, and ends the others. */
  leave(): void {
    this.#forEach((session) => session.leave("the service stops"));
  }

  #forEach(act: (session: Session) => void): void {
    this.#late = act;
    this.all.forEach(act);
  }

  /** A session of an earlier location, such as a stopped container, is about to end. */
  #isOpen(session: Session): boolean {
    return session.isOpen && session.location === this.#location();
  }

  #add(session: Session): void {
    this.#latest.set(session.id, session);
    if (session.isRunning) this.#alive.add(session);
  }

  #onEnd(ended: Session): void {
    const { id } = ended;
    this.#alive.delete(ended);
    setTimeout(() => {
      if (this.#latest.get(id) === ended) this.#latest.delete(id);
    }, ENDED_KEPT_MS).unref();
  }

  async #ensure(request: TerminalRequest, id: number): Promise<{ session: Session; isNew: boolean }> {
    const before = this.get(id);
    if (before !== undefined && !request.reset) return { session: before, isNew: false };
    // Sessions being started count too; otherwise simultaneous requests could exceed the limit.
    const taken = new Set([...this.#starting, ...this.open.map((session) => session.id)]);
    if (!taken.has(id) && taken.size >= SESSIONS_MAX) throw new TooManySessions();
    this.#starting.add(id);
    try {
      if (request.launch.pid === null) return await this.#start(request, id);
      const taking = this.#adopting.catch(() => undefined).then(() => this.#start(request, id));
      this.#adopting = taking;
      return await taking;
    } finally {
      this.#starting.delete(id);
    }
  }

  async #start(request: TerminalRequest, id: number): Promise<{ session: Session; isNew: boolean }> {
    const { start, description, shown, existing } = await this.#prepare(request, id);
    if (existing !== undefined) return { session: existing, isNew: false };
    const session = await Session.start({
      id,
      backgroundColor: request.appearance.backgroundColor,
      description,
      user: request.launch.user,
      location: this.#location(),
      ...(shown === undefined ? {} : { shown }),
      start,
      onEnd: (ended) => this.#onEnd(ended),
    });
    this.#latest.get(id)?.end("it was set up again");
    this.#add(session);
    this.#late?.(session);
    return { session, isNew: true };
  }

  #freeId(): number {
    for (let tries = 0; tries < 1000; tries++) {
      const id = randomInt(1, ID_MAX + 1);
      if (!this.#latest.has(id) && !this.#queues.has(id)) return id;
    }
    throw new ParameterError("terminal_id", "no number is free");
  }
}
