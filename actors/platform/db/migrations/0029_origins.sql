-- Effects and sends carry the request that led to them, for logs and traces (schemas/origin.ts).

ALTER TABLE outbox ADD COLUMN origin json;
ALTER TABLE tasks ADD COLUMN origin json;
