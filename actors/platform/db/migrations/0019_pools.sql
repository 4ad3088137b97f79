-- Pools: servers that a team shares, and who may do what with them.

CREATE TABLE pools (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  owner_id text NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  settings jsonb NOT NULL,
  is_default boolean NOT NULL,
  -- Raised by each change of who may enter: hosts are told of it.
  access_revision bigint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX pools_owner_name ON pools (owner_id, lower(name));
CREATE UNIQUE INDEX pools_default ON pools (owner_id) WHERE is_default;
CREATE INDEX pools_updated ON pools (updated_at);

CREATE TABLE pool_members (
  pool_id text NOT NULL,
  user_id text NOT NULL,
  role text NOT NULL CHECK (role IN ('admin', 'user')),
  joined_at timestamptz NOT NULL,
  PRIMARY KEY (pool_id, user_id)
);
CREATE INDEX pool_members_user ON pool_members (user_id);

CREATE TABLE pool_invitations (
  id text PRIMARY KEY,
  pool_id text NOT NULL,
  user_id text NOT NULL,
  role text NOT NULL CHECK (role IN ('admin', 'user')),
  invited_by text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'accepted', 'rejected', 'withdrawn')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX pool_invitations_pending ON pool_invitations (pool_id, user_id) WHERE status = 'pending';
CREATE INDEX pool_invitations_user ON pool_invitations (user_id) WHERE status = 'pending';

-- Everybody has a default pool. Its id follows from its owner's, as `defaultPoolId` makes it.
INSERT INTO pools
  SELECT left(encode(sha256(convert_to('default-pool:' || id, 'UTF8')), 'hex'), 24), 1, id, 'Default', '', '{}', true, 1,
    created_at, created_at
  FROM accounts;
UPDATE rentals r SET pool_id = p.id FROM pools p WHERE p.owner_id = r.user_id AND p.is_default AND r.pool_id IS NULL;
CREATE INDEX rentals_pool ON rentals (pool_id) WHERE status = 'active';

-- Which access a host has been told of for a container.
ALTER TABLE containers ADD COLUMN access_revision bigint NOT NULL DEFAULT 0;

INSERT INTO actor_tables (name) VALUES ('pools'), ('pool_members'), ('pool_invitations');

-- Who may do what on a server, in one place: whoever rents it owns it, and members of the rental's pool have their roles.
CREATE VIEW server_access AS
  SELECT s.id AS server_id, r.user_id, 'owner' AS role, r.pool_id
  FROM servers s JOIN rentals r ON r.id = s.rental_id
  UNION ALL
  SELECT s.id, m.user_id, m.role, r.pool_id
  FROM pool_members m JOIN rentals r ON r.pool_id = m.pool_id JOIN servers s ON s.rental_id = r.id;
