-- Servers for rent, rentals that are paid for and end, offers and reservations.

-- Prices were decimal text, and are whole cents.
CREATE FUNCTION cents_of(prices jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(key, (value::numeric * 100)::bigint), '{}') FROM jsonb_each_text(prices)
$$;
UPDATE offers SET pricing_rules = cents_of(pricing_rules), setup_fee_rules = cents_of(setup_fee_rules),
  specs = specs - 'total_storage_gb';
DROP FUNCTION cents_of(jsonb);
ALTER TABLE offers ADD COLUMN orderable boolean NOT NULL DEFAULT true;

ALTER TABLE servers DROP CONSTRAINT servers_status_check;
ALTER TABLE servers
  ADD CONSTRAINT servers_status_check CHECK (status IN ('in_stock', 'renting', 'rented', 'grace', 'cleaning', 'retired')),
  ADD COLUMN kind text NOT NULL DEFAULT 'dedicated' CHECK (kind IN ('dedicated', 'shared', 'system')),
  ADD COLUMN prices jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN setup_fee_cents bigint NOT NULL DEFAULT 0 CHECK (setup_fee_cents >= 0),
  -- The rental that holds it, also while that is being paid for.
  ADD COLUMN rental_id text;
UPDATE servers SET specs = specs - 'total_storage_gb';
UPDATE servers s SET rental_id = r.id FROM rentals r WHERE r.server_id = s.id AND r.status = 'active';

