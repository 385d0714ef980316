package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/change/schedule"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/work/watch"
	"github.com/jackc/pgx/v5"
)

// The watches are spread over orgs of a thousand; each org has one subscriber to everything.
const watchesPerOrg = 1000

func orgOf(watch int) curlew.OrgID { return curlew.OrgID(fmt.Sprintf("org%04d", watch/watchesPerOrg)) }

// classes are how often pages change, with the share of watches that do.
var classes = []struct{ share, perDay float64 }{{0.05, 4}, {0.15, 1}, {0.4, 1.0 / 7}, {0.4, 1.0 / 30}}

// conditionalShare of the hosts answer to conditions.
const conditionalShare = 0.6

// newWeb makes the pages of a plan.
func newWeb(p plan, c *clock) *web {
	w := &web{clock: c, begin: c.now(), hosts: make([]hostLog, p.hosts()+1), pages: make([]site, p.Watches+1)}
	chance := rand.New(rand.NewPCG(17, 11))
	conditional := make([]bool, p.hosts()+1)
	for i := range conditional {
		conditional[i] = chance.Float64() < conditionalShare
	}
	for i := range w.pages {
		w.pages[i] = site{perDay: drawn(chance.Float64()), phase: chance.Float64(), conditional: conditional[i/watchesPerHost%len(conditional)]}
	}
	w.pages[p.Watches] = site{conditional: true}
	return w
}

func drawn(share float64) float64 {
	for _, c := range classes {
		if share -= c.share; share < 0 {
			return c.perDay
		}
	}
	return classes[len(classes)-1].perDay
}

var listRules = blueprint.Blueprint{Language: 1, Schema: curlew.SchemaProduct, Page: curlew.PageList, Tier: curlew.TierHTML,
	Records: &blueprint.Selector{CSS: "#list > li.card"},
	Fields: map[string]blueprint.FieldRules{
		"name":  {Rules: []blueprint.Rule{{Selector: blueprint.Selector{CSS: "h3"}}}, Required: true},
		"price": {Rules: []blueprint.Rule{{Selector: blueprint.Selector{CSS: ".price"}}}},
	}, Expect: &blueprint.Expect{Records: &blueprint.Range{Min: 4, Max: 40}, Fields: map[string]blueprint.Expectation{
		"name":  {Present: 1, Distinct: 1, MinLength: 1, MaxLength: 20},
		"price": {Present: 1, MinLength: 3, MaxLength: 10, Looks: "price"}}, Ended: true}}

// fill lets one watch be checked twice, as any other, and makes all others by copying its rows.
func (d *day) fill(ctx context.Context) error {
	if err := d.addOrgs(ctx); err != nil {
		return err
	}
	template := d.web.begin.Add(-48 * time.Hour).Truncate(time.Millisecond)
	minter := curlew.NewMinter(func() time.Time { return template }, steps{})
	w := d.newWorker(d.addresses[0], minter)
	watch, err := d.addTemplate(ctx, w)
	if err != nil {
		return err
	}
	for range 2 {
		if err := d.visit(ctx, w, watch); err != nil {
			return err
		}
	}
	if _, err := d.conn.Exec(ctx, `DELETE FROM run_log; DELETE FROM jobs; DELETE FROM job_transitions`); err != nil {
		return err
	}
	if err := d.listCopies(ctx, watch, template); err != nil {
		return err
	}
	if err := d.copyRows(ctx, watch); err != nil {
		return err
	}
	return d.beginNow(ctx)
}

// beginNow lets the day begin now: filling has taken time, in which nobody looked for what is due.
func (d *day) beginNow(ctx context.Context) error {
	const shifting = 10 * time.Second // until the rows are written, at 100,000 watches
	by := d.clock.now().Add(shifting).Sub(d.web.begin).Truncate(time.Second)
	if _, err := d.conn.Exec(ctx, `UPDATE watches SET last_run_at = last_run_at + $1::bigint, next_run_at = next_run_at + $1::bigint`,
		by.Microseconds()); err != nil {
		return err
	}
	d.web.begin = d.web.begin.Add(by)
	for i := range d.Watches {
		d.web.pages[i].due = d.web.pages[i].due.Add(by)
	}
	_, err := d.conn.Exec(ctx, `VACUUM ANALYZE watches`)
	return err
}

