package queue

import (
	"slices"
	"testing"
	"time"
)

func TestTheLoadOfAnOrgIsItsOwn(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		first := insert(t, q, NewJob{})[0]
		if _, err := q.claim(t.Context(), "w", []string{"task"}, 1, time.Minute); err != nil {
			t.Fatal(err)
		}
		insert(t, q, NewJob{}, NewJob{After: time.Hour}, NewJob{Org: "other"})
		l, err := q.Load(t.Context(), get(t, q, first).Org)
		if err != nil || l.Waiting != 1 || l.Scheduled != 1 || l.Running != 1 || !slices.Equal(l.Workers, []Busy{{"w", 1}}) {
			t.Errorf("the load is %+v (%v)", l, err)
		}
		theirs, err := q.Load(t.Context(), "other")
		if err != nil || theirs.Waiting != 1 || theirs.Running != 0 || len(theirs.Workers) != 0 {
			t.Errorf("the load of another org is %+v (%v)", theirs, err)
		}
	})
}
