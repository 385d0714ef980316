package demo

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"time"
)

// scene is one moment of one site: everything that a page depends on. Its
// exported methods are what templates may ask for.
type scene struct {
	card    card
	seed    uint64
	state   State
	today   time.Time
	base    string
	things  []thing
	touched map[string]int
	start   time.Time // the date of day 0
	visit   int       // counts requests: only for answers that flap
	look    *template.Template
	clock   func() time.Time
}

// scene takes the present moment of a place.
func (w *Web) scene(p *place, r *http.Request) scene {
	w.mu.Lock()
	defer w.mu.Unlock()
	p.visit++
	book := p.story.day(p.state.Day)
	base := p.url
	if base == "" {
		base = "http://" + r.Host
	}
	return scene{
		card: p.card, seed: w.seed, state: p.state, today: p.story.date(p.state.Day), base: base,
		things: book.things, touched: book.touched, start: w.today, visit: p.visit,
		look: looks()[p.card.Name][p.state.Design], clock: w.clock,
	}
}

// noise is what drift moves and nothing else does.
func (s scene) noise(labels ...any) *dice {
	return roll(s.seed, append([]any{"drift", s.card.Name, s.state.Drift}, labels...)...)
}

// design is what a redesign moves: class names, style sheets.
func (s scene) design(labels ...any) *dice {
	return roll(s.seed, append([]any{"design", s.card.Name, s.state.Design}, labels...)...)
}

// modified is when a thing last changed.
func (s scene) modified(id string) time.Time {
	return s.start.AddDate(0, 0, s.touched[id]).Add(6*time.Hour + 11*time.Minute)
}

// Now is the moment that the page claims to be made at.
func (s scene) Now() time.Time {
	return s.today.Add(7*time.Hour + time.Duration(s.state.Drift%600)*time.Minute + time.Duration(s.noise("second").IntN(60))*time.Second)
}

// Today is the date of the world.
func (s scene) Today() time.Time { return s.today }

// Name is the short name of the site.
func (s scene) Name() string { return s.card.Name }

// SiteTitle is what the site calls itself.
func (s scene) SiteTitle() string { return s.card.Title }

// Lang is the language of the site.
func (s scene) Lang() string { return s.card.Lang }

// Charset is what the page is encoded in.
func (s scene) Charset() string { return cmp.Or(s.card.Charset, "utf-8") }

// Base is scheme, host and port.
func (s scene) Base() string { return s.base }

// Design counts the designs from 1.
func (s scene) Design() int { return s.state.Design + 1 }

// Word is a word of the page's frame in the site's language.
func (s scene) Word(key string) string { return languages()[s.card.Lang].Words[key] }

// Token is a nonce, a CSRF token or a session id.
func (s scene) Token(label string, length int) string { return s.noise("token", label).hex(length) }

// Count is a counter that nobody cares about: views, people watching.
func (s scene) Count(label string, low, high int) int {
	return s.noise("count", label).between(low, high)
}

// Ago is how long ago the page says it was updated.
func (s scene) Ago() string {
	return fmt.Sprintf(s.Word("ago"), s.noise("ago").between(2, 58))
}

// Variant is the A/B group of the visitor.
func (s scene) Variant(label string) string {
	return pick(s.noise("variant", label), []string{"a", "b", "c", "control"})
}

// Asset is the address of a style sheet or script with its cache-buster.
func (s scene) Asset(name string) string {
	return "/assets/" + name + "?v=" + s.noise("asset", name).hex(8)
}

// Pic is an image in one of several sizes.
func (s scene) Pic(path string) string {
	if path == "" {
		return ""
	}
	d := s.noise("pic")
	return fmt.Sprintf("%s?w=%d&q=%d", path, pick(d, []int{320, 480, 640, 768}), pick(d, []int{70, 75, 80}))
}

// Track is a link to a page of the site with the tracking of the day.
func (s scene) Track(path, where string) string {
	tail := ""
	switch d := s.noise("track", where); d.IntN(4) {
	case 0:
		return path
	case 1:
		tail = "utm_source=" + where + "&utm_medium=onsite&utm_campaign=" + d.hex(6)
	case 2:
		tail = "ref=" + where + "-" + d.hex(4)
	default:
		tail = "fbclid=IwAR" + d.hex(24)
	}
	if strings.Contains(path, "?") {
		return path + "&" + tail
	}
	return path + "?" + tail
}

// Class is a class name as a build tool makes it: new with every design.
func (s scene) Class(name string) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	d := s.design("class", name)
	tail := make([]byte, 5)
	for i := range tail {
		tail[i] = letters[d.IntN(len(letters))]
	}
	return name + "__" + string(tail)
}

// menuLink is one entry of a menu, a footer or a box.
type menuLink struct{ Text, Path string }

// Sections are the entries of the menu.
func (s scene) Sections() []menuLink {
	links := make([]menuLink, 0, len(s.card.Sections))
	for _, text := range s.card.Sections {
		links = append(links, menuLink{text, "/info/" + slug(text)})
	}
	return links
}

// Topics are the many small links under a section of the menu.
func (s scene) Topics(section string) []menuLink {
	d := roll(s.seed, "topics", s.card.Name, section)
	links := []menuLink{}
	for _, text := range picks(d, languages()[s.card.Lang].Topics, 7) {
		links = append(links, menuLink{text, "/info/" + slug(section+" "+text)})
	}
	return links
}

// Legal are the small print links of a footer.
func (s scene) Legal() []menuLink {
	links := []menuLink{}
	for _, key := range []string{"about", "contact", "privacy", "terms", "help"} {
		links = append(links, menuLink{s.Word(key), "/info/" + slug(s.Word(key))})
	}
	return links
}

// Related are a few other things that a box recommends; drift rotates them.
func (s scene) Related(count int) []menuLink {
	links := []menuLink{}
	for _, t := range picks(s.noise("related"), s.things, count) {
		links = append(links, menuLink{t.title(), t.path()})
	}
	return links
}

// Sentences is filler in the site's language, the same on every visit.
func (s scene) Sentences(label string, count int) string {
	return sentences(roll(s.seed, "prose", s.card.Name, label), s.card.Lang, count)
}
