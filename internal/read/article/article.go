package article

import (
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/text"
)

// Options are what the page does not say itself.
type Options struct {
	Now  time.Time // dates after it are not believed; zero means unknown
	Only bool      // nothing is told of a page that is no article
}

// Article is what a page says of its article. Fields that the page does not tell
// are empty. Dates are written as schemas carry them: RFC 3339 or a day alone.
type Article struct {
	URL          string
	CanonicalURL string
	Title        string
	Text         string
	Markdown     string
	Summary      string
	Author       string // several are parted by ", "
	PublishedAt  string
	UpdatedAt    string
	Language     string
	Section      string
	ImageURL     string

	Node     string // the element that holds the text
	Verdict  Assessment
	Evidence map[string]curlew.Evidence // by field of the schema
}

// Read reads the article of a page. It says false when the page is none, such as a
// list, a shop or a home page: what was read then is what comes nearest, and the
// verdict says why, or nothing where only articles are asked for. Neither the document nor the graph is changed.
func Read(d *dom.Document, g *structured.Graph, o Options) (Article, bool) {
	if d.IsJSON() {
		return Article{Verdict: Assessment{Reasons: []string{"the answer of an API, not a page"}}}, false
	}
	p := survey(d, g)
	p.readBlocks()
	p.lang = d.Language()
	a := Article{URL: d.URL().String(), Evidence: map[string]curlew.Evidence{}}
	title := p.readTitle()
	if o.Only && p.hopeless(title) {
		return Article{}, false
	}
	c := p.selectText(title.text)
	verdict := p.judge(c, title)
	if o.Only && verdict.Score+mostByByline < articleScore {
		return Article{Verdict: verdict}, false
	}
	a.Node = dom.Path(c.top)
	a.Text = c.render()
	a.Markdown = p.markdown(c)
	published, updated := p.readDates(c, title.text, o.Now)
	a.set(&a.Title, "title", title)
	a.set(&a.PublishedAt, "published_at", published)
	a.set(&a.UpdatedAt, "updated_at", updated)
	a.set(&a.Author, "author", p.readAuthor(c, title.text))
	a.set(&a.Summary, "summary", p.readSummary())
	a.set(&a.Section, "section", p.readSection())
	a.set(&a.ImageURL, "image_url", p.readImage())
	a.set(&a.CanonicalURL, "canonical_url", p.readCanonical())
	a.describeText(c)
	a.Language = p.lang
	if p.lang != "" {
		a.Evidence["language"] = curlew.Evidence{Tier: curlew.TierHTML, Rule: "language of the page", Text: p.lang}
	}
	verdict.add(a.PublishedAt != "", byDate, "has a day of publication")
	verdict.add(a.Author != "", byAuthor, "names an author")
	a.Verdict = verdict
	return a, a.Verdict.Score >= articleScore
}

func (a *Article) set(field *string, name string, v value) {
	if v.text == "" {
		return
	}
	*field = v.text
	a.Evidence[name] = v.evidence
}

const evidenceBytes = 200

func (a *Article) describeText(c choice) {
	if a.Text == "" {
		return
	}
	tier := curlew.TierHTML
	if c.text != "" {
		tier = curlew.TierStructured
	}
	e := curlew.Evidence{Tier: tier, Rule: c.rule, Node: a.Node, Text: text.CutBytes(a.Text, evidenceBytes)}
	a.Evidence["text"] = e
	if a.Markdown != "" {
		a.Evidence["markdown"] = e
	}
}

// Draft is the article as a draft of its schema.
func (a Article) Draft() curlew.Draft {
	d := curlew.Draft{
		Schema: curlew.SchemaArticle, URL: first(a.CanonicalURL, a.URL), ExternalID: first(a.CanonicalURL, a.URL), Fields: curlew.Values{},
		Text: a.Text, Node: a.Node, Confidence: a.Verdict.Confidence(), Provenance: map[string]curlew.Evidence{},
	}
	for _, f := range []struct{ name, text string }{
		{"title", a.Title}, {"text", a.Text}, {"markdown", a.Markdown}, {"summary", a.Summary}, {"author", a.Author},
		{"published_at", a.PublishedAt},
		{"updated_at", a.UpdatedAt}, {"language", a.Language}, {"section", a.Section}, {"canonical_url", a.CanonicalURL},
		{"image_url", a.ImageURL}, {"url", a.URL},
	} {
		if f.text == "" {
			continue
		}
		d.Fields[f.name] = f.text
		if e, ok := a.Evidence[f.name]; ok {
			d.Provenance[f.name] = e
		}
	}
	return d
}
