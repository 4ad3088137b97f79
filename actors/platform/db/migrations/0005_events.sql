-- The log of what happened. Rows are written in the commit that they tell of.

CREATE TABLE events (
  id text PRIMARY KEY,
  event_type text NOT NULL,
  resource_type text NOT NULL,
  resource_id text,
  user_id text,
  project_id text,
  container_id text,
  realm_id text,
  data jsonb NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX events_user ON events (user_id, created_at DESC, id DESC);
CREATE INDEX events_resource ON events (resource_id, created_at DESC, id DESC);

INSERT INTO actor_tables (name) VALUES ('events');
