import { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { displayName } from "../display.ts";
import type { HistoryQuery } from "../http/query.ts";
import type { ImageType } from "../icons/image.ts";
import type { StoredIcon } from "../icons/response.ts";
import {
  EVENTS_MAX,
  HISTORY_MAX,
  HISTORY_PER_DISPLAY_MAX,
  RESUMED_EVENTS_MAX,
  STORED_ICON_BYTES_MAX,
} from "../limits.ts";
import type { Action, NotificationRecord, Update, UpdateType, Urgency } from "../record.ts";
import * as sql from "./queries.ts";

interface Row {
  seq: number;
  id: string;
  display: number;
  title: string;
  body: string;
  urgency: Urgency;
  icon_id: string | null;
  timeout: number | null;
  actions: string;
  action: string | null;
  created_at: number;
  dismissed: 0 | 1;
  error: string | null;
  source: string | null;
  user_id: string | null;
}

/** A notice that is about to be sent. */
export interface Draft {
  readonly id: string;
  readonly display: number;
  readonly title: string;
  readonly body: string;
  readonly urgency: Urgency;
  readonly source: string | null;
  readonly userId: string | null;
  readonly timeout: number | null;
  readonly actions: readonly Action[];
  readonly createdAt: number;
  readonly icon: (StoredIcon & { readonly id: string }) | null;
}

/** A changed record, with its update for streams; null if nothing changed. */
export interface Changed {
  readonly record: NotificationRecord;
  readonly update: Update | null;
}

export interface HistoryBounds {
  readonly perDisplay: number;
  readonly notifications: number;
  readonly updates: number;
  readonly iconBytes: number;
}

const BOUNDS: HistoryBounds = {
  perDisplay: HISTORY_PER_DISPLAY_MAX,
  notifications: HISTORY_MAX,
  updates: EVENTS_MAX,
  iconBytes: STORED_ICON_BYTES_MAX,
};

const INTERRUPTED = "the server ended while this was on its way: it may not have been shown";

/** The history cannot be opened; the message says where and why. */
export class HistoryUnavailable extends Error {
  override readonly name = "HistoryUnavailable";
}

/** Notices, updates and icons of all displays, on disk. The change of every method survives a crash. */
export class History {
  readonly #db: Database;
  readonly #bounds: HistoryBounds;

  /** @throws HistoryUnavailable */
  constructor(folder: string, bounds: Partial<HistoryBounds> = {}) {
    this.#bounds = { ...BOUNDS, ...bounds };
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      this.#db = new Database(join(folder, "notifications.sqlite"), { strict: true });
    } catch (cause) {
      throw unavailable(folder, cause);
    }
    try {
      this.#db.exec(sql.PRAGMAS);
      this.#db.exec(sql.SCHEMA);
      this.#addColumns();
      this.#transaction(() => {
        const rows = this.#db.query<{ id: string }, []>(sql.UNFINISHED).all();
        for (const { id } of rows) this.#settle(id, INTERRUPTED, null);
      });
    } catch (cause) {
      this.#db.close();
      throw unavailable(folder, cause);
    }
  }

  #addColumns(): void {
    const names = new Set(
      this.#db
        .query<{ name: string }, []>(sql.COLUMNS)
        .all()
        .map(({ name }) => name),
    );
    for (const name of sql.ADDED_COLUMNS) if (!names.has(name)) this.#db.exec(sql.addColumn(name));
  }

  close(): void {
    this.#db.close();
  }

  /** Adds a notice before it is sent. It is in no list until `recordResult`. */
  addPending({ icon, createdAt, actions, userId, ...draft }: Draft): void {
    this.#transaction(() => {
      this.#db.query(sql.INSERT_NOTIFICATION).run({
        ...draft,
        actions: JSON.stringify(actions),
        created_at: createdAt,
        user_id: userId,
        icon_id: icon?.id ?? null,
      });
      if (icon !== null) {
        const { id, type, etag, bytes } = icon;
        const row = { id, type, etag, bytes, size: bytes.length, created_at: createdAt };
        this.#db.query(sql.INSERT_ICON).run(row);
      }
      this.#prune(draft.display);
    });
  }

  /** Records the result of sending a notice. @param actions the offered actions; null keeps the requested ones */
  recordResult(id: string, error: string | null, actions: readonly Action[] | null): Changed {
    return this.#transaction(() => this.#settle(id, error, actions));
  }

  /** @returns null for an id that this display does not have */
  dismiss(display: number, id: string, dismissed: boolean): Changed | null {
    return this.#transaction(() => {
      const changed = this.#db
        .query<Row, { id: string; display: number; dismissed: number }>(sql.DISMISS)
        .get({ id, display, dismissed: dismissed ? 1 : 0 });
      if (changed !== null) return this.#changed(changed, dismissed ? "dismissed" : "undismissed");
      const same = this.#db.query<Row, { id: string; display: number }>(sql.ONE).get({ id, display });
      return same === null ? null : { record: recordOf(same), update: null };
    });
  }

  /** Dismisses or restores all notices of a display. Returns the changed ones. */
  dismissAll(display: number, dismissed: boolean): Changed[] {
    return this.#transaction(() =>
      this.#db
        .query<Row, { display: number; dismissed: number }>(sql.DISMISS_ALL)
        .all({ display, dismissed: dismissed ? 1 : 0 })
        .map((row) => this.#changed(row, dismissed ? "dismissed" : "undismissed")),
    );
  }

  /** Records the chosen action; null if the notice no longer exists. */
  choose(id: string, action: string): Changed | null {
    return this.#transaction(() => {
      const row = this.#db.query<Row, { id: string; action: string }>(sql.CHOOSE).get({ id, action });
      return row === null ? null : this.#changed(row, "action");
    });
  }

  /** A page of notices, newest first, with the cursor of the next page. */
  list(display: number, { limit, since, dismissed, before }: HistoryQuery) {
    const flag = dismissed === null ? null : Number(dismissed);
    const rows = this.#db
      .query<Row, Record<string, number | null>>(sql.LIST)
      .all({ display, since, before, dismissed: flag, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return { records: shown.map(recordOf), next: last === undefined ? null : String(last.seq) };
  }

  /** Those that have had notifications, and how many of each are not dismissed. */
  displays(): { display: number; active: number }[] {
    return this.#db.query<{ display: number; active: number }, []>(sql.DISPLAYS).all();
  }

  count(): number {
    return this.#db.query<{ count: number }, []>(sql.COUNT).get()?.count ?? 0;
  }

  icon(id: string): StoredIcon | null {
    type IconRow = { type: ImageType; bytes: Uint8Array<ArrayBuffer>; etag: string; created_at: number };
    const row = this.#db.query<IconRow, { id: string }>(sql.ICON).get({ id });
    return row && { type: row.type, bytes: row.bytes, etag: row.etag, createdAt: row.created_at };
  }

  /** The newest update's number. */
  newest(): number {
    return this.#updateBounds().newest;
  }

  /**
   * The updates of a display's stream after an update; null if some are missing from the history, or there are too
   * many.
   */
  updatesSince(display: number, seq: number): Update[] | null {
    const { oldest, newest } = this.#updateBounds();
    if (seq > newest || seq < (oldest ?? newest + 1) - 1) return null;
    const limit = RESUMED_EVENTS_MAX + 1;
    const rows = this.#db
      .query<Update, { display: number; seq: number; limit: number }>(sql.UPDATES_SINCE)
      .all({ display, seq, limit });
    return rows.length < limit ? rows : null;
  }

  #updateBounds() {
    const bounds = this.#db.query<{ oldest: number | null; newest: number }, []>(sql.UPDATE_BOUNDS).get();
    return bounds ?? { oldest: null, newest: 0 };
  }

  #settle(id: string, error: string | null, actions: readonly Action[] | null): Changed {
    const row = this.#db
      .query<Row, { id: string; error: string | null; actions: string | null }>(sql.FINISH_SENDING)
      .get({ id, error, actions: actions === null ? null : JSON.stringify(actions) });
    if (row === null) throw new Error(`notification ${id} is not on its way`);
    return this.#changed(row, "notification");
  }

  #changed(row: Row, type: UpdateType): Changed {
    const record = recordOf(row);
    const update = this.#db
      .query<Update, { display: number; type: string; record: string }>(sql.INSERT_UPDATE)
      .get({ display: row.display, type, record: JSON.stringify(record) });
    this.#db.query(sql.PRUNE_UPDATES).run({ kept: this.#bounds.updates });
    return { record, update };
  }

  #prune(display: number): void {
    this.#db.query(sql.PRUNE_DISPLAY).run({ display, kept: this.#bounds.perDisplay });
    this.#db.query(sql.PRUNE_ALL).run({ kept: this.#bounds.notifications });
    this.#db.query(sql.PRUNE_ICONS).run({ bytes: this.#bounds.iconBytes });
  }

  #transaction<T>(work: () => T): T {
    return this.#db.transaction(work).immediate();
  }
}

function unavailable(folder: string, cause: unknown): HistoryUnavailable {
  const { code, message } = cause as { code?: string; message?: string };
  const why =
    code === "SQLITE_BUSY" ? "is in use by another notification server" : `can't be used: ${message}`;
  return new HistoryUnavailable(`${folder} ${why}`, { cause });
}

const recordOf = (row: Row): NotificationRecord => ({
  id: row.id,
  display: displayName(row.display),
  title: row.title,
  body: row.body,
  urgency: row.urgency,
  icon_id: row.icon_id,
  timeout: row.timeout,
  actions: JSON.parse(row.actions),
  action: row.action,
  created_at: new Date(row.created_at).toISOString(),
  dismissed: row.dismissed === 1,
  source: row.source,
  user_id: row.user_id,
  error: row.error,
});
