package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

// MainShard is what the first database of an installation is called.
const MainShard = "main"

// Place is where the rows of an org are. The first database knows it of all orgs.
type Place struct {
	Org      curlew.OrgID
	Shard    string
	MovingTo string // while they are being moved: they are still on Shard
	Leaving  string // after that, until the old ones are gone
}

// Settled says whether nothing of the org is on another shard.
func (p Place) Settled() bool { return p.MovingTo == "" && p.Leaving == "" }

// Place says where the rows of an org are.
func (s *Store) Place(ctx context.Context, org curlew.OrgID) (Place, error) {
	rows, err := s.db.Query(ctx, placesSQL+` WHERE orgs.id = ?`, org)
	return one(the(s.Org(org), "org", string(org)), rows, err, scanPlace)
}

// Displaced says where the rows of those orgs are that were ever moved.
func (s *Store) Displaced(ctx context.Context) ([]Place, error) {
	rows, err := s.db.Query(ctx, placesSQL+` WHERE p.org_id IS NOT NULL ORDER BY orgs.id`)
	return many(s.Org(curlew.SystemOrg), rows, err, scanPlace)
}

// Places says where the rows of all orgs are.
func (s *Store) Places(ctx context.Context) ([]Place, error) {
	rows, err := s.db.Query(ctx, placesSQL+` ORDER BY orgs.id`)
	return many(s.Org(curlew.SystemOrg), rows, err, scanPlace)
}

const placesSQL = `SELECT orgs.id, coalesce(p.shard, '` + MainShard + `'), coalesce(p.moving_to, ''), coalesce(p.leaving, '') FROM orgs
	LEFT JOIN org_shards AS p ON p.org_id = orgs.id`

func scanPlace(r *sql.Rows) (p Place, err error) {
	err = r.Scan(&p.Org, &p.Shard, &p.MovingTo, &p.Leaving)
	return p, err
}

// Relocate notes another place of an org, unless somebody else noted one since, and what the audit log says of it.
func (s *Store) Relocate(ctx context.Context, was, now Place, entries ...curlew.AuditEntry) error {
	return s.Write(ctx, was.Org, func(w WriteScope) error {
		for _, e := range entries {
			if _, err := w.Audit().Append(ctx, e); err != nil {
				return err
			}
		}
		if _, err := w.Tx.Exec(ctx, `INSERT INTO org_shards (org_id, shard) VALUES (?, ?) ON CONFLICT (org_id) DO NOTHING`,
			was.Org, MainShard); err != nil {
			return err
		}
		n, err := w.Tx.Exec(ctx, `UPDATE org_shards SET shard = ?, moving_to = ?, leaving = ?
			WHERE org_id = ? AND shard = ? AND moving_to = ? AND leaving = ?`,
			now.Shard, now.MovingTo, now.Leaving, was.Org, was.Shard, was.MovingTo, was.Leaving)
		if err == nil && n == 0 {
			err = curlew.Temporary("moved_meanwhile", "the org %q was moved by another process at the same time: see \"curlew orgs list\"", was.Org)
		}
		return err
	})
}

// KeepElsewhere sets how the store of an org is found whose rows are not in this database; nil says that they are. Lines of the
// audit log about people and keys are written there: it is one log with one numbering.
func (s *Store) KeepElsewhere(find func(context.Context, curlew.OrgID) (*Store, error)) {
	s.elsewhere = find
}

// signing are the lines that keep nobody from signing in or out: where the org cannot have one now, the log of the installation has it.
var signing = []string{"sign-in", "sign-in.failed", "sign-out", "sign-out.everywhere", "password.link"}

// appendElsewhere writes a line of the audit log of an org that is on another shard. It is durable before what it tells of is: a
// crash between the two leaves a line too many, never one too few.
func (s AuditTx) appendElsewhere(ctx context.Context, e curlew.AuditEntry) (done bool, err error) {
	if s.store.elsewhere == nil {
		return false, nil
	}
	there, err := s.store.elsewhere(ctx, s.org)
	if err == nil && there != nil {
		done, err = true, there.Write(ctx, s.org, func(w WriteScope) error {
			_, err := w.Audit().Append(ctx, e)
			return err
		})
	}
	if err == nil || curlew.AsFault(err).Kind != curlew.KindTemporary || !slices.Contains(signing, e.Action) {
		return done, err
	}
	if e.Details, err = json.Marshal(map[string]any{"org": s.org, "of_org": e.Details}); err != nil {
		return false, err
	}
	_, err = s.store.Within(s.Tx, curlew.SystemOrg).Audit().Append(ctx, e)
	return true, err
}

