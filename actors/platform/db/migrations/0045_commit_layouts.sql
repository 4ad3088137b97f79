-- A host writes the columns that its own version knows, while a newer version has added others (docs/decisions/0115-hosts-write-the-columns-they-know.md).

-- The columns of the tables that actors write, as they are now.
CREATE VIEW written_columns AS
  SELECT t.name AS table_name, t.position AS table_position, a.attname::text AS name, a.attnum AS position,
    format_type(a.atttypid, a.atttypmod) AS type, array_position(i.indkey::int[], a.attnum::int) AS key_position
  FROM actor_tables t
  JOIN pg_attribute a ON a.attrelid = t.name::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary;

-- What those columns were after a migration. Each layout has a function `commit_batch_<fingerprint>` that writes its columns and
-- no others: a column that was added later gets its default, or keeps what it has.
CREATE TABLE commit_layouts (
  id serial PRIMARY KEY,
  fingerprint text NOT NULL UNIQUE,
  -- The migrations that had run. A version that has all of them knows the layout.
  migrations text[] NOT NULL,
  -- Rows of `written_columns`.
  columns jsonb NOT NULL
);

-- Versions before this migration read their columns here, and commit by `commit_batch`: both stay at the first layout.
CREATE OR REPLACE VIEW actor_columns AS
  SELECT c.table_name, c.table_position, c.name COLLATE "C" AS name, c.position, c.type, c.key_position
  FROM commit_layouts l
  CROSS JOIN jsonb_to_recordset(l.columns)
    AS c (table_name text, table_position int, name text, position smallint, type text, key_position int)
  WHERE l.id = (SELECT min(id) FROM commit_layouts);

-- Writes the function of the present columns, as in 0002_commit.sql, and notes their layout. Layouts of which a column was
-- dropped end with their functions.
CREATE OR REPLACE FUNCTION generate_commit() RETURNS void LANGUAGE plpgsql AS $generate$
DECLARE
  t record;
  slot int := 0;
  upserts text := '';
  removals text := '';
  layout text;
