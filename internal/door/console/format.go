package console

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/money"
)

// notices are what a page says after something was done; an address names one of them.
var notices = together(viewNotices, editNotices)

var viewNotices = map[string]string{
	"proposed": "The candidate is kept and is analysed as soon as a worker is free.",
	"watched":  "This page is watched already.",
	"approve":  "Approved: it is deployed, and its first check is due now.",
	"reject":   "Rejected.",
	"retry":    "It is tried again.",
	"pause":    "Paused.",
	"resume":   "It is resumed.",
	"accept":   "Accepted: the next check removes the missing entities.",
	"trigger":  "A check has begun.",
	"replay":   "It is sent again.",
	"stop":     "It is being stopped.",
	"activate": "Done: from its next check on the source is read by this version.",
	"version":  "Saved as a new version: the source uses it from its next check on.",
	"watch":    "Kept: its first check has begun.",
	"taught":   "The rules were learned again.",
	"again":    "The page was read again.",
	"listonly": "Only the list is read from now on.",
	"tested":   "",
}

// words are what templates can say.
func (c *Console) words() template.FuncMap {
	return template.FuncMap{
		"at":      c.moment,
		"channel": func(c curlew.Channel) string { return cmp.Or(channelWords[c], string(c)) }, "chatAddresses": chatAddresses,
		"text": clean, "linked": linked, "short": func(n int, s string) string { return text.Clip(clean(s), n) },
		"web": webAddress, "host": hostOf, "tone": tone, "word": word,
		"likely": func(share float64) string { return strings.ReplaceAll(curlew.Likelihood(share), " ", "\u00a0") },
		"pct":    func(share float64) string { return fmt.Sprintf("%.0f\u00a0%%", share*100) },
		"score": func(n *int) string {
			if n == nil {
				return "–"
			}
			return fmt.Sprint(*n)
		},
		"value": func(field string, value any, all curlew.Values, kind curlew.Schema) string {
			return text.ShortenWords(wholeValue(kind, field, value, all), 400)
		},
		"gauge": gauge, "said": said, "bytes": size, "share": share, "strategy": strategy, "icon": icon, "tile": tileOf,
		"gokey": func(section string) string { return goKeys[section] },
		"kept":  c.keptMoment, "keptp": func(t *time.Time) moment {
			if t == nil {
				return moment{}
			}
			return c.keptMoment(*t)
		},
		"duep": c.dueMoment,
		"name": nameOf, "list": func(all ...string) []string { return all }, "took": took, "came": came, "diff": diffOf, "dollars": dollars,
		"monthwords": monthWords, "plain": plainLines, "steps": func(c curlew.Counters) int64 { return c[curlew.CountSteps] },
		"count": func(n any, thing string) string { return curlew.Counted(whole(n), thing) },
		"noun":  func(n any, thing string) string { return curlew.Noun(whole(n), thing) },
		"inc":   func(n int) int { return n + 1 }, "has": func(fields curlew.Values, name string) bool { _, is := fields[name]; return is },
	}
}

// moment is a time as people read it.
type moment struct{ ISO, Long, Ago, Exact string }

func (c *Console) moment(t time.Time) moment {
	if t.IsZero() {
		return moment{}
	}
	t = t.UTC()
	return moment{t.Format(time.RFC3339), t.Format("2 January 2006, 15:04 UTC"), distance(c.Now().Sub(t)), t.Format("2 Jan 15:04:05")}
}

// keptMoment is a time by the clock of the database, which writes down when things
// were kept. Only where days pass faster than that is it another than the clock by
// which things happen.
func (c *Console) keptMoment(t time.Time) moment {
	m := c.moment(t)
	if !t.IsZero() {
		m.Ago = distance(c.Clock().Sub(t))
	}
	return m
}

// dueMoment is when something comes next, by the clock of the database; what should have begun is due.
func (c *Console) dueMoment(t *time.Time) moment {
	if t == nil {
		return moment{}
	}
	m := c.keptMoment(*t)
	if !t.After(c.Clock()) {
		m.Ago = "due now"
	}
	return m
}

// distance is how long ago something was, or how far ahead it is.
func distance(d time.Duration) string {
	ahead := d < 0
	if ahead {
		d = -d
	}
	text := ""
	switch {
	case d < time.Minute:
		if ahead {
			return "in a moment"
		}
		return "just now"
	case d < time.Hour:
		text = fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		text = fmt.Sprintf("%d h", int(d.Hours()))
	default:
		text = curlew.Counted(int(d.Hours()/24), "day")
	}
	if ahead {
		return "in " + text
	}
	return text + " ago"
}

// whole is a number of things of any type that a page may hold.
func whole(n any) int64 {
	switch v := n.(type) {
	case int:
		return int64(v)
	case int64:
		return v
	case *int:
		if v != nil {
			return int64(*v)
		}
	}
	return 0
}

// took is how long something lasted.
func took(from, to *time.Time) string {
	if from == nil || to == nil {
		return ""
	}
	return to.Sub(*from).Round(100 * time.Millisecond).String()
}

// came is what came of a run: its figures, where there are any.
func came(counters curlew.Counters) string {
	var words []string
	for name, n := range counters {
		if n != 0 && name != curlew.CountSteps {
			words = append(words, fmt.Sprintf("%s %d", word(name), n))
		}
	}
	slices.Sort(words)
	return strings.Join(words, " · ")
}

// clean takes out what makes text look like other text: control characters and those
// that turn its direction.
func clean(text any) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\ufeff':
			return -1
		}
		return r
	}, fmt.Sprint(text))
}

