-- Rentals of servers that an operator still sets up: their paid time has not begun (docs/decisions/0139-paid-time-begins-with-delivery.md). Those
-- that are there are marked by the reconciler of rentals.
ALTER TABLE rentals ADD COLUMN awaits_delivery boolean NOT NULL DEFAULT false;
CREATE INDEX rentals_awaiting ON rentals (server_id) WHERE awaits_delivery;
-- What the reconciler looks for every second: servers that are rented and not delivered.
CREATE INDEX servers_undelivered ON servers (rental_id) WHERE joined_at IS NULL AND delivered_by_hand AND status = 'rented';
CREATE INDEX reservations_rental ON reservations (rental_id) WHERE rental_id IS NOT NULL;
