package syndicate

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Format is how a feed is written.
type Format string

const (
	Atom      Format = "atom"
	RSS       Format = "rss"
	JSONFeed  Format = "json"
	CSV       Format = "csv"
	JSONLines Format = "jsonl"
	ICalendar Format = "ics"

	// For people who save a listing; not served as feeds.
	XLSX    Format = "xlsx"
	Records Format = "records" // one JSON array, values as people write them
)

// Exports are the formats in which a listing is saved, as people and commands name them.
var Exports = map[string]Format{"csv": CSV, "xlsx": XLSX, "json": Records, "ics": ICalendar, "jsonl": JSONLines, "atom": Atom, "rss": RSS,
	"json-feed": JSONFeed}

// ParseExport finds the format of a file by its name in commands and forms.
func ParseExport(name string) (Format, error) {
	if f, ok := Exports[name]; ok {
		return f, nil
	}
	return "", curlew.Permanent("unknown_format", "unknown export format %q: use %s", name,
		strings.Join(slices.Sorted(maps.Keys(Exports)), ", "))
}

// Formats lists them in the order in which people meet them.
func Formats() []Format { return []Format{Atom, RSS, JSONFeed, CSV, JSONLines, ICalendar} }

// ContentType is the media type of a format.
func (f Format) ContentType() string {
	switch f {
	case Atom:
		return "application/atom+xml; charset=utf-8"
	case RSS:
		return "application/rss+xml; charset=utf-8"
	case JSONFeed:
		return "application/feed+json; charset=utf-8"
	case CSV:
		return "text/csv; charset=utf-8; header=present"
	case JSONLines:
		return "application/x-ndjson; charset=utf-8"
	case ICalendar:
		return "text/calendar; charset=utf-8"
	case XLSX:
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	case Records:
		return "application/json"
	}
	return "application/octet-stream"
}

// ParseFormat finds a format by the name it has in addresses and commands.
func ParseFormat(name string) (Format, error) {
	for _, f := range Formats() {
		if string(f) == name {
			return f, nil
		}
	}
	return "", curlew.Permanent("unknown_format", "unknown feed format %q: use atom, rss, json, csv, jsonl or ics", name)
}

// Feed is what is to be written: a source, a watch or a saved filter.
type Feed struct {
	Org     curlew.OrgID
	ID      string // within the org, stable: "watches/wat_…"
	Title   string
	HomeURL string // where a person reads on
	SelfURL string // where the feed itself is
	Updated time.Time
	// Schemas are those of its entities, for the columns of a table; none means all.
	Schemas []curlew.SchemaName
	Kinds   curlew.Kinds // that entities may be of; none means the built-in ones
	Changes bool         // the entries are changes
	// Entries can be gone through more than once: validators, zones and the time of
	// the last update need a pass of their own. Newest first, if the order is to mean
	// something to readers.
	Entries iter.Seq2[FeedEntry, error]
}

// authority stands in ids. Nobody can own it (RFC 2606), so no id of ours can be anybody else's, and it stays
// when an installation moves to another domain.
const authority = "curlew.invalid"

// FeedEntry is one entity, or one change with or without the entity it is about.
type FeedEntry struct {
	Entity *curlew.Entity
	Change *curlew.Change
	// Updated is when the entity last changed. Zero means when the change occurred, or
	// when the entity was first seen; that it was seen again is no update.
	Updated time.Time
}

// Options are what a reader may ask for.
type Options struct {
	BOM bool // of CSV: a byte order mark, by which older spreadsheets know UTF-8
}

// Of makes entries of a slice.
func Of(entries ...FeedEntry) iter.Seq2[FeedEntry, error] {
	return func(yield func(FeedEntry, error) bool) {
		for _, e := range entries {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func (f Feed) entries() iter.Seq2[FeedEntry, error] {
	if f.Entries == nil {
		return Of()
	}
	return f.Entries
}

// Write writes a feed. An error of the entries ends it, and what was written by then
// is not a whole document.
func Write(w io.Writer, format Format, feed Feed, o Options) error {
	out := bufio.NewWriterSize(w, 32<<10)
	writers := map[Format]func(*bufio.Writer, Feed, Options) error{
		Atom: writeAtom, RSS: writeRSS, JSONFeed: writeJSONFeed, CSV: writeCSV, JSONLines: writeJSONLines, ICalendar: writeCalendar,
		XLSX: writeXLSX, Records: writeRecords,
	}
	write, known := writers[format]
	if !known {
		_, err := ParseFormat(string(format))
		return err
	}
	if err := write(out, feed, o); err != nil {
		return err
	}
	return out.Flush()
}

// Validators are what makes a second request cheap (RFC 9110, section 8.8).
type Validators struct {
	ETag         string // strong, with its quotes
	LastModified time.Time
}

// HTTPDate is LastModified as a header has it.
func (v Validators) HTTPDate() string { return v.LastModified.UTC().Format(http.TimeFormat) }

// version is part of every validator. Raise it when the same entries are written
// differently than before.
const version = 3

// Validate computes the validators of a feed in a format from its content alone.
func Validate(format Format, feed Feed, o Options) (Validators, error) {
	digest := sha256.New()
	fmt.Fprintf(digest, "%d %s %v %q %q %q %q %q %v %v\n", version, format, o, feed.Org, feed.ID, feed.Title, feed.HomeURL, feed.SelfURL,
		feed.Schemas, feed.Changes)
	last := feed.Updated
	out := json.NewEncoder(digest)
	for e, err := range feed.entries() {
		if err != nil {
			return Validators{}, err
		}
		if at := e.updated(); at.After(last) {
			last = at
		}
		fmt.Fprintf(digest, "%d\n", e.updated().UnixMicro())
		for _, part := range e.parts() {
			if err := out.Encode(part); err != nil {
				return Validators{}, err
			}
		}
	}
	fmt.Fprintf(digest, "%d", last.UnixMicro())
	return Validators{ETag: `"` + hex.EncodeToString(digest.Sum(nil)[:16]) + `"`, LastModified: plausible(last).Truncate(time.Second)}, nil
}

// parts are what the entry holds, without what moves when nothing has changed.
func (e FeedEntry) parts() []any {
	var all []any
	if e.Entity != nil {
		still := *e.Entity
		still.LastSeenAt, still.Confirmed = time.Time{}, nil
		still.Fields = encodable(still.Fields)
		all = append(all, still)
	}
	if e.Change != nil {
		all = append(all, sound(*e.Change))
	}
	return all
}

func (e FeedEntry) updated() time.Time {
	switch {
	case !e.Updated.IsZero():
		return plausible(e.Updated)
	case e.Change != nil:
		return plausible(e.Change.OccurredAt)
	case e.Entity != nil:
		return plausible(e.Entity.FirstSeenAt)
	}
	return plausible(time.Time{})
}

// plausible keeps a time within what all formats can spell.
func plausible(t time.Time) time.Time {
	if t.Year() < 1970 || t.Year() > 9999 {
		return time.Unix(0, 0).UTC()
	}
	return t.UTC()
}

// lastUpdate is the feed's, or that of its newest entry.
func (f Feed) lastUpdate() (time.Time, error) {
	if !f.Updated.IsZero() {
		return plausible(f.Updated), nil
	}
	last := time.Unix(0, 0).UTC()
	for e, err := range f.entries() {
		if err != nil {
			return last, err
		}
		if at := e.updated(); at.After(last) {
			last = at
		}
	}
	return last, nil
}
