import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Logger } from "pino";
import { ENDED_SESSION_SECONDS } from "../../../schemas/accounts/auth.ts";
import { EndedSessions } from "../../../schemas/hosting/desired.ts";
import { endedSessionsKey } from "../../../schemas/subjects.ts";
import { writeAtomically } from "../../../system/atomic-file.ts";

/**
 * How long requests wait, after a start, for the list of ended sessions. After that the host uses the list on its
 * disk.
 */
const SYNC_MS_MAX = 10_000;
const PREFIX = endedSessionsKey("");

const Documents = Type.Array(EndedSessions);

/** The session in which a token or a cookie was issued, and the time of issue. */
export interface SessionRef {
  readonly sessionId: string;
  /** The user of the session; for an impersonation, the administrator. */
  readonly sessionUserId: string;
  readonly issuedAtMs: number;
}

interface UserEnds {
  /** The end of each session. */
  readonly endedMs: Map<string, number>;
  refusedBeforeMs: number;
}

/** The ended sessions, from the control plane. They are stored on disk for the next start. */
export class EndedSessionList {
  readonly #users = new Map<string, UserEnds>();
  #synced = false;
  readonly #ready = Promise.withResolvers<void>();
  readonly #timer: Timer;
  #writing: Promise<void> = Promise.resolve();
  #mustWrite = false;

  /**
   * @param server this host; lists for another one are ignored
   * @param file the file on disk
   */
  constructor(
    private readonly options: {
      readonly server: string;
      readonly file: string;
      readonly log: Logger;
      readonly now?: () => number;
    },
  ) {
    for (const document of this.#read()) this.#merge(document);
    this.#timer = setTimeout(() => this.synced(), SYNC_MS_MAX);
    this.#timer.unref();
  }

  /** Settles when the list has arrived, or after a time limit; undefined if it has arrived already. */
  get waiting(): Promise<void> | undefined {
    return this.#synced ? undefined : this.#ready.promise;
  }

  /** Records that the desired state has been listed, or that there is none yet. */
  synced(): void {
    clearTimeout(this.#timer);
    this.#synced = true;
    this.#ready.resolve();
  }

  /** Applies an entry of the desired state; entries of other kinds are ignored. */
  desire(key: string, value: unknown): void {
    if (!key.startsWith(PREFIX)) return;
    if (!this.add(value, key.slice(PREFIX.length)))
      this.options.log.error({ key }, "ended sessions that are not of their form");
  }

  /** Adds a list from the control plane. @returns whether it is valid and for this host */
  add(value: unknown, userId?: string): boolean {
    if (!Value.Check(EndedSessions, value) || value.server_name !== this.options.server) return false;
    if (userId !== undefined && userId !== value.user_id) return false;
    this.#merge(value);
    this.#removeExpired();
    this.#write();
    return true;
  }

  /** Whether a token or cookie is refused because its session has ended. */
  has({ sessionId, sessionUserId, issuedAtMs }: SessionRef): boolean {
    const ends = this.#users.get(sessionUserId);
    return ends !== undefined && (ends.endedMs.has(sessionId) || issuedAtMs <= ends.refusedBeforeMs);
  }

  /** Settles when everything is on disk. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writing;
  }

  #merge({ user_id, sessions, refused_before }: EndedSessions): void {
    const ends = this.#users.get(user_id) ?? { endedMs: new Map(), refusedBeforeMs: 0 };
    this.#users.set(user_id, ends);
    for (const { id, ended_at } of sessions) ends.endedMs.set(id, Date.parse(ended_at));
    const refusedBeforeMs = refused_before === null ? 0 : Date.parse(refused_before);
    ends.refusedBeforeMs = Math.max(ends.refusedBeforeMs, refusedBeforeMs);
  }

  #removeExpired(): void {
    const since = (this.options.now ?? Date.now)() - ENDED_SESSION_SECONDS * 1_000;
    for (const [userId, { endedMs, refusedBeforeMs }] of this.#users) {
      for (const [id, at] of endedMs) if (at < since) endedMs.delete(id);
      if (endedMs.size === 0 && refusedBeforeMs < since) this.#users.delete(userId);
    }
  }

  #read(): EndedSessions[] {
    try {
      const found: unknown = JSON.parse(readFileSync(this.options.file, "utf8"));
      return Value.Check(Documents, found) ? found : [];
    } catch {
      // There is no file at the first start.
      return [];
    }
  }

  /** Writes the file, once at a time; later changes are in the next write. */
  #write(): void {
    if (this.#mustWrite) return;
    this.#mustWrite = true;
    this.#writing = this.#writing.then(async () => {
      this.#mustWrite = false;
      const { file, log } = this.options;
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        await writeAtomically(file, JSON.stringify(this.#documents()));
      } catch (error) {
        log.error({ err: error }, "ended sessions could not be written");
      }
    });
  }

  #documents(): EndedSessions[] {
    return [...this.#users].map(([user_id, { endedMs, refusedBeforeMs }]) => ({
      server_name: this.options.server,
      user_id,
      sessions: [...endedMs].map(([id, at]) => ({ id, ended_at: new Date(at).toISOString() })),
      refused_before: refusedBeforeMs === 0 ? null : new Date(refusedBeforeMs).toISOString(),
    }));
  }
}