// jobsOfShard is how many jobs are numbered before the numbers of the next shard begin. JavaScript counts exactly up to 9 * 10^15.
const jobsOfShard = 1_000_000_000_000

// NameShard gives a database its name among the shards of an installation, the first time, and refuses one that has another
// name or belongs to another installation. The receiver is the first database.
func (s *Store) NameShard(ctx context.Context, name string, shard *Store) error {
	var number int64
	var installation string
	find := func() error {
		return s.db.QueryRow(ctx, `SELECT number, installation FROM shard_names WHERE org_id = ? AND name = ?`, curlew.SystemOrg, name).Scan(
			&number, &installation)
	}
	err := find()
	known := err == nil
	if errors.Is(err, sql.ErrNoRows) {
		if err = s.registerShard(ctx, name); err == nil {
			err = find()
		}
	}
	if err != nil {
		return s.db.Explain(err)
	}
	rows, err := shard.db.Query(ctx, `SELECT name, installation FROM shard_names WHERE org_id = ?`, curlew.SystemOrg)
	named, err := many(shard.Org(curlew.SystemOrg), rows, err, func(r *sql.Rows) (n [2]string, err error) {
		err = r.Scan(&n[0], &n[1])
		return n, err
	})
	switch {
	case err != nil:
		return err
	case len(named) == 0 && known: // another database had the name before
		if number, err = s.renumberShard(ctx, name); err != nil {
			return err
		}
		return shard.takeName(ctx, name, number, installation)
	case len(named) == 0:
		return shard.takeName(ctx, name, number, installation)
	case len(named) > 1 || named[0][0] == MainShard:
		return curlew.Permanent("wrong_shard", "the database of the shard %q is the first one of an installation: name another", name)
	case named[0] != [2]string{name, installation}:
		return curlew.Permanent("wrong_shard", "the database of the shard %q was the shard %q before, of this or of another installation: "+
			"correct database.shards", name, named[0][0])
	}
	return nil
}

// registerShard gives a name a number.
func (s *Store) registerShard(ctx context.Context, name string) error {
	return s.Write(ctx, curlew.SystemOrg, func(w WriteScope) error {
		if err := w.Orgs().Lock(ctx); err != nil {
			return err
		}
		if _, err := w.Tx.Exec(ctx, `INSERT INTO shard_names (org_id, name, number, installation) VALUES (?, ?, 0, {secret})
			ON CONFLICT (org_id, name) DO NOTHING`, curlew.SystemOrg, MainShard); err != nil {
			return err
		}
		_, err := w.Tx.Exec(ctx, `INSERT INTO shard_names (org_id, name, number, installation)
			SELECT org_id, ?, (SELECT max(number) + 1 FROM shard_names), installation FROM shard_names WHERE name = ?
			ON CONFLICT (org_id, name) DO NOTHING`, name, MainShard)
		return err
	})
}

// renumberShard gives a name a new number, as another database has it now: orgs that left the old one took its numbers of jobs along.
// Where orgs live on the old one, the new one is refused.
func (s *Store) renumberShard(ctx context.Context, name string) (number int64, err error) {
	err = s.Write(ctx, curlew.SystemOrg, func(w WriteScope) error {
		rows, err := w.Tx.Query(ctx, `SELECT org_id FROM org_shards WHERE ? IN (shard, moving_to, leaving) ORDER BY org_id LIMIT 1`, name)
		orgs, err := many(w, rows, err, scanText)
		if err == nil && len(orgs) > 0 {
			err = curlew.Permanent("shard_lost", "the org %q has rows on the shard %q, and this database is empty: correct database.shards, or "+
				"restore a backup", orgs[0], name)
		}
		if err != nil {
			return err
		}
		return w.Tx.QueryRow(ctx, `UPDATE shard_names SET number = (SELECT max(number) + 1 FROM shard_names) WHERE org_id = ? AND name = ?
			RETURNING number`, curlew.SystemOrg, name).Scan(&number)
	})
	return number, err
}

