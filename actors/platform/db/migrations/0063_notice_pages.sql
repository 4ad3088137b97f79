-- Where the console shows what a notice is about. It is stored: a notice keeps neither the data of its event nor which change of the account it reports.
ALTER TABLE notifications ADD COLUMN page text;
