-- What actors have left to do: messages to themselves at a time (timers), and to other actors with the answer to come
-- back (sends). The owner of the partition delivers them until the actor has committed that they are done.

CREATE TABLE tasks (
  kind text NOT NULL,
  actor_id text NOT NULL,
  name text NOT NULL,
  partition int NOT NULL,
  -- Changes whenever the task is set anew, so that a late delivery of its former self is told apart.
  token text NOT NULL,
  due_at timestamptz NOT NULL,
  op text NOT NULL,
  input jsonb NOT NULL,
  -- Of a send: whom it goes to, under which key, and which operation takes the answer.
  target_kind text,
  target_id text,
  key text,
  aborting boolean NOT NULL,
  answer_op text,
  context jsonb,
  PRIMARY KEY (kind, actor_id, name),
  CHECK ((target_kind IS NULL) = (target_id IS NULL) AND (target_kind IS NULL) = (key IS NULL))
);
CREATE INDEX tasks_due ON tasks (partition, due_at, kind, actor_id, name);

-- A receipt of a request that waits for a saga names it; the saga's end is a receipt of its own.
ALTER TABLE receipts ADD COLUMN saga text;

-- What a host says of itself when it renews its leases.
ALTER TABLE hosts ADD COLUMN status jsonb;

INSERT INTO actor_tables (name) VALUES ('tasks');
