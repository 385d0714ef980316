-- Services of the configuration (mail server, archive, sign-in provider) that do not work, by the
-- process that found out. A row goes when the service works again.
CREATE TABLE service_troubles (
	org_id   TEXT NOT NULL REFERENCES orgs (id),
	service  TEXT NOT NULL,
	process  TEXT NOT NULL,
	since    BIGINT NOT NULL,
	last_at  BIGINT NOT NULL,
	failures BIGINT NOT NULL,
	PRIMARY KEY (org_id, service, process)
);