// steps is no randomness: ids of one moment are numbered.
type steps struct{}

func (steps) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func (d *day) addOrgs(ctx context.Context) error {
	s := d.newWorker(d.addresses[0], curlew.SystemMinter()).store
	for first := 0; first < d.Watches; first += watchesPerOrg {
		org := orgOf(first)
		if err := s.AddOrg(ctx, curlew.Org{ID: org, Name: string(org)}); err != nil {
			return err
		}
		err := s.Write(ctx, org, func(w store.WriteScope) error {
			_, err := w.Subscriptions().Add(ctx, curlew.Subscription{Name: "everything", Channel: curlew.ChannelWebhook,
				Status: curlew.SubscriptionActive,
				Target: []byte(`{"url":"https://hooks.example/in","secrets":[]}`), Kinds: []curlew.ChangeKind{curlew.EntityChanged}})
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *day) addTemplate(ctx context.Context, on *worker) (watch curlew.Watch, err error) {
	rules, err := json.Marshal(listRules)
	if err != nil {
		return watch, err
	}
	address := addressOf(d.hosts(), d.Watches)
	site := address[:strings.LastIndexByte(address, '/')]
	err = on.store.Write(ctx, orgOf(0), func(w store.WriteScope) error {
		source, err := w.Sources().Add(ctx, curlew.Source{Name: "Things", BaseURL: site, Trust: curlew.TrustStable})
		if err != nil {
			return err
		}
		b, err := w.Blueprints().Add(ctx, curlew.Blueprint{Source: source.ID, Schema: curlew.SchemaProduct, PageType: curlew.PageList,
			Tier: curlew.TierHTML, Rules: rules, TestURL: address})
		if err != nil {
			return err
		}
		if _, err := w.Blueprints().Activate(ctx, b.ID); err != nil {
			return err
		}
		watch, err = w.Watches().Add(ctx, curlew.Watch{Source: source.ID, Blueprint: b.ID, Name: "Things", URL: address, Schedule: "adaptive",
			Status: curlew.WatchActive})
		return err
	})
	return watch, err
}

// visit checks one watch to the end.
func (d *day) visit(ctx context.Context, w *worker, of curlew.Watch) error {
	var run curlew.Run
	err := w.store.Write(ctx, of.Org, func(s store.WriteScope) (err error) {
		run, err = watch.Start(ctx, w.jobs, s, of.ID, watch.Plan{Trigger: "manual"})
		return err
	})
	if err != nil {
		return err
	}
	working, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() { defer close(ended); w.work(working) }()
	defer func() { stop(); <-ended }()
	for !run.State.Ended() {
		time.Sleep(10 * time.Millisecond)
		if run, err = w.store.Org(of.Org).Runs().Get(ctx, run.ID); err != nil {
			return err
		}
	}
	if run.State != curlew.RunSucceeded {
		return fmt.Errorf("the first check ended as %s: %s", run.State, run.Summary)
	}
	return nil
}

// listCopies writes down how each watch differs from the one that it is copied from, and when it is
// due: by the real schedule, as if it had been watched for a month.
func (d *day) listCopies(ctx context.Context, of curlew.Watch, template time.Time) error {
	if _, err := d.conn.Exec(ctx, `CREATE TABLE simulated.copies (org text, host text, watch text, moment text,
		rhythm text, last_run bigint, next_run bigint)`); err != nil {
		return err
	}
	kept, err := d.newWorker(d.addresses[0], nil).store.Org(of.Org).Watches().Get(ctx, of.ID)
	if err != nil {
		return err
	}
	chance := rand.New(rand.NewPCG(3, 5))
	rows := make([][]any, d.Watches)
	for i := range rows {
		s := &d.web.pages[i]
		moment := timePart(template.Add(time.Duration(i+1) * time.Millisecond))
		w := kept
		w.ID = curlew.WatchID(strings.Replace(string(of.ID), timePart(template), moment, 1))
		w.Rhythm.Checks, w.Rhythm.Exposure, w.Rhythm.Changed, w.Rhythm.LastCheckAt = 100, 30, 30*s.perDay, d.web.begin
		if err := watch.Reschedule(&w, d.web.begin, schedule.Pace(0)); err != nil {
			return err
		}
		passed := time.Duration(chance.Float64() * float64(w.NextRunAt.Sub(d.web.begin)))
		w.Rhythm.LastCheckAt = d.web.begin.Add(-passed)
		s.due = w.NextRunAt.Add(-passed)
		rhythm, err := json.Marshal(w.Rhythm)
		if err != nil {
			return err
		}
		rows[i] = []any{string(orgOf(i)), fmt.Sprintf("h%07d", i/watchesPerHost), fmt.Sprintf("w%07d", i), moment, string(rhythm),
			w.Rhythm.LastCheckAt.UnixMicro(), s.due.UnixMicro()}
	}
	_, err = d.conn.CopyFrom(ctx, pgx.Identifier{"simulated", "copies"},
		[]string{"org", "host", "watch", "moment", "rhythm", "last_run", "next_run"}, pgx.CopyFromRows(rows))
	return err
}

// timePart is what ids of one moment, made without randomness, begin with.
func timePart(at time.Time) string {
	id := string(curlew.Mint[curlew.WatchID](curlew.NewMinter(func() time.Time { return at }, bytes.NewReader(make([]byte, 16)))))
	return id[4:14]
}

// copied are the tables that say what a watch is and has seen; those that others refer to come first.
var copied = []string{"sources", "blueprints", "watches", "runs", "pages", "records", "entities", "sightings", "url_log", "publications",
	"scorecards", "feed_keys", "entity_words"}

// copyRows copies the rows of one watch for all, with other ids and addresses, and removes its own.
func (d *day) copyRows(ctx context.Context, watch curlew.Watch) error {
	moment := string(watch.ID[4:14])
	replace := fmt.Sprintf(`replace(replace(replace(%%s, '%s', c.moment), 'h%07d', c.host), 'w%07d', c.watch)`, moment, d.hosts(), d.Watches)
	statements := []string{`SET session_replication_role = replica`}
	for _, name := range copied {
		columns, err := d.columns(ctx, name)
		if err != nil {
			return err
		}
		var names, values []string
		for _, c := range columns {
			value := "t." + c.name
			switch {
			case c.name == "org_id":
				value = "c.org"
			case c.kind == "text":
				value = fmt.Sprintf(replace, value)
			case c.kind == "jsonb":
				value = fmt.Sprintf(replace, value+"::text") + "::jsonb"
			}
			names, values = append(names, c.name), append(values, value)
		}
		statements = append(statements, fmt.Sprintf(`INSERT INTO %s (%s) SELECT %s FROM %s t, simulated.copies c WHERE t.%s LIKE '%%%s%%'`,
			name, strings.Join(names, ", "), strings.Join(values, ", "), name, keyOf(name), moment))
	}
	for _, name := range slices.Backward(copied) {
		statements = append(statements, fmt.Sprintf(`DELETE FROM %s WHERE %s LIKE '%%%s%%'`, name, keyOf(name), moment))
	}
	statements = append(statements, `UPDATE watches w SET rhythm = c.rhythm, last_run_at = c.last_run, next_run_at = c.next_run
		FROM simulated.copies c WHERE w.org_id = c.org AND w.id = 'wat_' || c.moment || substr(w.id, 15)`,
		`RESET session_replication_role`, `DROP TABLE simulated.copies`, `VACUUM ANALYZE`, `CHECKPOINT`)
	for _, s := range statements {
		if _, err := d.conn.Exec(ctx, s); err != nil {
			return fmt.Errorf("%.200s: %w", s, err)
		}
	}
	return nil
}

// keyOf is the column by which the rows of a watch are known.
func keyOf(table string) string {
	return cmp.Or(map[string]string{"sightings": "watch_id", "url_log": "scope", "scorecards": "source_id", "feed_keys": "thing",
		"entity_words": "first_id"}[table], "id")
}

type column struct{ name, kind string }

func (d *day) columns(ctx context.Context, table string) ([]column, error) {
	rows, err := d.conn.Query(ctx, `SELECT column_name, data_type FROM information_schema.columns
		WHERE table_schema = 'public' AND table_name = $1 ORDER BY ordinal_position`, table)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(r pgx.CollectableRow) (c column, err error) { return c, r.Scan(&c.name, &c.kind) })
}
