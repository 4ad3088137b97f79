-- The market: servers for rent, rentals, offers and reservations. Prices are whole cents by number of days.

-- The columns that the market's filters read, computed from a server's specs and prices.
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

CREATE TABLE servers (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  name text NOT NULL,
  kind text NOT NULL DEFAULT 'dedicated' CHECK (kind IN ('dedicated', 'shared', 'system')),
  status text NOT NULL CHECK (status IN ('in_stock', 'renting', 'rented', 'grace', 'cleaning', 'retired')),
  specs jsonb NOT NULL,
  prices jsonb NOT NULL DEFAULT '{}',
  setup_fee_cents bigint NOT NULL DEFAULT 0 CHECK (setup_fee_cents >= 0),
  -- The rental that holds the server, also while its payment is in progress.
  rental_id text,
  -- When the server's host first connected. A server can be rented from then on, or when an operator delivers it by hand.
  joined_at timestamptz,
  delivered_by_hand boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  country text GENERATED ALWAYS AS (specs ->> 'country') STORED,
  region text GENERATED ALWAYS AS (specs ->> 'region') STORED,
  category text GENERATED ALWAYS AS (specs ->> 'category') STORED,
  cpu_cores int GENERATED ALWAYS AS ((specs ->> 'cpu_cores')::int) STORED,
  passmark int GENERATED ALWAYS AS ((specs #>> '{cpu_scores,passmark}')::int) STORED,
  geekbench_single int GENERATED ALWAYS AS ((specs #>> '{cpu_scores,geekbench_single}')::int) STORED,
  geekbench_multi int GENERATED ALWAYS AS ((specs #>> '{cpu_scores,geekbench_multi}')::int) STORED,
  ram_gb numeric GENERATED ALWAYS AS ((specs ->> 'ram_gb')::numeric) STORED,
  ram_type text GENERATED ALWAYS AS (specs ->> 'ram_type') STORED,
  bandwidth_mbps int GENERATED ALWAYS AS ((specs ->> 'bandwidth_mbps')::int) STORED,
  -- Unlimited traffic is more than any.
  traffic_tb numeric GENERATED ALWAYS AS (
    CASE WHEN specs -> 'traffic_tb' = 'null' THEN 'Infinity' ELSE (specs ->> 'traffic_tb')::numeric END) STORED,
  total_storage_gb bigint GENERATED ALWAYS AS (storage_gb(specs -> 'disks')) STORED,
  disk_types text[] GENERATED ALWAYS AS (disk_types(specs -> 'disks')) STORED,
  featured boolean GENERATED ALWAYS AS (coalesce((specs ->> 'featured')::boolean, false)) STORED,
  durations int[] GENERATED ALWAYS AS (price_days(prices)) STORED,
  price_per_day_cents numeric GENERATED ALWAYS AS (price_per_day(prices)) STORED
);
-- A retired server's name can be used again.
CREATE UNIQUE INDEX servers_name ON servers (name) WHERE status <> 'retired';

-- A list is ordered by price, so it can stop as soon as it is full; a rare value of a filter has an index of its own.
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

CREATE TABLE rentals (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  server_id text NOT NULL REFERENCES servers (id),
  server_name text NOT NULL,
  user_id text NOT NULL,
  pool_id text,
  status text NOT NULL CHECK (status IN ('active', 'ended')),
  rental_start timestamptz NOT NULL,
  rental_end timestamptz NOT NULL,
  -- The highest price of a renewal, fixed when the rental began; null: no promise.
  frozen_prices jsonb,
  -- The price of a renewal now.
  live_prices jsonb NOT NULL DEFAULT '{}',
  -- The payment for an extension, while it is in progress.
  extending jsonb,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX rentals_active ON rentals (server_id) WHERE status = 'active';
CREATE INDEX rentals_user ON rentals (user_id);
CREATE INDEX rentals_pool ON rentals (pool_id) WHERE status = 'active';
CREATE INDEX rentals_due ON rentals (rental_end) WHERE status = 'active';
CREATE INDEX rentals_server ON rentals (server_id, rental_end);

CREATE TABLE offers (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  name text NOT NULL,
  lead_time_hours int NOT NULL CHECK (lead_time_hours BETWEEN 1 AND 720),
  pricing_rules jsonb NOT NULL,
  setup_fee_rules jsonb NOT NULL,
  setup_fee_cents bigint NOT NULL,
  specs jsonb NOT NULL,
  orderable boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

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
  -- The saga that pays for the reservation: a request that comes again meanwhile waits for the same saga.
  saga text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX reservations_user ON reservations (user_id, created_at DESC, id DESC);
CREATE INDEX reservations_due ON reservations (delivery_due, id) WHERE status = 'confirmed';

INSERT INTO actor_tables (name) VALUES ('servers'), ('rentals'), ('offers'), ('reservations');
