import { randomInt } from "node:crypto";
import { ParameterError, type TerminalRequest } from "../parameters/parse.ts";
import type { StartProcess } from "./process.ts";
import { type AdoptOptions, Session } from "./session.ts";

/** Each holds a screen of a few megabytes and a process. */
const SESSIONS_MAX = 256;
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
  /** The session that already shows what is asked for, which is then joined. */
  readonly existing?: Session;
}

/** All sessions of one terminal service, by their number. */
export class Sessions {
  readonly #running = new Map<number, Session>();
  readonly #ended = new Map<number, Session>();
  /** One request for a number at a time: two must not both start it. */
  readonly #turns = new Map<number, Promise<unknown>>();
  readonly #prepare: (request: TerminalRequest, id: number) => Promise<Prepared>;
  readonly #place: () => string;

  /**
   * @param prepare says how to start what a request asks for; throws what its sender is told
   * @param place what a session belongs to that is started now
   */
  constructor(
    prepare: (request: TerminalRequest, id: number) => Promise<Prepared>,
    place: () => string = () => "",
  ) {
    this.#prepare = prepare;
    this.#place = place;
  }

  get all(): readonly Session[] {
    return [...this.#running.values()];
  }

  get(id: number): Session | undefined {
    return this.#running.get(id);
  }

  /** Also one that ended a moment ago. */
  recent(id: number): Session | undefined {
    return this.#running.get(id) ?? this.#ended.get(id);
  }

  /** Goes on with a session of before. Of two with one number the later one counts. */
  async adopt(kept: Omit<AdoptOptions, "onEnd">): Promise<void> {
    const session = await Session.adopt({ ...kept, onEnd: (ended) => this.#over(ended) });
    this.#running.get(session.id)?.end("it was set up anew");
    if (session.isRunning) this.#running.set(session.id, session);
  }

  /**
   * The running session of the request's number, or a new one (container services §3), and whether it is new.
   *
   * @throws ParameterError for what cannot be started; an existing session then goes on as it was
   * @throws TooManySessions
   */
  async ensure(request: TerminalRequest): Promise<{ session: Session; isNew: boolean }> {
    const id = request.terminalId ?? this.#freeId();
    const turn = (this.#turns.get(id) ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => this.#ensure(request, id));
    this.#turns.set(id, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(id) === turn) this.#turns.delete(id);
    }
  }

  /** Ends all of them. */
  close(): void {
    for (const session of this.all) session.end("the service stops");
  }

  /** Leaves those that can go on to the next process of this service, and ends the others. */
  leave(): void {
    for (const session of this.all) session.leave("the service stops");
  }

  #over(ended: Session): void {
    const { id } = ended;
    if (this.#running.get(id) === ended) this.#running.delete(id);
    this.#ended.set(id, ended);
    setTimeout(() => {
      if (this.#ended.get(id) === ended) this.#ended.delete(id);
    }, ENDED_KEPT_MS).unref();
  }

  async #ensure(request: TerminalRequest, id: number): Promise<{ session: Session; isNew: boolean }> {
    const before = this.#running.get(id);
    if (before?.isRunning && !request.reset) return { session: before, isNew: false };
    if (before === undefined && this.#running.size >= SESSIONS_MAX) throw new TooManySessions();
    const { start, description, existing } = await this.#prepare(request, id);
    if (existing !== undefined) return { session: existing, isNew: false };
    const session = await Session.start({
      id,
      backgroundColor: request.appearance.backgroundColor,
      description,
      user: request.launch.user,
      place: this.#place(),
      start,
      onEnd: (ended) => this.#over(ended),
    });
    before?.end("it was set up anew");
    if (session.isRunning) this.#running.set(id, session);
    return { session, isNew: true };
  }

  #freeId(): number {
    for (let tries = 0; tries < 1000; tries++) {
      const id = randomInt(1, ID_MAX + 1);
      if (!this.#running.has(id) && !this.#turns.has(id)) return id;
    }
    throw new ParameterError("terminal_id", "no number is free");
  }
}
