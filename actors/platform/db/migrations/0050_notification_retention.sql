-- Notices may have an end (BERTH_KEEP_NOTIFICATIONS_DAYS): the oldest are found by these.
CREATE INDEX notifications_age ON notifications (created_at);
CREATE INDEX notification_deletions_age ON notification_deletions (deleted_at);
