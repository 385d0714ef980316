package syndicate

import (
	"bufio"
	"encoding/json"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// jsonHead is a JSON Feed 1.1 without its items.
type jsonHead struct {
	Version string       `json:"version"`
	Title   string       `json:"title"`
	Home    string       `json:"home_page_url,omitempty"`
	Self    string       `json:"feed_url,omitempty"`
	Authors []jsonAuthor `json:"authors"`
}

type jsonAuthor struct {
	Name string `json:"name"`
}

type jsonItem struct {
	ID        string    `json:"id"`
	URL       string    `json:"url,omitempty"`
	Title     string    `json:"title"`
	Summary   string    `json:"summary,omitempty"`
	HTML      string    `json:"content_html"`
	Text      string    `json:"content_text,omitempty"`
	Image     string    `json:"image,omitempty"`
	Published string    `json:"date_published"`
	Modified  string    `json:"date_modified"`
	Tags      []string  `json:"tags,omitempty"`
	Curlew    jsonExtra `json:"_curlew"`
}

// jsonExtra is the extension for programs: the values as they are, money in minor units.
type jsonExtra struct {
	About   string               `json:"about"`
	Kind    curlew.ChangeKind    `json:"kind,omitempty"`
	Entity  curlew.EntityID      `json:"entity_id,omitempty"`
	Version int                  `json:"version,omitempty"`
	Schema  curlew.SchemaName    `json:"schema,omitempty"`
	Outside string               `json:"external_id,omitempty"`
	Status  curlew.EntityStatus  `json:"status,omitempty"`
	Fields  curlew.Values        `json:"fields,omitempty"`
	Changes []curlew.FieldChange `json:"changes,omitempty"`
}

const extraAbout = "what this feed was made from; money in minor units"

// writeJSONFeed writes JSON Feed 1.1.
func writeJSONFeed(out *bufio.Writer, f Feed, _ Options) error {
	head, err := json.Marshal(jsonHead{
		Version: "https://jsonfeed.org/version/1.1", Title: f.title(), Home: address(f.HomeURL), Self: address(f.SelfURL),
		Authors: []jsonAuthor{{f.author()}},
	})
	if err != nil {
		return err
	}
	_, _ = out.Write(head[:len(head)-1])
	_, _ = out.WriteString(`,"items":[`)
	before := "\n"
	for e, err := range f.entries() {
		if err != nil {
			return err
		}
		text, err := json.Marshal(f.item(e).forJSON())
		if err != nil {
			return err
		}
		_, _ = out.WriteString(before)
		_, _ = out.Write(text)
		before = ",\n"
	}
	_, _ = out.WriteString("\n]}\n")
	return nil
}

func (i item) forJSON() jsonItem {
	j := jsonItem{
		ID: i.id, URL: i.url, Title: i.title, Summary: i.summary, HTML: i.html(), Text: i.plainText(), Image: i.image,
		Published: i.published.Format(time.RFC3339), Modified: i.updated.Format(time.RFC3339), Tags: i.tags,
		Curlew: jsonExtra{
			About: extraAbout, Entity: i.subject.entity, Version: i.subject.version, Schema: i.subject.schema,
			Outside: i.subject.outside, Status: i.subject.status, Fields: encodable(i.subject.fields), Changes: i.payload.Changes,
		},
	}
	if i.change != nil {
		j.Curlew.Kind = i.change.Kind
	}
	return j
}

// writeJSONLines writes each entity, or each change, as the API has it.
func writeJSONLines(out *bufio.Writer, f Feed, _ Options) error {
	lines := json.NewEncoder(out)
	for e, err := range f.entries() {
		if err != nil {
			return err
		}
		switch {
		case e.Change != nil:
			err = lines.Encode(sound(*e.Change))
		case e.Entity != nil:
			whole := *e.Entity
			whole.Fields = encodable(whole.Fields)
			err = lines.Encode(whole)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
