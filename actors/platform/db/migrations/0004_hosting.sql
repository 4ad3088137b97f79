-- Servers and what runs on them.

CREATE TABLE servers (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  name text NOT NULL,
  status text NOT NULL CHECK (status IN ('in_stock', 'rented')),
  specs jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX servers_name ON servers (name);

CREATE TABLE rentals (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  server_id text NOT NULL REFERENCES servers (id),
  user_id text NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'ended')),
  rental_end timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX rentals_active ON rentals (server_id) WHERE status = 'active';
CREATE INDEX rentals_user ON rentals (user_id);

CREATE TABLE offers (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  name text NOT NULL,
  lead_time_hours int NOT NULL CHECK (lead_time_hours BETWEEN 1 AND 720),
  pricing_rules jsonb NOT NULL,
  setup_fee_rules jsonb NOT NULL,
  setup_fee_cents bigint NOT NULL,
  specs jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE images (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  alias text NOT NULL,
  description text NOT NULL,
  image_name text NOT NULL,
  architecture text NOT NULL,
  os text NOT NULL,
  release text NOT NULL,
  variant text NOT NULL,
  price_cents bigint NOT NULL CHECK (price_cents >= 0),
  command jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX images_alias ON images (alias);

CREATE TABLE projects (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  user_id text NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX projects_user_name ON projects (user_id, lower(name));

CREATE TABLE containers (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  user_id text NOT NULL,
  project_id text NOT NULL CONSTRAINT containers_project REFERENCES projects (id),
  server_id text NOT NULL CONSTRAINT containers_server REFERENCES servers (id),
  server_name text NOT NULL,
  image_id text CONSTRAINT containers_image REFERENCES images (id),
  name text NOT NULL,
  command jsonb NOT NULL,
  desired_state text NOT NULL CHECK (desired_state IN ('running', 'stopped', 'deleted')),
  desired_revision bigint NOT NULL,
  generation int NOT NULL,
  state text NOT NULL CHECK (state IN ('creating', 'running', 'stopped', 'error', 'deleted')),
  driver text,
  address text,
  error text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX containers_user ON containers (user_id, created_at, id);
CREATE INDEX containers_project_id ON containers (project_id);
CREATE INDEX containers_server_name ON containers (server_name);
CREATE UNIQUE INDEX containers_project_name ON containers (project_id, name) WHERE desired_state <> 'deleted';

CREATE TABLE firewalls (
  container_id text PRIMARY KEY,
  version bigint NOT NULL,
  attached boolean NOT NULL,
  revision bigint NOT NULL,
  applied_revision bigint NOT NULL,
  enforced boolean NOT NULL,
  error text,
  updated_at timestamptz NOT NULL
);

CREATE TABLE firewall_rules (
  id text PRIMARY KEY,
  container_id text NOT NULL,
  position bigint NOT NULL,
  direction text NOT NULL CHECK (direction IN ('ingress', 'egress')),
  action text NOT NULL CHECK (action IN ('allow', 'reject', 'drop')),
  protocol text NOT NULL CHECK (protocol IN ('tcp', 'udp', 'icmp4')),
  description text NOT NULL,
  state text NOT NULL CHECK (state IN ('enabled', 'disabled')),
  destination_port text,
  source_port text,
  source text,
  destination text,
  icmp_type text,
  icmp_code text
);
CREATE INDEX firewall_rules_container ON firewall_rules (container_id, position);

INSERT INTO actor_tables (name) VALUES
  ('servers'), ('rentals'), ('offers'), ('images'), ('projects'), ('containers'), ('firewalls'), ('firewall_rules');
