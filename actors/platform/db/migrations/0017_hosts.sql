-- Machines that run an agent (`hosts` are the actor hosts), how they join, and what they are (docs/decisions/0059-joining-hosts.md).

CREATE TABLE host_machines (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  -- That of the server of the stock whose containers run on it.
  name text NOT NULL,
  -- No new container is placed on it.
  draining boolean NOT NULL,
  -- The one-time token that waits to be used: { token_hash, expires_at }.
  enrolment jsonb,
  -- Public keys: of the host's account at NATS, and of its agent.
  account text,
  public_key text,
  enrolled_at timestamptz,
  -- Accounts that NATS must refuse, and that are not known to be refused yet.
  ended_accounts jsonb NOT NULL,
  -- What the agent last said of its machine.
  facts jsonb,
  last_seen_at timestamptz,
  removed_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX host_machines_name ON host_machines (name) WHERE removed_at IS NULL;
CREATE INDEX host_machines_draining ON host_machines (name) WHERE draining AND removed_at IS NULL;
CREATE INDEX host_machines_ended_accounts ON host_machines (id) WHERE ended_accounts <> '[]';

INSERT INTO actor_tables (name) VALUES ('host_machines');
