-- Times are microseconds since 1970 by the database's clock.

CREATE TABLE jobs (
	id                {identity},
	org_id            TEXT NOT NULL,
	kind              TEXT NOT NULL,
	state             TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'running', 'succeeded', 'failed', 'exhausted', 'cancelled')),
	priority          INTEGER NOT NULL CHECK (priority BETWEEN 1 AND 3),
	run_at            BIGINT NOT NULL,
	args              TEXT NOT NULL,
	subject           TEXT NOT NULL,
	limit_key         TEXT NOT NULL,
	unique_key        TEXT NOT NULL,
	attempt           INTEGER NOT NULL DEFAULT 0,
	max_attempts      INTEGER NOT NULL,
	crashes           INTEGER NOT NULL DEFAULT 0,
	quarantined       INTEGER NOT NULL DEFAULT 0,
	fence             BIGINT NOT NULL DEFAULT 0,
	worker            TEXT NOT NULL DEFAULT '',
	claimed_at        BIGINT,
	lease_until       BIGINT,
	stop_requested_by TEXT NOT NULL DEFAULT '',
	fault_kind        TEXT NOT NULL DEFAULT '',
	fault_code        TEXT NOT NULL DEFAULT '',
	fault_sentence    TEXT NOT NULL DEFAULT '',
	created_at        BIGINT NOT NULL,
	finished_at       BIGINT
) {hot};

-- Claims read only what waits, so finished jobs cost them nothing.
CREATE INDEX jobs_due ON jobs (priority, run_at, id) WHERE state = 'pending';
CREATE INDEX jobs_running ON jobs (id) WHERE state = 'running';
CREATE UNIQUE INDEX jobs_unique ON jobs (org_id, unique_key) WHERE unique_key <> '' AND state IN ('pending', 'running');
CREATE INDEX jobs_finished ON jobs (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_subject ON jobs (org_id, subject) WHERE subject <> '';

-- Append only: who moved a job, when, from where, to where and why. The fence of
-- a job counts its transitions, so that the two together are a key. There is no
-- foreign key: it would cost as much as all the rest of a claim together, rows
-- are only ever copied from jobs, and fsck looks for strays.
CREATE TABLE job_transitions (
	org_id     TEXT NOT NULL,
	job_id     BIGINT NOT NULL,
	fence      BIGINT NOT NULL,
	at         BIGINT NOT NULL,
	from_state TEXT NOT NULL,
	to_state   TEXT NOT NULL,
	who        TEXT NOT NULL,
	why        TEXT NOT NULL,
	fault_kind TEXT NOT NULL DEFAULT '',
	fault_code TEXT NOT NULL DEFAULT '',
	PRIMARY KEY (org_id, job_id, fence)
);

-- An attempt is what lies between a move to running and the next move.
CREATE VIEW job_attempts AS
	SELECT began.org_id, began.job_id, began.fence, began.who AS worker, began.at AS started_at,
		ended.at AS finished_at, ended.to_state, ended.why, ended.fault_kind, ended.fault_code
	FROM job_transitions AS began
	LEFT JOIN job_transitions AS ended
		ON ended.org_id = began.org_id AND ended.job_id = began.job_id AND ended.fence = began.fence + 1
	WHERE began.to_state = 'running';

-- One row per periodic job; next_at moves in the transaction that inserts the
-- job of a tick, so a tick has one job whatever the number of schedulers.
CREATE TABLE job_schedules (
	org_id  TEXT NOT NULL,
	name    TEXT NOT NULL,
	next_at BIGINT NOT NULL,
	last_at BIGINT,
	ticks   BIGINT NOT NULL DEFAULT 0,
	PRIMARY KEY (org_id, name)
);
