-- The actor runtime's own tables and its commit.

CREATE TABLE hosts (
  host text PRIMARY KEY,
  started_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);

-- One row a partition, made once: their number is that of the cluster.
CREATE TABLE leases (
  partition int PRIMARY KEY,
  owner text,
  epoch bigint NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 50);
INSERT INTO leases (partition) SELECT generate_series(0, 63);

-- What each operation answered, so that it is never done twice.
CREATE TABLE receipts (
  actor_id text NOT NULL,
  key text NOT NULL,
  fingerprint text NOT NULL,
  reply jsonb NOT NULL,
  actor_version bigint NOT NULL,
  minted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (actor_id, key)
);
CREATE INDEX receipts_minted ON receipts (created_at) WHERE minted;

-- Effects of commits, in the order of their partition. The owner numbers them without gaps.
CREATE TABLE outbox (
  partition int NOT NULL,
  seq bigint NOT NULL,
  topic text NOT NULL,
  body jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (partition, seq)
);
CREATE TABLE outbox_progress (
  partition int PRIMARY KEY,
  seq bigint NOT NULL
);
INSERT INTO outbox_progress SELECT generate_series(0, 63), 0;

-- The tables that actors write, parents before their children.
CREATE TABLE actor_tables (
  name text PRIMARY KEY,
  position serial
);
INSERT INTO actor_tables (name) VALUES ('receipts'), ('outbox');

-- Locks the leases and checks that they are still the owner's. FOR SHARE makes a takeover wait for this commit, and this
-- commit see a takeover; a plain SELECT would let a stopped owner's commit slip past.
CREATE FUNCTION fence(p_owner text, p_partitions int[], p_epochs bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  held int[];
BEGIN
  SELECT coalesce(array_agg(s.partition), '{}') INTO held FROM (
    SELECT l.partition
    FROM leases l
    WHERE l.partition = ANY (p_partitions) AND l.owner = p_owner
      AND l.epoch = p_epochs[array_position(p_partitions, l.partition)]
    ORDER BY l.partition
    FOR SHARE
  ) s;
  IF cardinality(held) <> cardinality(p_partitions) THEN
    RAISE EXCEPTION 'fenced' USING ERRCODE = 'BR001', DETAIL = (
      SELECT string_agg(p::text, ',') FROM unnest(p_partitions) p WHERE p <> ALL (held)
    );
  END IF;
END $$;

-- Writes the function `commit_batch` for the tables of `actor_tables`, with a plain statement for each, so that plans are
-- kept. It runs after every migration. An update or delete that does not meet exactly its rows, at the version
-- that they were read at, fails the whole commit.
CREATE FUNCTION generate_commit() RETURNS void LANGUAGE plpgsql AS $generate$
DECLARE
  t record;
  columns text;
  typed text;
  assignments text;
  keys_match text;
  version_match text;
  upserts text := '';
  removals text := '';
BEGIN
  FOR t IN SELECT name, name::regclass AS oid FROM actor_tables ORDER BY position LOOP
    SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum),
           string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' ORDER BY a.attnum),
           string_agg(format('%1$I = r.%1$I', a.attname), ', ' ORDER BY a.attnum)
             FILTER (WHERE a.attnum <> ALL (i.indkey)),
           string_agg(format('t.%1$I = r.%1$I', a.attname), ' AND ' ORDER BY a.attnum)
             FILTER (WHERE a.attnum = ANY (i.indkey)),
           coalesce(max(' AND t.version = r.base_version') FILTER (WHERE a.attname = 'version'), '')
      INTO columns, typed, assignments, keys_match, version_match
      FROM pg_attribute a
      JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
      WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '';

    upserts := upserts || format($part$
  part := writes -> %1$L;
  IF part IS NOT NULL THEN
    IF part ? 'insert' THEN
      INSERT INTO %1$I (%2$s) SELECT %2$s FROM jsonb_to_recordset(part -> 'insert') AS r(%3$s);
    END IF;
    IF part ? 'update' THEN
      UPDATE %1$I t SET %4$s FROM jsonb_to_recordset(part -> 'update') AS r(%3$s, base_version bigint) WHERE %5$s%6$s;
      GET DIAGNOSTICS met = ROW_COUNT;
      IF met <> jsonb_array_length(part -> 'update') THEN
        RAISE EXCEPTION 'stale' USING ERRCODE = 'BR002', DETAIL = %1$L;
      END IF;
    END IF;
  END IF;$part$, t.name, columns, typed, assignments, keys_match, version_match);

    removals := format($part$
  part := writes -> %1$L;
  IF part IS NOT NULL AND part ? 'remove' THEN
    DELETE FROM %1$I t USING jsonb_to_recordset(part -> 'remove') AS r(%2$s, base_version bigint) WHERE %3$s%4$s;
    GET DIAGNOSTICS met = ROW_COUNT;
    IF met <> jsonb_array_length(part -> 'remove') THEN
      RAISE EXCEPTION 'stale' USING ERRCODE = 'BR002', DETAIL = %1$L;
    END IF;
  END IF;$part$, t.name, typed, keys_match, version_match) || removals;
  END LOOP;

  EXECUTE format($create$
CREATE OR REPLACE FUNCTION commit_batch(p_owner text, p_partitions int[], p_epochs bigint[], writes jsonb)
RETURNS void LANGUAGE plpgsql AS $body$
DECLARE
  part jsonb;
  met bigint;
BEGIN
  PERFORM fence(p_owner, p_partitions, p_epochs);
%1$s
%2$s
END $body$$create$, upserts, removals);
END $generate$;
