export type Urgency = "low" | "normal" | "critical";

export interface Action {
  readonly name: string;
  readonly label: string;
}

/** A notice as clients see it (design §4). */
export interface NotificationRecord {
  readonly id: string;
  /** `:N` */
  readonly display: string;
  readonly title: string;
  readonly body: string;
  readonly urgency: Urgency;
  readonly icon_id: string | null;
  /** Milliseconds; null leaves it to the desktop, 0 is forever. */
  readonly timeout: number | null;
  /** Those that were offered: none where notify-send is too old to have them. */
  readonly actions: readonly Action[];
  /** The name of the one that somebody chose. */
  readonly action: string | null;
  /** The program that sent it, as that says itself: by `source`, else by its `User-Agent`; null where it says nothing. */
  readonly source: string | null;
  /** Whose credential it came with; null where that is not known. */
  readonly user_id: string | null;
  /** ISO 8601 UTC. */
  readonly created_at: string;
  readonly dismissed: boolean;
  /** Why it was not shown, or may not have been; null when the desktop took it. */
  readonly error: string | null;
}

export type UpdateType = "notification" | "dismissed" | "undismissed" | "action";

/** What a stream tells: the record as it was after the change. */
export interface Update {
  /** Grows with every update of any display. */
  readonly seq: number;
  readonly display: number;
  readonly type: UpdateType;
  /** A record as JSON. */
  readonly record: string;
}
