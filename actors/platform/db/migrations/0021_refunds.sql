-- Refunds name their charge, so that no charge is refunded by more than it was (docs/decisions/0066-refunds.md).

ALTER TABLE transactions ADD COLUMN refund_of text REFERENCES transactions (id);

-- Refunds that were made before: their events name the charge.
ALTER TABLE transactions DISABLE TRIGGER transactions_append_only;
UPDATE transactions t SET refund_of = c.id
FROM events e JOIN transactions c ON c.id = e.data ->> 'refund_of'
WHERE e.event_type = 'user.balance_credited' AND e.data ->> 'transaction_id' = t.id
  AND e.user_id = t.user_id AND t.transaction_type = 'refund';
ALTER TABLE transactions ENABLE TRIGGER transactions_append_only;

-- Few transactions are refunds: the index costs other writes nothing.
CREATE INDEX transactions_refunds ON transactions (user_id, refund_of) WHERE refund_of IS NOT NULL;
