package demo

import (
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// thing is one real thing of the world: a concert, a bicycle, a vacancy. Things
// are values: a change makes a new one.
type thing interface {
	id() string    // stable for life
	path() string  // where its site shows it
	title() string // what people call it
	values(base string) curlew.Values
}

// span is how many times something happens on one day.
type span struct{ least, most int }

func (s span) roll(d *dice) int { return d.between(s.least, s.most) }

// tale is how the things of one site come, change and go. A site without a tale
// (no create) shows no things.
type tale struct {
	atFirst int
	arrive  span
	change  span
	vanish  span
	// create makes the nth thing there ever was, as first seen on today.
	create func(d *dice, n int, today time.Time) thing
	// edit makes one believable change.
	edit func(d *dice, t thing, today time.Time) thing
	// over says that the date of a thing has passed; nil means never.
	over func(t thing, today time.Time) bool
	// order is how the site lists its things; nil keeps the newest last.
	order func(a, b thing) int
}

// ending is why a thing is no longer there.
type ending int

const (
	vanished ending = iota + 1
	finished
)

// daybook is all that is true of one site on one day.
type daybook struct {
	things  []thing
	born    int               // how many things there ever were
	touched map[string]int    // the day on which a thing last changed, by id
	ended   map[string]ending // what went on this day, by id
}

// chronicle tells the days of one site, from day 0. It is pure: the same seed
// gives the same days.
type chronicle struct {
	seed  uint64
	card  card
	tale  tale
	today time.Time // of day 0
	days  []daybook
}

func (c *chronicle) date(day int) time.Time { return c.today.AddDate(0, 0, day) }

// day gives the book of a day, writing those before it first.
func (c *chronicle) day(n int) daybook {
	for len(c.days) <= n {
		if len(c.days) == 0 {
			c.days = append(c.days, c.firstDay())
			continue
		}
		c.days = append(c.days, c.nextDay(len(c.days), c.days[len(c.days)-1]))
	}
	return c.days[n]
}

func (c *chronicle) firstDay() daybook {
	book := daybook{touched: map[string]int{}}
	if c.tale.create != nil {
		c.welcome(&book, 0, c.tale.atFirst)
	}
	c.sort(book.things)
	return book
}

func (c *chronicle) nextDay(day int, before daybook) daybook {
	book := daybook{born: before.born, touched: maps.Clone(before.touched), ended: map[string]ending{}}
	if c.tale.create == nil {
		return book
	}
	d := roll(c.seed, c.card.Name, "day", day)
	for _, t := range before.things {
		if c.tale.over != nil && c.tale.over(t, c.date(day)) {
			book.ended[t.id()] = finished
			continue
		}
		book.things = append(book.things, t)
	}
	c.lose(&book, d)
	c.edit(&book, d, day)
	c.welcome(&book, day, c.tale.arrive.roll(d))
	c.sort(book.things)
	return book
}

func (c *chronicle) welcome(book *daybook, day, count int) {
	for range count {
		t := c.tale.create(roll(c.seed, c.card.Name, "thing", book.born), book.born, c.date(day))
		book.born++
		book.things = append(book.things, t)
		book.touched[t.id()] = day
	}
}

// lose takes things away before their time. A site never runs empty.
func (c *chronicle) lose(book *daybook, d *dice) {
	for range c.tale.vanish.roll(d) {
		if len(book.things) <= c.tale.atFirst/2 {
			return
		}
		i := d.IntN(len(book.things))
		id := book.things[i].id()
		book.ended[id] = vanished
		delete(book.touched, id)
		book.things = slices.Delete(book.things, i, i+1)
	}
}

// edit changes things so that what the site shows of them truly differs.
func (c *chronicle) edit(book *daybook, d *dice, day int) {
	const tries = 8 // an edit may leave a thing as it is: a cancelled concert cannot sell out
	for _, i := range picks(d, indexes(len(book.things)), c.tale.change.roll(d)) {
		for range tries {
			was := book.things[i]
			is := c.tale.edit(d, was, c.date(day))
			if reflect.DeepEqual(c.card.shown(was, ""), c.card.shown(is, "")) {
				continue
			}
			book.things[i] = is
			book.touched[is.id()] = day
			break
		}
	}
}

func (c *chronicle) sort(things []thing) {
	if c.tale.order != nil {
		slices.SortStableFunc(things, c.tale.order)
	}
}

func indexes(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// of gives the things of a site as what they are.
func of[T thing](things []thing) []T {
	all := make([]T, 0, len(things))
	for _, t := range things {
		if typed, ok := t.(T); ok {
			all = append(all, typed)
		}
	}
	return all
}

// find looks a thing up by id.
func find[T thing](things []thing, id string) (T, bool) {
	for _, t := range of[T](things) {
		if t.id() == id {
			return t, true
		}
	}
	var none T
	return none, false
}
