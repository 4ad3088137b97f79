-- The images that a host keeps ready for new containers, as its agent last reported them.

ALTER TABLE host_machines ADD COLUMN prepared_images jsonb NOT NULL DEFAULT '[]';
