package quality

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// collisions measures whether one thing has one id: an id that two things share,
// or a thing with two ids, becomes false changes later.
func collisions(s Sample) outcome {
	o := outcome{applies: true, of: len(s.Records)}
	bad, reasons := collided(s, &o)
	o.good = o.of - bad
	o.score = float64(o.good) / float64(o.of)
	o.sentence = "every record has an id of its own"
	if bad > 0 {
		o.sentence = reasons.text()
	}
	return o
}

func collided(s Sample, o *outcome) (bad int, reasons tally) {
	ids, things := map[string]string{}, map[string]string{}
	for _, r := range s.Records {
		key, reason := identityOf(r), ""
		other, sharedID := ids[r.ExternalID]
		otherID, sharedThing := things[key]
		switch {
		case r.ExternalID == "":
			reason = "without an id"
		case sharedID && other == key:
			reason = "read twice"
		case sharedID:
			reason = "sharing an id with something else"
		case sharedThing && key != "" && otherID != r.ExternalID:
			reason = "equal to another in title and time, under another id"
		}
		ids[r.ExternalID], things[key] = key, r.ExternalID
		if reason == "" {
			continue
		}
		bad++
		reasons.add(reason)
		o.examples = few(o.examples, example(r))
	}
	return bad, reasons
}

// identityOf is what makes two records the same thing to a reader: for what has a
// date, the name and the moment; for other things the name and what tells
// variants apart. Without a date a shared name proves nothing.
func identityOf(r curlew.Record) string {
	key, start := meeting(r), startOf(r)
	if key == "" {
		return ""
	}
	for _, field := range []string{"venue_name", "city", "company", "location", "seller", "brand", "sku", "address"} {
		key += "|" + strings.TrimSpace(padded(textOf(r, field)))
	}
	if start == "" {
		return key + "|" + said(r.Fields["price"]) + "|" + textOf(r, "url")
	}
	return key
}

// startOf is the moment of what has one.
func startOf(r curlew.Record) string {
	if when, ok := dated[r.Schema]; ok {
		return textOf(r, when.field)
	}
	return ""
}

// meeting is by what a record is met again elsewhere: its name and its moment.
func meeting(r curlew.Record) string { return identity(nameOf(r), startOf(r)) }

func identity(title, start string) string {
	words := strings.TrimSpace(padded(title))
	if words == "" {
		return ""
	}
	if at, clock, ok := moment(start); ok && clock != "" {
		if _, err := time.Parse(time.RFC3339, start); err == nil {
			start = at.UTC().Format(time.RFC3339)
		} else { // what a clock on the spot shows is no moment, and equals none by chance
			start = at.Format("2006-01-02T15:04:05")
		}
	}
	return words + "|" + start
}

// refusing are answers that say nothing about an address.
var refusing = []int{http.StatusForbidden, http.StatusUnauthorized, http.StatusTooManyRequests}

// urlValidity is the share of addresses that lead somewhere.
func urlValidity(s Sample) outcome {
	o := outcome{}
	reasons := tally{}
	asked, refused := 0, 0
	for _, r := range s.Records {
		address := cmp.Or(textOf(r, "url"), r.URL)
		if address == "" {
			continue
		}
		status, known := s.Reachable[address]
		why := addressFault(address, status, known)
		if known && why == "" && slices.Contains(refusing, status) {
			refused++
			continue
		}
		o.of++
		if known {
			asked++
		}
		if why == "" {
			o.good++
			continue
		}
		reasons.add(why)
		o.examples = few(o.examples, text.OneLine(address, 80))
	}
	o.sentence = urlSentence(o, reasons, asked, refused)
	if o.of == 0 {
		return o
	}
	o.applies, o.score = true, float64(o.good)/float64(o.of)
	return o
}

func addressFault(address string, status int, known bool) string {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return "no web address at all"
	case !known || status >= 200 && status < 400:
		return ""
	case status == 0:
		return "not answering"
	case status == http.StatusForbidden || status == http.StatusUnauthorized || status == http.StatusTooManyRequests:
		return ""
	}
	return fmt.Sprintf("answering %d", status)
}

func urlSentence(o outcome, reasons tally, asked, refused int) string {
	if o.of == 0 && refused == 0 {
		return "no record has an address"
	}
	text := fmt.Sprintf("%d of %d addresses lead to a page", o.good, o.of)
	if asked < o.of {
		text = fmt.Sprintf("%d of %d addresses are well formed, %d of them were asked for", o.good, o.of, asked)
	}
	if len(reasons.order) > 0 {
		text += "; " + reasons.text()
	}
	if refused > 0 {
		text += fmt.Sprintf("; %d did not let us in and %s not counted", refused, map[bool]string{true: "is", false: "are"}[refused == 1])
	}
	return text
}

// fieldsOf lists the fields of a record in order.
func fieldsOf(r curlew.Record) []string { return slices.Sorted(maps.Keys(r.Fields)) }