BEGIN
  SELECT string_agg(a.name, ', ') INTO layout FROM actor_tables a WHERE NOT EXISTS (
    SELECT FROM written_columns c WHERE c.table_name = a.name AND c.key_position IS NOT NULL);
  IF layout IS NOT NULL THEN
    RAISE EXCEPTION 'tables that actors write need a primary key: %', layout;
  END IF;
  SELECT string_agg(DISTINCT c.table_name, ', ') INTO layout FROM written_columns c WHERE c.name = 'base_version';
  IF layout IS NOT NULL THEN
    RAISE EXCEPTION 'base_version is the runtime''s own name and no column: %', layout;
  END IF;

  FOR t IN
    DELETE FROM commit_layouts l WHERE EXISTS (
      SELECT FROM jsonb_to_recordset(l.columns) AS c (table_name text, name text)
      WHERE NOT EXISTS (SELECT FROM written_columns w WHERE w.table_name = c.table_name AND w.name = c.name))
    RETURNING fingerprint
  LOOP
    EXECUTE format('DROP FUNCTION IF EXISTS %I', 'commit_batch_' || t.fingerprint);
  END LOOP;

  SELECT md5(string_agg(c.table_name || '.' || c.name, ',' ORDER BY c.table_position, c.position)) INTO layout
    FROM written_columns c;
  INSERT INTO commit_layouts (fingerprint, migrations, columns)
    SELECT layout, ARRAY(SELECT name FROM migrations), jsonb_agg(to_jsonb(c)) FROM written_columns c
    ON CONFLICT (fingerprint) DO NOTHING;

  FOR t IN
    SELECT c.table_name AS name, count(*) AS width,
      string_agg(quote_ident(c.name), ', ' ORDER BY c.position) AS columns,
      string_agg(format('u.%I::%s', c.name, c.type), ', ' ORDER BY c.position) AS typed,
      string_agg(format('%I = u.%I::%s', c.name, c.name, c.type), ', ' ORDER BY c.position)
        FILTER (WHERE c.key_position IS NULL) AS assignments,
      string_agg(format('t.%I = u.%I::%s', c.name, c.name, c.type), ' AND ' ORDER BY c.position)
        FILTER (WHERE c.key_position IS NOT NULL) AS keys_match,
      count(*) FILTER (WHERE c.name = 'version') AS versions,
      string_agg(format('part_[n_ * %s + 1 : n_ * %s]', c.position_in_row - 1, c.position_in_row), ', ' ORDER BY c.position)
        AS slices
    FROM (SELECT *, row_number() OVER (PARTITION BY table_name ORDER BY position) AS position_in_row FROM written_columns) c
    GROUP BY c.table_name, c.table_position ORDER BY c.table_position
  LOOP
    upserts := upserts || format($part$
  IF slots_[%1$s] IS NOT NULL THEN
    part_ := parts_[slots_[%1$s]]::text[];
    n_ := cardinality(part_) / %3$s;
    INSERT INTO %2$I (%4$s) SELECT %5$s FROM unnest(%6$s) AS u (%4$s);
  END IF;$part$, slot + 1, t.name, t.width, t.columns, t.typed, t.slices);

    upserts := upserts || format($part$
  IF slots_[%1$s] IS NOT NULL THEN
    part_ := parts_[slots_[%1$s]]::text[];
    n_ := cardinality(part_) / %3$s;
    UPDATE %2$I t SET %4$s FROM unnest(%5$s%6$s) AS u (%7$s%8$s) WHERE %9$s%10$s;
    GET DIAGNOSTICS met_ = ROW_COUNT;
    IF met_ <> n_ THEN
      RAISE EXCEPTION 'stale' USING ERRCODE = 'BR002', DETAIL = %2$L;
    END IF;
  END IF;$part$, slot + 2, t.name, t.width + t.versions, t.assignments, t.slices,
      CASE WHEN t.versions > 0 THEN format(', part_[n_ * %s + 1 : n_ * %s]', t.width, t.width + 1) ELSE '' END,
      t.columns, CASE WHEN t.versions > 0 THEN ', base_version' ELSE '' END,
      t.keys_match, CASE WHEN t.versions > 0 THEN ' AND t.version = u.base_version::bigint' ELSE '' END);

    removals := format($part$
  IF slots_[%1$s] IS NOT NULL THEN
    part_ := parts_[slots_[%1$s]]::text[];
    n_ := cardinality(part_) / %3$s;
    DELETE FROM %2$I t USING unnest(%4$s%5$s) AS u (%6$s%7$s) WHERE %8$s%9$s;
    GET DIAGNOSTICS met_ = ROW_COUNT;
    IF met_ <> n_ THEN
      RAISE EXCEPTION 'stale' USING ERRCODE = 'BR002', DETAIL = %2$L;
    END IF;
  END IF;$part$, slot + 3, t.name, t.width + t.versions, t.slices,
      CASE WHEN t.versions > 0 THEN format(', part_[n_ * %s + 1 : n_ * %s]', t.width, t.width + 1) ELSE '' END,
      t.columns, CASE WHEN t.versions > 0 THEN ', base_version' ELSE '' END,
      t.keys_match, CASE WHEN t.versions > 0 THEN ' AND t.version = u.base_version::bigint' ELSE '' END)
      || removals;
    slot := slot + 3;
  END LOOP;

  EXECUTE format($create$
CREATE OR REPLACE FUNCTION %1$I(p_owner text, p_partitions int[], p_epochs bigint[], slots_ int[], parts_ text[])
RETURNS void LANGUAGE plpgsql AS $body$
DECLARE
  part_ text[];
  n_ int;
  met_ bigint;
BEGIN
  PERFORM fence(p_owner, p_partitions, p_epochs);
%2$s
%3$s
END $body$$create$, 'commit_batch_' || layout, removals, upserts);
END $generate$;