// takeName makes an empty database a shard.
func (s *Store) takeName(ctx context.Context, name string, number int64, installation string) error {
	return s.Write(ctx, curlew.SystemOrg, func(w WriteScope) error {
		if err := w.Orgs().Lock(ctx); err != nil {
			return err
		}
		rows, err := w.Tx.Query(ctx, `SELECT (SELECT count(*) FROM orgs WHERE id NOT IN (?, ?)) + (SELECT count(*) FROM memberships)`,
			curlew.DefaultOrg, curlew.SystemOrg)
		n, err := one(the(w, "shard", name), rows, err, scanNumber)
		if err != nil {
			return err
		}
		if n > 0 {
			return curlew.Permanent("shard_in_use", "the database of the shard %q is not empty: name an empty one", name)
		}
		if _, err := w.Tx.Exec(ctx, `INSERT INTO shard_names (org_id, name, number, installation) VALUES (?, ?, ?, ?)
			ON CONFLICT (org_id, name) DO NOTHING`, curlew.SystemOrg, name, number, installation); err != nil {
			return err
		}
		return w.Tx.NumberFrom(ctx, "jobs", "id", number*jobsOfShard)
	})
}

// The tables with rows of orgs: a table belongs into one of the two.
var (
	// MovingTables are those whose rows an org takes along to another shard.
	MovingTables = []string{"audit_counters", "audit_log", "blueprints", "candidate_transitions", "candidates", "change_counters",
		"change_days", "changes", "deliveries", "delivery_attempts", "entities", "entity_aliases", "entity_words", "feed_keys", "field_words",
		"frontier", "heals", "idempotency_keys", "job_transitions", "jobs", "kinds", "model_calls", "model_reservations", "pages",
		"publications", "records", "request_counts", "run_log", "runs", "scorecards", "sightings", "source_pictures", "sources",
		"subscriptions", "url_log", "watches"}
	// StayingTables are those of the directory (who may do what, and which org is where), of the database itself, and what all
	// orgs share.
	StayingTables = []string{"api_keys", "host_slots", "invitations", "job_schedules", "memberships", "org_shards", "orgs", "paused_orgs",
		"robots_files", "secrets_marker", "service_troubles", "sessions", "shard_names", "sign_in_attempts", "sign_in_devices",
		"sign_in_links", "users"}
)

// moving is an org that goes from one database to another.
func (s *Store) moving(org curlew.OrgID) database.OrgRows {
	return database.OrgRows{DB: s.db, Org: string(org), Tables: MovingTables, Gone: orgGone}
}

// orgGone finds in each database the orgs that live on another one: the directory knows it of all orgs, each other shard of those
// that left it. The first name is the database's own.
const orgGone = `EXISTS (SELECT 1 FROM org_shards WHERE org_id = NEW.org_id
	AND shard <> (SELECT name FROM shard_names ORDER BY number LIMIT 1))`

// Left keeps in a shard where an org went that left it.
func (s *Store) Left(ctx context.Context, org curlew.OrgID, to string) error {
	return s.Write(ctx, org, func(w WriteScope) error {
		_, err := w.Tx.Exec(ctx, `INSERT INTO org_shards (org_id, shard) VALUES (?, ?) ON CONFLICT (org_id) DO UPDATE SET shard = excluded.shard`,
			org, to)
		return err
	})
}

// OrgsWithRows are the orgs that have rows here which they take along to another shard.
func (s *Store) OrgsWithRows(ctx context.Context) (map[curlew.OrgID]bool, error) {
	all := map[curlew.OrgID]bool{}
	for _, table := range MovingTables {
		rows, err := s.db.Query(ctx, `SELECT id FROM orgs WHERE EXISTS (SELECT 1 FROM `+table+` WHERE org_id = orgs.id)`)
		orgs, err := many(s.Org(curlew.SystemOrg), rows, err, scanText)
		if err != nil {
			return nil, err
		}
		for _, org := range orgs {
			all[curlew.OrgID(org)] = true
		}
	}
	return all, nil
}

