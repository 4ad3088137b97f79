-- The marketplace is ordered by price, and by name where the price is equal: a list stops as soon as it is full only where an index has that order.
DROP INDEX servers_available, servers_country, servers_region, servers_category, servers_featured, servers_ram_type;

CREATE INDEX servers_available ON servers (price_per_day_cents, name)
  WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL;
CREATE INDEX servers_country ON servers (country, price_per_day_cents, name)
  WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL;
CREATE INDEX servers_region ON servers (region, price_per_day_cents, name)
  WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL;
CREATE INDEX servers_category ON servers (category, price_per_day_cents, name)
  WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL;
CREATE INDEX servers_featured ON servers (price_per_day_cents, name)
  WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL AND featured;
CREATE INDEX servers_ram_type ON servers (ram_type, price_per_day_cents, name)
  WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL;
