package quality

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// What is known of a place, and how likely a map finds it by that.
const (
	worthPoint   = 1.0
	worthAddress = 0.9
	worthCity    = 0.6 // a name and a city: usually found
	worthName    = 0.3 // a name alone: "Main Hall"
)

// placed are the schemas whose records are somewhere.
var placed = map[curlew.SchemaName]struct{ address, name string }{
	curlew.SchemaEvent:        {"venue_address", "venue_name"},
	curlew.SchemaOrganization: {"address", "name"},
}

// geocoding is how well the places of the records can be put on a map by what the
// pages say of them.
func geocoding(s Sample) outcome {
	where, ok := placed[s.Schema]
	if !ok {
		return outcome{sentence: "records of this schema have no place"}
	}
	o := outcome{}
	reasons := tally{}
	sum := 0.0
	for _, r := range s.Records {
		if online, _ := r.Fields["online"].(bool); online {
			continue
		}
		o.of++
		worth, what := placeWorth(r, where.address, where.name)
		sum += worth
		reasons.add(what)
		if worth >= worthAddress {
			o.good++
		} else {
			o.examples = few(o.examples, text.OneLine(said(r.Fields[where.name]), 60))
		}
	}
	if o.of == 0 {
		o.sentence = "all of these take place online"
		return o
	}
	o.applies, o.score = true, sum/float64(o.of)
	o.sentence = reasons.text() + "; measured by what the pages say, nothing was geocoded"
	return o
}

func placeWorth(r curlew.Record, address, name string) (float64, string) {
	switch {
	case has(r, "latitude") && has(r, "longitude"):
		return worthPoint, "with coordinates"
	case has(r, address) && strings.ContainsFunc(textOf(r, address), unicode.IsDigit) || has(r, address) && has(r, "city"):
		return worthAddress, "with an address"
	case has(r, "city"):
		return worthCity, "with a city"
	case has(r, address):
		return worthCity, "with an address that names no number or city"
	case address == "venue_address" && has(r, name):
		return worthName, "with a name alone"
	}
	return 0, "without any place"
}

// performers is the share of events that name who performs, among the sources
// where anybody does.
func performers(s Sample) outcome {
	if s.Schema != curlew.SchemaEvent {
		return outcome{sentence: "records of this schema have no performers"}
	}
	o := outcome{}
	named, awaited := 0, 0
	for _, r := range s.Records {
		switch {
		case has(r, "performers"):
			named++
		case announces(r):
			awaited++
			o.examples = few(o.examples, example(r))
		}
	}
	o.good, o.of = named, named+awaited
	if o.of == 0 {
		o.sentence = "nothing here names a performer"
		return o
	}
	o.applies, o.score = true, float64(named)/float64(o.of)
	o.sentence = fmt.Sprintf("%d of %d events that announce a performer name one", named, o.of)
	if rest := len(s.Records) - o.of; rest > 0 {
		o.sentence += fmt.Sprintf("; %d name no performer", rest)
	}
	o.sentence += "; measured by what the pages say"
	return o
}

// announces says whether a title or a category speaks of a performance.
func announces(r curlew.Record) bool {
	return hasWordOf(textOf(r, "title"), "performance") || hasWordOf(textOf(r, "category"), "performance")
}