// Moving keeps others from moving an org, and from backing up, until release is called.
func (s *Store) Moving(ctx context.Context, org curlew.OrgID) (release func(), err error) {
	own, free, err := s.db.HoldLock(ctx, "move:"+string(org), false)
	if err == nil && !free {
		err = curlew.Temporary("moved_meanwhile", "the org %q is being moved by another process", org)
	}
	if err != nil {
		return nil, err
	}
	moved, free, err := s.db.HoldLock(ctx, movesLock, true)
	if err == nil && !free {
		err = curlew.Temporary("backed_up_meanwhile", "a backup is running, and no org can be moved meanwhile: try again when it is done")
	}
	if err != nil {
		own()
		return nil, err
	}
	return func() { moved(); own() }, nil
}

// movesLock is shared by those who move orgs, and held alone by who needs all of them to stay.
const movesLock = "moves"

// Unmoved keeps all orgs where they are until release is called.
func (s *Store) Unmoved(ctx context.Context) (release func(), err error) {
	release, free, err := s.db.HoldLock(ctx, movesLock, false)
	if err == nil && !free {
		err = curlew.Temporary("moved_meanwhile", "an org is being moved or another backup is running: try again when that is done")
	}
	return release, err
}

// Gather says that the orgs of some shards live on this database, the first one, from now on, and that none is on its way to them.
func (s *Store) Gather(ctx context.Context, shards ...string) error {
	return s.Write(ctx, curlew.SystemOrg, func(w WriteScope) error {
		for _, shard := range shards {
			for _, change := range []string{
				`DELETE FROM paused_orgs WHERE org_id IN (SELECT org_id FROM org_shards WHERE ? IN (shard, moving_to, leaving))`,
				`UPDATE org_shards SET moving_to = '', leaving = '' WHERE ? IN (moving_to, leaving)`,
				`UPDATE org_shards SET shard = '` + MainShard + `', moving_to = '', leaving = '' WHERE shard = ?`,
			} {
				if _, err := w.Tx.Exec(ctx, change, shard); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// OrgsOn are the orgs that live on a shard.
func (s *Store) OrgsOn(ctx context.Context, shard string) (orgs []string, err error) {
	err = s.Write(ctx, curlew.SystemOrg, func(w WriteScope) error { // which may be part of a larger one
		rows, err := w.Tx.Query(ctx, `SELECT org_id FROM org_shards WHERE shard = ?`, shard)
		orgs, err = many(w, rows, err, scanText)
		return err
	})
	return orgs, err
}

// Arrive makes an org that is to come known here. A shard that it left once goes on refusing its rows until Settle.
func (s *Store) Arrive(ctx context.Context, org curlew.Org) error {
	return s.Write(ctx, org.ID, func(w WriteScope) error {
		_, err := w.Tx.Exec(ctx, `INSERT INTO orgs (id, name, created_at) VALUES (?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET name = excluded.name`, org.ID, org.Name, database.At(org.CreatedAt))
		return err
	})
}

// Settle lets rows of an org be written on a shard that it left once, now that it lives there again.
func (s *Store) Settle(ctx context.Context, org curlew.OrgID) error {
	return s.Write(ctx, org, func(w WriteScope) error {
		_, err := w.Tx.Exec(ctx, `DELETE FROM org_shards WHERE org_id = ?`, org)
		return err
	})
}

// Freeze refuses from now on what would change the rows of an org, by whatever process. Before it touches another table,
// running must find no job that runs.
func (s *Store) Freeze(ctx context.Context, org curlew.OrgID, running func(context.Context) error) error {
	rows := s.moving(org)
	if err := rows.Freeze(ctx, "jobs"); err != nil {
		return err
	}
	if err := running(ctx); err != nil {
		return errors.Join(err, rows.Thaw(ctx))
	}
	return rows.Freeze(ctx, MovingTables...)
}

// Thaw lets the rows of an org be changed again.
func (s *Store) Thaw(ctx context.Context, org curlew.OrgID) error { return s.moving(org).Thaw(ctx) }

// CopyTo copies the rows of an org to another database in one transaction there, in place of any that are there, and compares
// them. It says how many they are.
func (s *Store) CopyTo(ctx context.Context, org curlew.OrgID, to *Store) (int64, error) {
	return s.moving(org).CopyTo(ctx, to.db)
}

// EraseMoved removes the rows of an org that lives elsewhere, frozen ones too.
func (s *Store) EraseMoved(ctx context.Context, org curlew.OrgID) error {
	return s.moving(org).Erase(ctx)
}