// webAddress is a foreign address that a page may link to, or "".
func webAddress(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" || u.User != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return ""
	}
	return u.String()
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return text.Clip(clean(address), 60)
	}
	return clean(u.Host)
}

// tones say which states are good, bad, or want attention.
var tones = map[string]string{
	"stable": "good", "deployed": "good", "active": "good", "succeeded": "good", "delivered": "good", "healed": "good", "kept": "good",
	"feasible": "good", "source_resumed": "good", "accepted": "good",
	"proceed": "good", "deploy": "good", "review": "warn", "regenerate": "bad", "source_healed": "good", "entity_appeared": "good",
	"broken": "bad", "failed": "bad", "error": "bad", "dead": "bad", "disabled": "bad", "rejected": "bad", "reject": "bad", "removed": "bad",
	"source_broken": "bad",
	"watch_error":   "bad", "entity_disappeared": "bad",
	"probation": "warn", "paused": "warn", "testing": "warn", "stale": "warn", "quality_dropped": "warn", "entity_stale": "warn",
	"warn": "warn", "cancelled": "warn", "failing": "warn", "source_paused": "warn", "waiting": "warn", "refused": "bad",
	"running": "busy", "analyzing": "busy", "generating": "busy", "re_analyzing": "busy", "pending_analysis": "busy", "pending": "busy",
	"entity_changed": "busy", "position_changed": "busy",
}

func tone(state any) string { return tones[fmt.Sprint(state)] }

// gauge is the tone of a score of 100.
func gauge(score any) string {
	n, _ := number(score)
	if p, ok := score.(*int); ok && p != nil {
		n = float64(*p)
	}
	switch {
	case n >= 80:
		return "good"
	case n >= 60:
		return "warn"
	}
	return "bad"
}

// size is a number of bytes as people read it.
func size(n int64) string {
	switch {
	case n < 10<<10:
		return fmt.Sprintf("%d B", n)
	case n < 10<<20:
		return fmt.Sprintf("%d KB", n>>10)
	case n < 10<<30:
		return fmt.Sprintf("%d MB", n>>20)
	}
	return fmt.Sprintf("%d GB", n>>30)
}

// share is a part of something, of 100.
func share(part, whole int) int {
	if whole <= 0 {
		return 0
	}
	return max(0, min(100, part*100/whole))
}

// strategy is a way of reading as people call it.
func strategy(tier any) string { return clean(curlew.ReadFrom(fmt.Sprint(tier))) }

// word is how people call a state or a field.
func word(state any) string {
	return clean(curlew.CodeWords(curlew.FieldLabel(fmt.Sprint(state))))
}

// nameOf is what people call an entity.
func nameOf(kind curlew.Schema, fields curlew.Values, otherwise string) string {
	for _, field := range []string{kind.Title, "title", "name", "headline"} {
		if s, ok := fields[field].(string); ok && strings.TrimSpace(clean(s)) != "" {
			return text.Clip(clean(s), 140)
		}
	}
	return text.Clip(clean(otherwise), 140)
}

// wholeValue is a field's value for people, however long it is: money in its currency.
func wholeValue(kind curlew.Schema, field string, value any, all curlew.Values) string {
	switch v := value.(type) {
	case nil:
		return "–"
	case string:
		return clean(readable(v))
	case bool:
		if v {
			return "yes"
		}
		return "no"
	}
	if n, ok := number(value); ok {
		of, _ := kind.Find(field)
		switch {
		case of.Type == curlew.TypeMoney && n == math.Trunc(n):
			return clean(money.Shown(int64(n), all.Currency()))
		case of.Type == curlew.TypeDuration:
			return curlew.SpanWords(int64(n))
		}
		return curlew.ValueText(value)
	}
	if list, ok := value.([]any); ok {
		words := make([]string, 0, len(list))
		for _, one := range list {
			words = append(words, curlew.ValueText(one))
		}
		return clean(strings.Join(words, ", "))
	}
	text, err := json.Marshal(value)
	if err != nil {
		return "–"
	}
	return clean(string(text))
}

// shapes are how records write times, and how people read them.
var shapes = []struct{ written, read string }{
	{time.RFC3339, "Mon 2 Jan 2006, 15:04 -07:00"}, {"2006-01-02T15:04:05", "Mon 2 Jan 2006, 15:04"}, {time.DateOnly, "Mon 2 Jan 2006"},
}

// enumerated are words of closed sets, such as out_of_stock.
var enumerated = regexp.MustCompile(`^[a-z]+(_[a-z]+)+$`)

// readable is a time or a word of a closed set as people read it; any other text stays
// as it is.
func readable(text string) string {
	if len(text) > 40 {
		return text
	}
	if enumerated.MatchString(text) {
		return word(text)
	}
	for _, s := range shapes {
		if at, err := time.Parse(s.written, text); err == nil {
			return strings.Replace(at.Format(s.read), "+00:00", "UTC", 1)
		}
	}
	return text
}

var instant = regexp.MustCompile(`\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`)

// said is a sentence with the times in it as people read them.
func said(most int, s string) string {
	return text.Clip(clean(instant.ReplaceAllStringFunc(s, func(written string) string {
		at, err := time.Parse(time.RFC3339, written)
		if err != nil {
			return written
		}
		return at.Format("2 Jan 2006, 15:04")
	})), most)
}

func number(value any) (float64, bool) {
	switch v := value.(type) {
	case json.Number:
		n, err := v.Float64()
		return n, err == nil
	case float64:
		return v, true
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	}
	return 0, false
}
