-- Proxy aliases. All of a server's belong to one actor, whose root row is the server's.

CREATE TABLE alias_servers (
  server_id text PRIMARY KEY,
  version bigint NOT NULL,
  -- Counts the changes of all of the server's aliases: the newest claim to a name is the one with the highest.
  revision bigint NOT NULL,
  updated_at timestamptz NOT NULL
);

-- That a name is unique on its server is kept by the actor, which has all of them at hand. An index could not: in one
-- commit a name may go from an alias that is renamed to one that is made, and rows are inserted before others are updated.
CREATE TABLE aliases (
  -- Ids come from idempotency keys: that one is there already is an answer, and no sign that the actor has lost its place.
  id text CONSTRAINT aliases_id PRIMARY KEY,
  server_id text NOT NULL,
  server_name text NOT NULL,
  user_id text NOT NULL,
  project_id text NOT NULL,
  container_id text NOT NULL,
  alias text NOT NULL,
  program text NOT NULL,
  index int NOT NULL CHECK (index BETWEEN 1 AND 65535),
  target_path text,
  allow_path_override boolean NOT NULL,
  expires_at timestamptz,
  enabled boolean NOT NULL,
  revision bigint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX aliases_server ON aliases (server_id);
CREATE INDEX aliases_container ON aliases (container_id);
CREATE INDEX aliases_user ON aliases (user_id, created_at, id);

INSERT INTO actor_tables (name) VALUES ('alias_servers'), ('aliases');
