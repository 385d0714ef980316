package syndicate

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// How much of foreign text a feed carries.
const (
	titleLength   = 200
	summaryLength = 500
	valueLength   = 4000
)

// item is an entry as feed readers see it.
type item struct {
	id        string
	url       string
	image     string
	title     string
	summary   string
	published time.Time
	updated   time.Time
	tags      []string
	subject   subject
	change    *curlew.Change
	payload   curlew.ChangePayload
}

// subject is the thing that an entry is about, from the entity or from the picture
// of it in a change.
type subject struct {
	entity  curlew.EntityID
	schema  curlew.SchemaName
	kind    curlew.Schema
	outside string // external id
	url     string
	status  curlew.EntityStatus
	version int
	fields  curlew.Values
	since   time.Time // first seen; zero when a change alone is known

	confirmed time.Time // when the oldest of its values was last read
}

func (f Feed) item(e FeedEntry) item {
	i := item{updated: e.updated(), published: e.updated()}
	if e.Change != nil {
		i.change, i.payload = e.Change, payloadOf(*e.Change)
		i.published = plausible(e.Change.OccurredAt)
	} else if e.Entity != nil {
		i.published = plausible(e.Entity.FirstSeenAt)
	}
	if i.published.After(i.updated) {
		i.updated = i.published
	}
	i.subject = subjectOf(e, i.payload)
	i.subject.kind = f.kinds().Kind(i.subject.schema)
	i.id = f.tag("entities/" + string(i.subject.entity))
	if i.change != nil {
		i.id = f.tag("changes/" + string(i.change.ID))
		i.tags = append(i.tags, string(i.change.Kind))
		if i.payload.Probation {
			i.tags = append(i.tags, string(curlew.TrustProbation))
		}
	}
	if i.subject.schema != "" {
		i.tags = append(i.tags, line(string(i.subject.schema), titleLength))
	}
	i.url = address(i.subject.url)
	if own, _ := i.subject.fields["url"].(string); i.url == "" {
		i.url = address(own)
	}
	for _, name := range []string{"image_url", i.subject.kind.OfType(curlew.TypePicture)} {
		if image, _ := i.subject.fields[name].(string); image != "" {
			i.image = address(image)
		}
	}
	i.title, i.summary = i.headline(), i.shortText()
	return i
}

// payloadOf reads what a change says; a payload that is none says nothing.
func payloadOf(c curlew.Change) curlew.ChangePayload {
	var p curlew.ChangePayload
	in := json.NewDecoder(bytes.NewReader(c.Payload))
	in.UseNumber() // minor units stay whole
	if err := in.Decode(&p); err != nil {
		return curlew.ChangePayload{}
	}
	return p
}

func subjectOf(e FeedEntry, p curlew.ChangePayload) subject {
	var s subject
	if n := e.Entity; n != nil {
		s = subject{entity: n.ID, schema: n.Schema, outside: n.ExternalID, url: n.URL, status: n.Status, version: n.Version, fields: n.Fields,
			since: n.FirstSeenAt, confirmed: n.ConfirmedAt()}
	}
	if e.Change == nil {
		return s
	}
	if e.Change.Entity != "" {
		s.entity, s.version = e.Change.Entity, e.Change.Version
	}
	if n := p.Entity; n != nil { // as it was just after the change, not as it is today
		s.schema, s.outside, s.url, s.status, s.fields = n.Schema, n.ExternalID, n.URL, n.Status, n.Fields
	}
	if e.Change.Kind == curlew.EntityDisappeared {
		s.status = curlew.EntityRemoved
	}
	return s
}

// tag is a stable id (RFC 4151): it depends on nothing but the org and what is named.
func (f Feed) tag(what string) string {
	return "tag:" + authority + ",2026:" + pathText(string(f.Org)) + "/" + pathText(what)
}

// pathText keeps to what an id may hold.
func pathText(text string) string {
	return ascii(string(bytes.Map(func(r rune) rune {
		if r <= ' ' || r == '#' || r == '?' || r == '%' {
			return '_'
		}
		return r
	}, []byte(text))))
}
