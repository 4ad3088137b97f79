-- Whether a firewall rejects incoming packets that no rule allows: from its first enabled ingress rule on. Firewalls from before were
-- closed by any rule, and stay closed.
ALTER TABLE firewalls ADD COLUMN closed boolean NOT NULL DEFAULT true;
ALTER TABLE firewalls ALTER COLUMN closed DROP DEFAULT;
