package feasibility

import (
	_ "embed" // tables
	"net/url"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// EmailDraft is a draft of an e-mail to the people behind a site. It is never sent by
// Curlew: a person reads it, changes it and sends it, or does not.
type EmailDraft struct {
	To      string `json:"to"` // a role at the site; Curlew keeps no addresses of people
	Subject string `json:"subject"`
	Body    string `json:"body"`
}

// access is how a CMS opens its API to readers.
type access struct {
	CMS string `json:"cms"`
	API string `json:"api"`
	How string `json:"how"`
}

var (
	//go:embed tables/access.json
	accessFile []byte
	//go:embed tables/letter.txt
	letterFile string
)

var accesses = table[access](accessFile)

// Outreach drafts a letter where an API is there but closed and none is open for
// the same purpose. It returns nil when there is nothing to ask for.
func Outreach(address string, schema curlew.SchemaName, software []CMS, findings []ProbeResult) *EmailDraft {
	var closed *ProbeResult
	for i, f := range findings {
		if f.State == ProbeOpen && f.Entities > 0 && f.Schema == schema {
			return nil
		}
		if f.State == ProbeClosed && closed == nil {
			closed = &findings[i]
		}
	}
	if closed == nil {
		return nil
	}
	a := accessTo(*closed, software)
	host := address
	if u, err := url.Parse(address); err == nil && u.Hostname() != "" {
		host = u.Hostname()
	}
	host = text.OneLine(host, 100)
	fill := strings.NewReplacer("{what}", listingsOf(schema), "{host}", host, "{software}", runsOn(a), "{api}", a.API,
		"{address}", text.OneLine(closed.Probe.URL, 200), "{how}", a.How)
	return &EmailDraft{
		To:      "webmaster or editor of " + host,
		Subject: "Reading access to the " + a.API + " interface of " + host,
		Body:    fill.Replace(strings.TrimSuffix(letterFile, "\n")),
	}
}

func listingsOf(schema curlew.SchemaName) string {
	switch schema {
	case curlew.SchemaEvent:
		return "events"
	case curlew.SchemaProduct:
		return "products"
	case curlew.SchemaJob:
		return "vacancies"
	case curlew.SchemaArticle:
		return "articles"
	case curlew.SchemaOrganization:
		return "branches and contact points"
	}
	return "public listings"
}

func accessTo(f ProbeResult, software []CMS) access {
	for _, a := range accesses() {
		if a.CMS == f.Probe.CMS {
			return a
		}
	}
	for _, a := range accesses() {
		if slices.ContainsFunc(software, func(c CMS) bool { return c.Name == a.CMS }) {
			return a
		}
	}
	api := "data"
	if f.Probe.Kind == EndpointGraphQL {
		api = "GraphQL"
	}
	return access{API: api, How: "anonymous, read-only access to it, limited to what is public on your pages anyway"}
}

func runsOn(a access) string {
	if a.CMS == "" {
		return "has an API."
	}
	return "runs on " + a.CMS + ", which has a built-in API."
}
