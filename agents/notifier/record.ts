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
  /** Milliseconds; null: the desktop's default, 0: no time limit. */
  readonly timeout: number | null;
  /** The offered actions: none if notify-send is too old to support them. */
  readonly actions: readonly Action[];
  /** The name of the chosen action. */
  readonly action: string | null;
  /** The program that sent it, as that says itself: by `source`, else by its `User-Agent`; null where it says nothing. */
  readonly source: string | null;
  /** Whose credential it came with; null where that is not known. */
  readonly user_id: string | null;
  /** ISO 8601 UTC. */
  readonly created_at: string;
  readonly dismissed: boolean;
  /** Why it was not shown, or may not have been; null if the desktop accepted it. */
  readonly error: string | null;
}

export type UpdateType = "notification" | "dismissed" | "undismissed" | "action";

/** An update of a stream: the record after a change. */
export interface Update {
  /** Increases with every update of any display. */
  readonly seq: number;
  readonly display: number;
  readonly type: UpdateType;
  /** A record as JSON. */
  readonly record: string;
}
