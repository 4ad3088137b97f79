-- Subservers: parts of a physical server that are rented one by one (docs/decisions/0048-subservers.md).

-- The physical server that it is a part of; null: it is a physical server.
ALTER TABLE servers ADD COLUMN parent_id text CONSTRAINT servers_parent REFERENCES servers (id);
ALTER TABLE servers ADD CONSTRAINT servers_subserver CHECK (parent_id IS NULL OR kind = 'dedicated');
CREATE INDEX servers_subservers ON servers (parent_id) WHERE parent_id IS NOT NULL;
-- The hosts that actor hosts ask every few seconds.
CREATE INDEX servers_not_joined ON servers (id) WHERE joined_at IS NULL AND status <> 'retired';

-- The subserver that an alias's container is on; null: on the physical server itself, of which `server_id` and `server_name` always are.
ALTER TABLE aliases ADD COLUMN subserver_id text;
ALTER TABLE aliases ADD COLUMN subserver_name text;
