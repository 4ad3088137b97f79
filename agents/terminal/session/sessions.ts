import { randomInt } from "node:crypto";
import { ParameterError, type TerminalRequest } from "../parameters/parse.ts";
import type { StartProcess } from "./process.ts";
import type { ShownProcess } from "./record.ts";
import { type AdoptOptions, Session } from "./session.ts";

/** Each holds a screen of a few megabytes and a process. */
export const SESSIONS_MAX = 256;
const ID_MAX = 65_535;
/** A page that was away for a moment still sees how its session ended. */
export const ENDED_KEPT_MS = 60_000;

/** There are as many sessions as this server holds. */
export class TooManySessions extends Error {
  override readonly name = "TooManySessions";

  constructor() {
    super(`${SESSIONS_MAX} sessions are open: end one of them first`);
  }
}

/** What a request asks for: how to start it, and in words what it is. */
export interface Prepared {
  readonly start: StartProcess;
  readonly description: string;
  /** The process that it takes to its terminal, where it starts none. */
  readonly shown?: ShownProcess;
  /** The session that already shows what is asked for, which is then joined. */
  readonly existing?: Session;
}

/** All sessions of one terminal service, by their number. */
export class Sessions {
  /** The latest session of each number: also one that is about to end, and for a while one that has. */
  readonly #latest = new Map<number, Session>();
  /** Those that have a process. One that is told to end has it until that has ended, while its number may have a new one. */
  readonly #alive = new Set<Session>();
  /** Those that an earlier process of this service made, under the number that they had. */
  readonly #adopted = new WeakSet<Session>();
  /** Numbers whose session is about to be there. */
  readonly #starting = new Set<number>();
  /** What happens to a session that is there only when all are ended or left: whoever did that has not seen it. */
  #late: ((session: Session) => void) | null = null;
  /** One at a time does something about a number: two must not both start it. */
  readonly #queues = new Map<number, Promise<unknown>>();
  /** One request for a process at a time: two must not both take it, whatever their numbers. */
  #adopting: Promise<unknown> = Promise.resolve();
  readonly #prepare: (request: TerminalRequest, id: number) => Promise<Prepared>;
  readonly #location: () => string;

  /**
   * @param prepare says how to start what a request asks for; throws what its sender is told
   * @param location what a session belongs to that is started now
   */
  constructor(
    prepare: (request: TerminalRequest, id: number) => Promise<Prepared>,
    location: () => string = () => "",
  ) {
    this.#prepare = prepare;
    this.#location = location;
  }

  /** Also those that are about to end. */
  get all(): readonly Session[] {
    return [...this.#alive];
  }

  /** Those that can be joined. */
  get open(): readonly Session[] {
    return this.all.filter((session) => this.#isOpen(session));
  }

  /** The one that can be joined by this number. */
  get(id: number): Session | undefined {
    const session = this.#latest.get(id);
    return session !== undefined && this.#isOpen(session) ? session : undefined;
  }

  /** Also one that is about to end, or ended a moment ago. */
  recent(id: number): Session | undefined {
    return this.#latest.get(id);
  }

  /**
   * Goes on with a session of before. Of two of before with one number the later one counts. Where somebody was not to be kept waiting, and
   * has a new one of that number, both go on: the one of before under another number, and a name that says which it had.
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
   * @throws ParameterError for what cannot be started; an existing session then goes on as it was
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

  /** Leaves those that can go on to the next process of this service, and ends the others. */
  leave(): void {
    this.#forEach((session) => session.leave("the service stops"));
  }

  #forEach(act: (session: Session) => void): void {
    this.#late = act;
    this.all.forEach(act);
  }

  /** What belongs to what is gone will end, if it does not know that yet. */
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
    // What is about to be there counts: all that look at once would find room otherwise.
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
