-- What a transaction says is as final as its movements are, and invoices are made of it. Actors only ever insert them.
CREATE TRIGGER transactions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON transactions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
