package store

import (
	"context"
	"database/sql"
	"strings"
)

// narrowing collects the conditions of a listing. Only those that are asked for become
// part of its query: a planner that reads "(? = ” OR kind = ?)" must be ready for both
// and uses no index. So a listing has as many queries as its filters have combinations,
// each with an index that gives its rows in their order (migration 0007).
type narrowing struct {
	where  strings.Builder
	values []any
}

// narrow begins with the rows of the org.
func (s scope) narrow() *narrowing {
	n := &narrowing{}
	n.where.WriteString(`org_id = ?`)
	n.values = []any{s.org}
	return n
}

// and adds a condition with its values.
func (n *narrowing) and(condition string, values ...any) *narrowing {
	n.where.WriteString(` AND ` + condition)
	n.values = append(n.values, values...)
	return n
}

// is adds that a column has a value; an empty value adds nothing.
func (n *narrowing) is(column, value string) *narrowing {
	if value == "" {
		return n
	}
	return n.and(column+` = ?`, value)
}

// before adds that an id is less than that of the window, if it names one.
func (n *narrowing) before(window Window) *narrowing {
	if window.After == "" {
		return n
	}
	return n.and(`id < ?`, window.After)
}

// listing says which columns of a table are listed, and in which order.
type listing struct{ columns, table, order string }

// list reads rows, at most so many.
func (n *narrowing) list(ctx context.Context, s Scope, l listing, limit int) (*sql.Rows, error) {
	return s.q.Query(ctx, `SELECT `+l.columns+` FROM `+l.table+` WHERE `+n.where.String()+` ORDER BY `+l.order+` LIMIT ?`,
		append(n.values, limit)...)
}

// count counts the rows of a table by the values of a column.
func count[T ~string](ctx context.Context, s Scope, n *narrowing, column, table string) (map[T]int64, error) {
	type row struct {
		value T
		n     int64
	}
	rows, err := s.q.Query(ctx, `SELECT `+column+`, count(*) FROM `+table+` WHERE `+n.where.String()+` GROUP BY `+column, n.values...)
	all, err := many(s, rows, err, func(r *sql.Rows) (x row, err error) {
		err = r.Scan(&x.value, &x.n)
		return x, err
	})
	counts := map[T]int64{}
	for _, x := range all {
		counts[x.value] = x.n
	}
	return counts, err
}

// order is that of a listing of changes. Those of one entity are few and are sorted:
// for an order that an index has, SQLite would look through all of the org.
func (f ChangeFilter) order() string {
	if f.Entity != "" {
		return `sequence + 0`
	}
	return `sequence`
}

// narrowChanges is what the listings of changes have in common.
func (s scope) narrowChanges(f ChangeFilter) *narrowing {
	n := s.narrow().is(`kind`, string(f.Kind)).is(`source_id`, string(f.Source)).is(`watch_id`, string(f.Watch)).is(`entity_id`,
		string(f.Entity))
	if f.Since.IsZero() {
		return n
	}
	// Sequences follow the order of commits, which is nearly that of time. So that those
	// from long before are not read, their days say from where on it can be.
	return n.and(`occurred_at >= ?`, f.Since.UnixMicro()).
		and(`sequence >= (SELECT coalesce(min(first_sequence), 0) FROM change_days WHERE org_id = ? AND day >= ?)`, s.org, dayOf(f.Since))
}
