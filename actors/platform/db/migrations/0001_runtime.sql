-- The actor runtime: hosts and their leases, receipts, the outbox, tasks.

CREATE TABLE hosts (
  host text PRIMARY KEY,
  started_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  -- What a host reports about itself when it renews its leases.
  status jsonb
);

-- One row a partition, made once: a cluster's number of partitions never changes.
CREATE TABLE leases (
  partition int PRIMARY KEY,
  owner text,
  epoch bigint NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL DEFAULT '-infinity',
  -- A lease holds on the timeline on which it was taken. After a failover the database may lack its last acknowledged commits:
  -- owners that remember the other history commit nothing until they have taken their partitions again.
  timeline text
) WITH (fillfactor = 50);
INSERT INTO leases (partition) SELECT generate_series(0, 63);

-- The reply to each operation, so that no operation runs twice.
CREATE TABLE receipts (
  actor_id text NOT NULL,
  key text NOT NULL,
  fingerprint text NOT NULL,
  -- Stored and returned as it was written: json, unlike jsonb, is not taken apart.
  reply json NOT NULL,
  actor_version bigint NOT NULL,
  minted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  -- The receipt of a request that waits for a saga names the saga, whose end is a receipt of its own.
  saga text,
  PRIMARY KEY (actor_id, key)
);
CREATE INDEX receipts_minted ON receipts (created_at) WHERE minted;

-- Effects of commits, in the order of their partition. The owner numbers them without gaps.
CREATE TABLE outbox (
  partition int NOT NULL,
  seq bigint NOT NULL,
  topic text NOT NULL,
  body json NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (partition, seq)
);
CREATE TABLE outbox_progress (
  partition int PRIMARY KEY,
  seq bigint NOT NULL
);
INSERT INTO outbox_progress SELECT generate_series(0, 63), 0;

-- What actors have left to do: messages to themselves at a time (timers), and messages to other actors that are replied to
-- (sends). The partition's owner delivers them until the actor has committed that they are done.
CREATE TABLE tasks (
  kind text NOT NULL,
  actor_id text NOT NULL,
  name text NOT NULL,
  partition int NOT NULL,
  -- Changes whenever the task is set again, so that a late delivery of its former self is told apart.
  token text NOT NULL,
  due_at timestamptz NOT NULL,
  op text NOT NULL,
  input json NOT NULL,
  -- Of a send: its recipient, its key, and the operation that takes the reply.
  target_kind text,
  target_id text,
  key text,
  aborting boolean NOT NULL,
  reply_op text,
  context json,
  PRIMARY KEY (kind, actor_id, name),
  CHECK ((target_kind IS NULL) = (target_id IS NULL) AND (target_kind IS NULL) = (key IS NULL))
);
CREATE INDEX tasks_due ON tasks (partition, due_at, kind, actor_id, name);

-- The tables that actors write, parents before their children. Each migration adds its own.
CREATE TABLE actor_tables (
  name text PRIMARY KEY,
  position serial
);
INSERT INTO actor_tables (name) VALUES ('receipts'), ('outbox'), ('tasks');
