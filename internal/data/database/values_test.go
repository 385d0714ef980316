package database_test

import (
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
)

func TestTheDatabaseTellsTheTime(t *testing.T) {
	t.Parallel()
	databasetest.Each(t, nil, func(t *testing.T, db *database.DB) {
		now, err := db.Now(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if off := time.Since(now).Abs(); off > 30*time.Minute || now.Location() != time.UTC {
			t.Errorf("it says %s, which is %s off", now, off)
		}
	})
}

func TestAMomentIsKeptToTheMicrosecond(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 7, 1, 12, 30, 0, 123456789, time.FixedZone("", 3600))
	if got := database.At(at).Time(); !got.Equal(at.Truncate(time.Microsecond)) || got.Location() != time.UTC {
		t.Errorf("%s became %s", at, got)
	}
	if database.At(time.Time{}) != 0 || database.AtOrNull(&time.Time{}) != nil || database.AtOrNull(nil) != nil {
		t.Error("no moment became one")
	}
	if !database.Micros(0).Time().IsZero() || database.Micros(0).TimeOrNil() != nil {
		t.Error("nothing became a moment")
	}
}
