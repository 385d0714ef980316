package demo

import (
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// event is something that happens at a time and a place. Several sites tell of
// events; each fills in what its kind of site knows.
type event struct {
	Key         string
	Path        string // on its site
	Title       string
	Starts      time.Time
	Ends        time.Time // zero: not said
	DateOnly    bool
	Status      string // as in the schema; "" is not said
	Venue       venue
	Performers  []string
	Organizer   string
	Category    string
	Description string
	Image       string // path
	Priced      bool
	PriceMin    int64 // minor units; zero is free
	PriceMax    int64
	Currency    string
}

type venue struct {
	Name, Address, City, Country string
}

func (e event) id() string    { return e.Key }
func (e event) path() string  { return e.Path }
func (e event) title() string { return e.Title }

func (e event) values(base string) curlew.Values {
	v := curlew.Values{"title": e.Title, "starts_at": instant(e.Starts, !e.DateOnly), "url": base + e.Path}
	if !e.Ends.IsZero() {
		v["ends_at"] = instant(e.Ends, !e.DateOnly)
	}
	put(v, "status", e.Status)
	put(v, "venue_name", e.Venue.Name)
	put(v, "venue_address", e.Venue.Address)
	put(v, "city", e.Venue.City)
	put(v, "country", e.Venue.Country)
	put(v, "organizer", e.Organizer)
	put(v, "category", e.Category)
	put(v, "description", e.Description)
	if len(e.Performers) > 0 {
		v["performers"] = slices.Clone(e.Performers)
	}
	if e.Image != "" {
		v["image_url"] = base + e.Image
	}
	if e.Priced {
		v["price_min"], v["price_max"], v["currency"] = e.PriceMin, e.PriceMax, e.Currency
	}
	return v
}

// On says whether the event still takes place as announced, for templates.
func (e event) On() bool { return e.Status != "cancelled" && e.Status != "postponed" }

// Free says whether it costs nothing, for templates.
func (e event) Free() bool { return e.Priced && e.PriceMax == 0 }

// passed says that the last day of an event lies before today.
func passed(t thing, today time.Time) bool {
	e := t.(event)
	last := e.Starts
	if e.Ends.After(last) {
		last = e.Ends
	}
	return last.Format(time.DateOnly) < today.Format(time.DateOnly)
}

func byStart(a, b thing) int {
	x, y := a.(event), b.(event)
	if c := x.Starts.Compare(y.Starts); c != 0 {
		return c
	}
	if x.Key < y.Key {
		return -1
	}
	return 1
}

// fate is one believable change of an event.
type fate func(d *dice, e event) event

// edits turns fates into the edit of a tale. What comes first comes oftener.
func edits(fates ...fate) func(d *dice, t thing, today time.Time) thing {
	return func(d *dice, t thing, _ time.Time) thing {
		i := min(d.IntN(len(fates)), d.IntN(len(fates)))
		return fates[i](d, t.(event))
	}
}

func repriced(d *dice, e event) event {
	if !e.Priced || e.PriceMax == 0 {
		return e
	}
	step := int64(d.between(1, 6)) * 500
	if e.PriceMin > 4000 && d.chance(35) {
		step = -1000
	}
	e.PriceMin += step
	e.PriceMax += step
	return e
}

func soldOut(_ *dice, e event) event {
	if e.On() {
		e.Status = "sold_out"
	}
	return e
}

func calledOff(_ *dice, e event) event {
	e.Status = "cancelled"
	return e
}

func putOff(_ *dice, e event) event {
	if e.On() {
		e.Status = "postponed"
	}
	return e
}

// rescheduled moves an event some days later, at the same time of day.
func rescheduled(d *dice, e event) event {
	if e.Status == "cancelled" {
		return e
	}
	days := d.between(2, 16)
	e.Starts = e.Starts.AddDate(0, 0, days)
	if !e.Ends.IsZero() {
		e.Ends = e.Ends.AddDate(0, 0, days)
	}
	e.Status = "rescheduled"
	return e
}

// delayed moves an event by half an hour or more on the same day.
func delayed(d *dice, e event) event {
	if e.DateOnly || e.Starts.Hour() > 20 {
		return e
	}
	by := time.Duration(d.between(1, 3)) * 30 * time.Minute
	e.Starts = e.Starts.Add(by)
	if !e.Ends.IsZero() {
		e.Ends = e.Ends.Add(by)
	}
	return e
}

// movedTo gives the fate of being moved to another of the venues.
func movedTo(venues []venue) fate {
	return func(d *dice, e event) event {
		e.Venue = pick(d, venues)
		return e
	}
}

// retold gives the fate of a new last sentence in the description.
func retold(lang string) fate {
	return func(d *dice, e event) event {
		e.Description += " " + pick(d, prose()[lang])
		return e
	}
}

// renamed gives the fate of a longer title.
func renamed(suffixes ...string) fate {
	return func(d *dice, e event) event {
		if len(e.Title) < 70 {
			e.Title += pick(d, suffixes)
		}
		return e
	}
}