-- What the filters of the marketplace look at, taken out of the record.
CREATE FUNCTION price_days(prices jsonb) RETURNS int[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(key::int ORDER BY key::int), '{}') FROM jsonb_each_text(prices)
$$;
CREATE FUNCTION price_per_day(prices jsonb) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT min(value::numeric / key::int) FROM jsonb_each_text(prices)
$$;
CREATE FUNCTION storage_gb(disks jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(sum((disk ->> 'size_gb')::bigint), 0) FROM jsonb_array_elements(coalesce(disks, '[]')) disk
$$;
CREATE FUNCTION disk_types(disks jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(DISTINCT disk ->> 'type'), '{}') FROM jsonb_array_elements(coalesce(disks, '[]')) disk
$$;
ALTER TABLE servers
  ADD COLUMN country text GENERATED ALWAYS AS (specs ->> 'country') STORED,
  ADD COLUMN region text GENERATED ALWAYS AS (specs ->> 'region') STORED,
  ADD COLUMN category text GENERATED ALWAYS AS (specs ->> 'category') STORED,
  ADD COLUMN cpu_cores int GENERATED ALWAYS AS ((specs ->> 'cpu_cores')::int) STORED,
  ADD COLUMN passmark int GENERATED ALWAYS AS ((specs #>> '{cpu_scores,passmark}')::int) STORED,
  ADD COLUMN geekbench_single int GENERATED ALWAYS AS ((specs #>> '{cpu_scores,geekbench_single}')::int) STORED,
  ADD COLUMN geekbench_multi int GENERATED ALWAYS AS ((specs #>> '{cpu_scores,geekbench_multi}')::int) STORED,
  ADD COLUMN ram_gb numeric GENERATED ALWAYS AS ((specs ->> 'ram_gb')::numeric) STORED,
  ADD COLUMN ram_type text GENERATED ALWAYS AS (specs ->> 'ram_type') STORED,
  ADD COLUMN bandwidth_mbps int GENERATED ALWAYS AS ((specs ->> 'bandwidth_mbps')::int) STORED,
  -- Unlimited traffic is more than any.
  ADD COLUMN traffic_tb numeric GENERATED ALWAYS AS (
    CASE WHEN specs -> 'traffic_tb' = 'null' THEN 'Infinity' ELSE (specs ->> 'traffic_tb')::numeric END) STORED,
  ADD COLUMN total_storage_gb bigint GENERATED ALWAYS AS (storage_gb(specs -> 'disks')) STORED,
  ADD COLUMN disk_types text[] GENERATED ALWAYS AS (disk_types(specs -> 'disks')) STORED,
  ADD COLUMN featured boolean GENERATED ALWAYS AS (coalesce((specs ->> 'featured')::boolean, false)) STORED,
  ADD COLUMN durations int[] GENERATED ALWAYS AS (price_days(prices)) STORED,
  ADD COLUMN price_per_day_cents numeric GENERATED ALWAYS AS (price_per_day(prices)) STORED;

-- A list is the cheapest first, so it can stop as soon as it is full; a rare value of a filter is found by its own index.
CREATE INDEX servers_available ON servers (price_per_day_cents, id)
  WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL;
CREATE INDEX servers_country ON servers (country, price_per_day_cents, id)
  WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL;
CREATE INDEX servers_region ON servers (region, price_per_day_cents, id)
  WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL;
CREATE INDEX servers_category ON servers (category, price_per_day_cents, id)
  WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL;
CREATE INDEX servers_cpu_cores ON servers (cpu_cores)
  WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL;
CREATE INDEX servers_ram_gb ON servers (ram_gb)
  WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL;
CREATE INDEX servers_total_storage_gb ON servers (total_storage_gb)
  WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL;
CREATE INDEX servers_bandwidth ON servers (bandwidth_mbps)
  WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL;
CREATE INDEX servers_traffic ON servers (traffic_tb)
  WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL;
CREATE INDEX servers_passmark ON servers (passmark)
  WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL;
CREATE INDEX servers_geekbench_single ON servers (geekbench_single)
  WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL;
CREATE INDEX servers_geekbench_multi ON servers (geekbench_multi)
  WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL;
CREATE INDEX servers_featured ON servers (price_per_day_cents, id)
  WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL AND featured;
CREATE INDEX servers_ram_type ON servers (ram_type, price_per_day_cents, id)
  WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL;
CREATE INDEX servers_disk_types ON servers USING gin (disk_types)
  WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL;
CREATE INDEX servers_durations ON servers USING gin (durations)
  WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL;
CREATE INDEX servers_leaving ON servers (id) WHERE status = 'cleaning';
-- A name is free again when its server is gone.
DROP INDEX servers_name;
CREATE UNIQUE INDEX servers_name ON servers (name) WHERE status <> 'retired';

ALTER TABLE rentals
  ADD COLUMN pool_id text,
  ADD COLUMN server_name text,
  ADD COLUMN rental_start timestamptz,
  -- What a renewal costs at most, fixed when the rental began; null: nothing was promised.
  ADD COLUMN frozen_prices jsonb,
  -- What it would cost now.
  ADD COLUMN live_prices jsonb NOT NULL DEFAULT '{}',
  -- The payment for an extension that is under way.
  ADD COLUMN extending jsonb;
UPDATE rentals r SET rental_start = r.created_at, server_name = s.name FROM servers s WHERE s.id = r.server_id;
ALTER TABLE rentals ALTER COLUMN rental_start SET NOT NULL, ALTER COLUMN server_name SET NOT NULL;
CREATE INDEX rentals_due ON rentals (rental_end) WHERE status = 'active';
CREATE INDEX rentals_server ON rentals (server_id, rental_end);

CREATE TABLE reservations (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  user_id text NOT NULL,
  pool_id text,
  offer_id text NOT NULL REFERENCES offers (id),
  offer_name text NOT NULL,
  days int NOT NULL,
  lead_time_hours int NOT NULL,
  rent_cents bigint NOT NULL,
  setup_fee_cents bigint NOT NULL,
  renewal_prices jsonb NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'confirmed', 'delivered', 'cancelled')),
  transaction_id text,
  delivery_due timestamptz,
  rental_id text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX reservations_user ON reservations (user_id, created_at DESC, id DESC);
CREATE INDEX reservations_due ON reservations (delivery_due, id) WHERE status = 'confirmed';
INSERT INTO actor_tables (name) VALUES ('reservations');
