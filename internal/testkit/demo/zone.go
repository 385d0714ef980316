package demo

import (
	"sync"
	"time"
	_ "time/tzdata" // the machine may have no zone files, and truth must not depend on it
)

var zones sync.Map // of *time.Location by name

// zone finds a time zone. All names are constants of this package.
func zone(name string) *time.Location {
	if known, ok := zones.Load(name); ok {
		return known.(*time.Location)
	}
	location, err := time.LoadLocation(name)
	if err != nil {
		panic(err)
	}
	zones.Store(name, location)
	return location
}

// at gives a time of day in a zone, on the date of day plus some days.
func at(day time.Time, plus, hour, minute int, zoneName string) time.Time {
	y, m, d := day.Date()
	return time.Date(y, m, d+plus, hour, minute, 0, 0, zone(zoneName))
}
