-- The saga that pays for a reservation: a request that comes again while it is being paid for waits for the same saga.
ALTER TABLE reservations ADD COLUMN saga text;
