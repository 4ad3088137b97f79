/** Two servers on one history would each take the other's notices for interrupted ones; and what is answered is on disk. */
export const PRAGMAS = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
`;

/** What the history's database holds. `sending` marks a notice whose outcome is not known yet; it is in no list. */
export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS notifications (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    display INTEGER NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    urgency TEXT NOT NULL,
    icon_id TEXT,
    timeout INTEGER,
    actions TEXT NOT NULL,
    action TEXT,
    created_at INTEGER NOT NULL,
    dismissed INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    source TEXT,
    user_id TEXT,
    sending INTEGER NOT NULL DEFAULT 1
  ) STRICT;
  CREATE INDEX IF NOT EXISTS notifications_of_display ON notifications (display, seq);
  CREATE INDEX IF NOT EXISTS notifications_sending ON notifications (seq) WHERE sending = 1;
  CREATE TABLE IF NOT EXISTS updates (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    display INTEGER NOT NULL,
    type TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS updates_of_display ON updates (display, seq);
  CREATE TABLE IF NOT EXISTS icons (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    etag TEXT NOT NULL,
    size INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
`;

/** Of the table of notifications, where it was made before they were there. */
export const ADDED_COLUMNS = ["source", "user_id"];
export const COLUMNS = "SELECT name FROM pragma_table_info('notifications')";
export const addColumn = (name: string) => `ALTER TABLE notifications ADD COLUMN ${name} TEXT`;

export const INSERT_NOTIFICATION = `
  INSERT INTO notifications (id, display, title, body, urgency, icon_id, timeout, actions, created_at, source, user_id)
  VALUES ($id, $display, $title, $body, $urgency, $icon_id, $timeout, $actions, $created_at, $source, $user_id)`;

export const FINISH_SENDING = `
  UPDATE notifications SET sending = 0, error = $error, actions = coalesce($actions, actions)
  WHERE id = $id AND sending = 1 RETURNING *`;

export const UNFINISHED = "SELECT id FROM notifications WHERE sending = 1 ORDER BY seq";

export const DISMISS = `
  UPDATE notifications SET dismissed = $dismissed
  WHERE id = $id AND display = $display AND sending = 0 AND dismissed != $dismissed RETURNING *`;

export const DISMISS_ALL = `
  UPDATE notifications SET dismissed = $dismissed
  WHERE display = $display AND sending = 0 AND dismissed != $dismissed RETURNING *`;

export const CHOOSE = "UPDATE notifications SET action = $action WHERE id = $id RETURNING *";

export const ONE = "SELECT * FROM notifications WHERE id = $id AND display = $display AND sending = 0";

export const LIST = `
  SELECT * FROM notifications
  WHERE display = $display AND sending = 0
    AND ($before IS NULL OR seq < $before)
    AND ($since IS NULL OR created_at >= $since)
    AND ($dismissed IS NULL OR dismissed = $dismissed)
  ORDER BY seq DESC LIMIT $limit`;

export const DISPLAYS = `
  SELECT display, count(*) FILTER (WHERE dismissed = 0) AS active FROM notifications WHERE sending = 0
  GROUP BY display ORDER BY display`;
export const COUNT = "SELECT count(*) AS count FROM notifications WHERE sending = 0";

/** Beyond the newest of a display, and of all displays together; never one that is on its way. */
export const PRUNE_DISPLAY = `
  DELETE FROM notifications WHERE display = $display AND sending = 0 AND seq <=
    (SELECT seq FROM notifications WHERE display = $display ORDER BY seq DESC LIMIT 1 OFFSET $kept)`;
export const PRUNE_ALL = `
  DELETE FROM notifications WHERE sending = 0 AND seq <=
    (SELECT seq FROM notifications ORDER BY seq DESC LIMIT 1 OFFSET $kept)`;

export const INSERT_UPDATE =
  "INSERT INTO updates (display, type, record) VALUES ($display, $type, $record) RETURNING *";
export const PRUNE_UPDATES =
  "DELETE FROM updates WHERE seq <= (SELECT seq FROM updates ORDER BY seq DESC LIMIT 1 OFFSET $kept)";
export const UPDATES_SINCE =
  "SELECT * FROM updates WHERE display = $display AND seq > $seq ORDER BY seq LIMIT $limit";
/** The oldest update that is kept, and the newest that there ever was. */
export const UPDATE_BOUNDS = `
  SELECT (SELECT min(seq) FROM updates) AS oldest,
         coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'updates'), 0) AS newest`;

export const INSERT_ICON = `
  INSERT INTO icons (id, type, etag, size, bytes, created_at)
  VALUES ($id, $type, $etag, $size, $bytes, $created_at)`;
export const ICON = "SELECT type, bytes, etag, created_at FROM icons WHERE id = $id";
/** The newest that together are within a size; those of notices that are gone are not kept either. */
export const PRUNE_ICONS = `
  DELETE FROM icons WHERE id NOT IN (SELECT icon_id FROM notifications WHERE icon_id IS NOT NULL)
    OR seq IN (SELECT seq FROM (SELECT seq, sum(size) OVER (ORDER BY seq DESC) AS total FROM icons)
               WHERE total > $bytes)`;
