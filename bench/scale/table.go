package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/curlew-data/curlew/bench/measure"
)

// figures are what one day gave.
type figures struct {
	plan
	Checks       int                `json:"checks"`
	Failed       int                `json:"failed"`
	LateHalf     float64            `json:"late_p50_s"`
	LateMost     float64            `json:"late_p99_s"`
	LateWorst    float64            `json:"late_max_s"`
	PerHost      float64            `json:"requests_per_host"`
	PerHostMost  int                `json:"requests_per_host_max"`
	Robots       float64            `json:"robots_share"`
	PageGap      float64            `json:"page_gap_s"`
	Gap          float64            `json:"gap_s"`
	NotModified  float64            `json:"not_modified_share"`
	Unchanged    float64            `json:"unchanged_share"`
	Statements   float64            `json:"statements_per_check"`
	DatabaseTime float64            `json:"database_ms_per_check"`
	CPU          float64            `json:"cpu_ms_per_check"`
	Real         float64            `json:"real_s"`
	Memory       float64            `json:"memory_mb"`
	Database     float64            `json:"database_mb"`
	Bytes        map[string]float64 `json:"bytes_per_check"`
	Slowest      []string           `json:"slowest"`
}

// standing is how things stand before the day.
type standing struct {
	at    time.Time
	cpu   time.Duration
	sizes map[string]int64
}

func (d *day) standing(ctx context.Context) (s standing, err error) {
	if _, err := d.conn.Exec(ctx, `SELECT pg_stat_statements_reset()`); err != nil {
		return s, err
	}
	s.at, s.cpu = time.Now(), processorTime()
	s.sizes, err = d.tableSizes(ctx)
	return s, err
}

func processorTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func (d *day) tableSizes(ctx context.Context) (map[string]int64, error) {
	rows, err := d.conn.Query(ctx, `SELECT relname, pg_total_relation_size(oid) FROM pg_class
		WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[string]int64{}
	for rows.Next() {
		var name string
		var size int64
		if err := rows.Scan(&name, &size); err != nil {
			return nil, err
		}
		all[name] = size
	}
	return all, rows.Err()
}

func (d *day) figures(ctx context.Context, before standing) (f figures, err error) {
	d.web.mu.Lock()
	defer d.web.mu.Unlock()
	f = figures{plan: d.plan, Checks: d.checks, Real: time.Since(before.at).Seconds(), Memory: peakMemory(), Bytes: map[string]float64{}}
	checks := float64(max(d.checks, 1))
	f.CPU = float64((processorTime() - before.cpu).Microseconds()) / 1000 / checks
	late := slices.Sorted(slices.Values(d.web.lateness))
	if len(late) > 0 {
		f.LateHalf, f.LateMost, f.LateWorst = late[len(late)/2], late[len(late)*99/100], late[len(late)-1]
	}
	f.NotModified, f.Unchanged = float64(d.web.spared)/float64(max(d.web.asked, 1)), float64(d.web.unchanged)/float64(max(d.web.asked, 1))
	d.ofHosts(&f)
	if err := d.ofDatabase(ctx, &f, checks); err != nil {
		return f, err
	}
	after, err := d.tableSizes(ctx)
	for name, size := range after {
		if grown := float64(size-before.sizes[name]) / checks; grown >= 10 {
			f.Bytes[name] = grown
		}
	}
	return f, err
}

func (d *day) ofHosts(f *figures) {
	requests, robots := 0, 0
	for _, h := range d.web.hosts[:d.hosts()] {
		requests += h.robots + h.pages
		robots += h.robots
		f.PerHostMost = max(f.PerHostMost, h.robots+h.pages)
		if h.pageGap > 0 && (f.PageGap == 0 || h.pageGap.Seconds() < f.PageGap) {
			f.PageGap = h.pageGap.Seconds()
		}
		if h.gap > 0 && (f.Gap == 0 || h.gap.Seconds() < f.Gap) {
			f.Gap = h.gap.Seconds()
		}
	}
	f.PerHost, f.Robots = float64(requests)/float64(d.hosts()), float64(robots)/float64(max(requests, 1))
}

// own are the statements of the benchmark itself.
const own = `query NOT LIKE '%noted%' AND query NOT LIKE '%simulated%' AND query NOT LIKE '%pg_stat%' AND query NOT LIKE '%NOTIFY%'
	AND query NOT LIKE '%relnamespace%' AND query NOT LIKE '%claimable%'`

func (d *day) ofDatabase(ctx context.Context, f *figures, checks float64) error {
	err := d.conn.QueryRow(ctx, `SELECT sum(calls) / $1::float8, sum(total_exec_time) / $1::float8 FROM pg_stat_statements s
		JOIN pg_database b ON b.oid = s.dbid AND b.datname = current_database() WHERE `+own, checks).Scan(&f.Statements, &f.DatabaseTime)
	if err != nil {
		return err
	}
	if err := d.conn.QueryRow(ctx, `SELECT pg_database_size(current_database()) / 1048576.0`).Scan(&f.Database); err != nil {
		return err
	}
	if err := d.conn.QueryRow(ctx, `SELECT count(*) FROM runs WHERE state = 'failed'`).Scan(&f.Failed); err != nil {
		return err
	}
	rows, err := d.conn.Query(ctx, `SELECT format('%s ms/check, %s calls/check, %s ms each: %s', round((total_exec_time / $1)::numeric, 3),
		round((calls / $1)::numeric, 3), round(mean_exec_time::numeric, 3), left(regexp_replace(query, '\\s+', ' ', 'g'), 400))
		FROM pg_stat_statements s JOIN pg_database b ON b.oid = s.dbid AND b.datname = current_database()
		WHERE `+own+` ORDER BY total_exec_time DESC LIMIT 25`, checks)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return err
		}
		f.Slowest = append(f.Slowest, line)
	}
	return rows.Err()
}

// forgetPeak lets the most that this process had be counted from now on: filling is not what is measured.
func forgetPeak() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // where that cannot be, the peak is that of filling
}

// peakMemory is the most that this process had, in megabytes.
func peakMemory() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kib, _ := strconv.ParseFloat(strings.Fields(rest + " 0")[0], 64)
	return kib / 1024
}

// table is what was found out.
type table struct {
	Days []figures `json:"days"`
}

// leastGap is how near two pages of a host may come: turns are a second apart, and a request that is held up after analysis started
// nears the next one.
const leastGap = 0.8

// Missed says whether a host was asked too fast, or a check failed.
func (t *table) Missed() bool {
	return slices.ContainsFunc(t.Days, func(f figures) bool { return f.PageGap > 0 && f.PageGap < leastGap || f.Failed > 0 })
}

// Write prints the table for people: a column for each day.
func (t *table) Write(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', tabwriter.AlignRight)
	row := func(name string, value func(figures) string) {
		fmt.Fprint(w, name)
		for _, f := range t.Days {
			fmt.Fprint(w, "\t", value(f))
		}
		fmt.Fprintln(w, "\t")
	}
	whole := func(n int) string { return measure.Thousands(n) }
	row("watches", func(f figures) string { return whole(f.Watches) })
	row("hosts", func(f figures) string { return whole(f.hosts()) })
	row("workers", func(f figures) string { return whole(f.Workers) })
	row("checks", func(f figures) string { return whole(f.Checks) })
	row("checks that failed", func(f figures) string { return whole(f.Failed) })
	row("late, p50 (s)", func(f figures) string { return fmt.Sprintf("%.2f", f.LateHalf) })
	row("late, p99 (s)", func(f figures) string { return fmt.Sprintf("%.2f", f.LateMost) })
	row("late, most (s)", func(f figures) string { return fmt.Sprintf("%.2f", f.LateWorst) })
	row("requests to a host, mean", func(f figures) string { return fmt.Sprintf("%.1f", f.PerHost) })
	row("requests to a host, most", func(f figures) string { return whole(f.PerHostMost) })
	row("of these for robots.txt", func(f figures) string { return percent(f.Robots) })
	row("least gap between pages of a host (s)", func(f figures) string { return fmt.Sprintf("%.3f", f.PageGap) })
	row("least gap with robots.txt (s)", func(f figures) string { return fmt.Sprintf("%.3f", f.Gap) })
	row("pages spared (304)", func(f figures) string { return percent(f.NotModified) })
	row("pages that came unchanged", func(f figures) string { return percent(f.Unchanged) })
	row("statements per check", func(f figures) string { return fmt.Sprintf("%.1f", f.Statements) })
	row("database time per check (ms)", func(f figures) string { return fmt.Sprintf("%.2f", f.DatabaseTime) })
	row("processor time of the workers per check (ms)", func(f figures) string { return fmt.Sprintf("%.2f", f.CPU) })
	row("checks per second of real time", func(f figures) string { return fmt.Sprintf("%.0f", float64(f.Checks)/f.Real) })
	row("real time (s)", func(f figures) string { return fmt.Sprintf("%.0f", f.Real) })
	row("memory of all workers (MB)", func(f figures) string { return fmt.Sprintf("%.0f", f.Memory) })
	row("database after the day (MB)", func(f figures) string { return fmt.Sprintf("%.0f", f.Database) })
	_ = w.Flush()
	fmt.Fprintf(out, "Simulated hours: %d. %d CPUs, shared by workers and Postgres. Ten watches to a host; hosts answer from memory.\n",
		t.Days[0].Hours, runtime.NumCPU())
	t.writeGrowth(out)
}

// writeGrowth says what the last day left behind, by table.
func (t *table) writeGrowth(out io.Writer) {
	last := t.Days[len(t.Days)-1]
	names := make([]string, 0, len(last.Bytes))
	for name := range last.Bytes {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return int(last.Bytes[b] - last.Bytes[a]) })
	fmt.Fprintln(out, "\nBytes that a check leaves behind, with indexes:")
	for _, name := range names {
		fmt.Fprintf(out, "  %-18s %6.0f\n", name, last.Bytes[name])
	}
	fmt.Fprintln(out, "\nStatements that take longest:")
	for _, line := range last.Slowest {
		fmt.Fprintln(out, "  "+line)
	}
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }
