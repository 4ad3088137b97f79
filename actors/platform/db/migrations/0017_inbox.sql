-- Notices: to one user, or to everybody (no user). What is read is kept apart, so that a notice to everybody is one row.

CREATE TABLE inboxes (
  -- A user, or 'all', whose notices are everybody's.
  id text PRIMARY KEY,
  version bigint NOT NULL,
  -- Notices up to here are read: the user's own, and those to everybody.
  own_read_to timestamptz,
  global_read_to timestamptz,
  -- When the last notice was given here: each has a time of its own.
  last_at timestamptz,
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 80);

CREATE TABLE notifications (
  -- Not named as the runtime knows its own keys: a key of a client's that led to this id in another inbox is refused.
  id text CONSTRAINT notifications_id PRIMARY KEY,
  inbox_id text NOT NULL REFERENCES inboxes (id),
  title text NOT NULL,
  body text NOT NULL,
  level text NOT NULL,
  -- Shown to those who have no account, too.
  public boolean NOT NULL,
  event_id text,
  event_type text,
  resource_type text,
  resource_id text,
  realm_id text,
  created_at timestamptz NOT NULL
);
CREATE INDEX notifications_inbox ON notifications (inbox_id, created_at DESC, id DESC);
CREATE INDEX notifications_public ON notifications (created_at DESC, id DESC) WHERE public;

-- Notices that were read one by one.
CREATE TABLE notification_reads (
  inbox_id text NOT NULL REFERENCES inboxes (id),
  notification_id text NOT NULL REFERENCES notifications (id),
  created_at timestamptz NOT NULL,
  read_at timestamptz NOT NULL,
  PRIMARY KEY (inbox_id, notification_id)
);

INSERT INTO actor_tables (name) VALUES ('inboxes'), ('notifications'), ('notification_reads');
