-- Hosting: the catalogue of images, containers, their firewalls, and aliases.

CREATE TABLE images (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  alias text NOT NULL,
  description text NOT NULL,
  image_name text NOT NULL,
  -- An image of a registry that the entry stands for; null: the host's own programs.
  reference text,
  architecture text NOT NULL,
  os text NOT NULL,
  release text NOT NULL,
  variant text NOT NULL,
  serial text NOT NULL DEFAULT '',
  size bigint NOT NULL DEFAULT 0 CHECK (size >= 0),
  price_cents bigint NOT NULL CHECK (price_cents >= 0),
  command jsonb NOT NULL,
  tags jsonb NOT NULL DEFAULT '[]',
  public boolean NOT NULL DEFAULT true,
  prespawn boolean NOT NULL DEFAULT false,
  -- In hundredths, so that the sum is exact.
  rating_sum bigint NOT NULL DEFAULT 0,
  rating_count bigint NOT NULL DEFAULT 0,
  -- Lists filter and sort by the average that they show.
  average_rating numeric GENERATED ALWAYS AS (
    CASE WHEN rating_count = 0 THEN 0 ELSE round(rating_sum::numeric / (rating_count * 100), 2) END) STORED,
  -- The text that a search reads: name, description and tags, folded by the actor.
  search_text text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  CONSTRAINT images_rating CHECK (rating_count >= 0 AND rating_sum BETWEEN 0 AND rating_count * 500)
);
-- A deleted image's alias can be used again.
CREATE UNIQUE INDEX images_alias ON images (alias) WHERE deleted_at IS NULL;
CREATE INDEX images_public ON images (created_at, id) WHERE public AND deleted_at IS NULL;

CREATE TABLE image_icons (
  image_id text PRIMARY KEY,
  png bytea NOT NULL CHECK (length(png) <= 262144),
  etag text NOT NULL,
  updated_at timestamptz NOT NULL
);
-- PNG files are compressed already.
ALTER TABLE image_icons ALTER COLUMN png SET STORAGE EXTERNAL;

-- A user's library. `acquiring`: from an image to the saga that acquires it.
CREATE TABLE image_libraries (
  user_id text PRIMARY KEY,
  version bigint NOT NULL,
  acquiring jsonb NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE owned_images (
  user_id text NOT NULL,
  image_id text NOT NULL,
  source text NOT NULL CHECK (source IN ('imported', 'purchased')),
  price_paid_cents bigint NOT NULL CHECK (price_paid_cents >= 0),
  transaction_id text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, image_id)
);
CREATE INDEX owned_images_created ON owned_images (user_id, created_at, image_id);

CREATE TABLE image_ratings (
  user_id text NOT NULL,
  image_id text NOT NULL,
  hundredths int NOT NULL CHECK (hundredths BETWEEN 0 AND 500),
  -- The rating that the image's sum contains; null: none yet.
  counted int,
  -- The saga that sends the rating to the image, and the next one, for a rating given meanwhile.
  pending_saga text,
  next text,
  PRIMARY KEY (user_id, image_id)
);

CREATE TABLE containers (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  user_id text NOT NULL,
  project_id text NOT NULL,
  server_id text NOT NULL CONSTRAINT containers_server REFERENCES servers (id),
  server_name text NOT NULL,
  image_id text CONSTRAINT containers_image REFERENCES images (id),
  -- An image from a registry, instead of one of the catalogue, and what the container's host says of it.
  image_reference text,
  image jsonb,
  name text NOT NULL,
  command jsonb NOT NULL,
  desired_state text NOT NULL CHECK (desired_state IN ('running', 'stopped', 'deleted')),
  desired_revision bigint NOT NULL,
  generation int NOT NULL,
  -- The revision of its pool's access that the host received last.
  access_revision bigint NOT NULL DEFAULT 0,
  -- The desired revision of a restart that its host has not reported yet: a restart ends without a change of the container's state.
  restarting_revision bigint,
  state text NOT NULL CHECK (state IN ('creating', 'running', 'stopped', 'error', 'deleted')),
  driver text,
  address text,
  error text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- A project is kept by containers that are there, and not by those that are being deleted: a host that does not reply cannot keep it.
  live_project_id text GENERATED ALWAYS AS (CASE WHEN desired_state <> 'deleted' THEN project_id END) STORED
    CONSTRAINT containers_project REFERENCES projects (id)
);
CREATE INDEX containers_user ON containers (user_id, created_at, id);
CREATE INDEX containers_project_id ON containers (project_id);
CREATE INDEX containers_live_project ON containers (live_project_id);
CREATE INDEX containers_server_name ON containers (server_name);
CREATE UNIQUE INDEX containers_project_name ON containers (project_id, name) WHERE desired_state <> 'deleted';

CREATE TABLE firewalls (
  container_id text PRIMARY KEY,
  version bigint NOT NULL,
  attached boolean NOT NULL,
  -- Whether it rejects incoming packets that no rule allows: from its first enabled ingress rule on.
  closed boolean NOT NULL,
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

-- Aliases. All aliases of a server belong to one actor, whose root row is the server's.
CREATE TABLE alias_servers (
  server_id text PRIMARY KEY,
  version bigint NOT NULL,
  -- Counts the changes of all of the server's aliases: the claim to a name with the highest revision is the newest.
  revision bigint NOT NULL,
  updated_at timestamptz NOT NULL
);

-- The actor, which has all of a server's aliases in memory, keeps a name unique on its server. An index could not: in one commit
-- a name may go from an alias that is renamed to one that is created, and rows are inserted before others are updated.
CREATE TABLE aliases (
  -- Ids come from idempotency keys: a duplicate is a reply to the client, and no sign that the actor has lost its lease.
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

INSERT INTO actor_tables (name) VALUES
  ('images'), ('image_icons'), ('image_libraries'), ('owned_images'), ('image_ratings'), ('containers'), ('firewalls'),
  ('firewall_rules'), ('alias_servers'), ('aliases');
