package feasibility

import (
	"net/url"
	"strings"

	"curlew/internal/curlew"
)

// EmailDraft is a draft of an e-mail to the people behind a site. It is never sent by
// Curlew: a person reads it, changes it and sends it, or does not.
type EmailDraft struct {
	To      string `json:"to"` // a role at the site; Curlew keeps no addresses of people
	Subject string `json:"subject"`
	Body    string `json:"body"`
}

// lock is how a CMS opens its API to readers.
type lock struct{ cms, api, how string }

var locks = []lock{
	{"Craft CMS", "GraphQL", "a read-only Public Schema (Settings → GraphQL → Schemas), limited to the entries that are public anyway"},
	{"Statamic", "REST and GraphQL", "the content API for the public collections (config/statamic/api.php and graphql.php)"},
	{"The Events Calendar", "REST", "the REST API of The Events Calendar, which a security plugin may have switched off for visitors"},
	{"WordPress", "REST", "anonymous reading of the REST API (/wp-json/), which a security plugin may have switched off"},
	{"WooCommerce", "REST", "anonymous reading of the Store API (/wp-json/wc/store/)"},
	{"Drupal", "JSON:API", "the core module JSON:API with its setting “Accept only read operations”, for the public content types"},
	{"Ghost", "Content API", "a Content API key (Settings → Integrations), which is read-only"},
	{"Joomla", "web services", "anonymous reading of the web services for articles (System → Plugins → Web Services)"},
	{"Shopify", "JSON", "the public product feed (/products.json)"},
	{"Strapi", "REST", "the permission “find” for the role Public on the public content types"},
	{"Squarespace", "JSON", "the JSON view of the collection pages (?format=json)"},
}

// Outreach drafts a letter where an API is there but closed and none is open for
// the same purpose. It returns nil when there is nothing to ask for.
func Outreach(address string, schema curlew.SchemaName, software []CMS, findings []ProbeResult) *EmailDraft {
	var door *ProbeResult
	for i, f := range findings {
		if f.State == DoorOpen && f.Entities > 0 && f.Schema == schema {
			return nil
		}
		if f.State == DoorClosed && door == nil {
			door = &findings[i]
		}
	}
	if door == nil {
		return nil
	}
	l := lockOf(*door, software)
	host := address
	if u, err := url.Parse(address); err == nil && u.Hostname() != "" {
		host = u.Hostname()
	}
	host = clean(host, 100)
	what := map[curlew.SchemaName]string{curlew.SchemaEvent: "events", curlew.SchemaProduct: "products", curlew.SchemaJob: "vacancies", curlew.SchemaArticle: "articles",
		curlew.SchemaOrganization: "branches and contact points"}[schema]
	if what == "" {
		what = "public listings"
	}
	body := []string{
		"Hello,",
		"",
		"we would like to keep up with the public " + what + " on " + host + ". [Say in one sentence who you are and what you use them for.]",
		"",
		"Your website " + runsOn(l) + " Its " + l.api + " interface answers at " + clean(door.Probe.URL, 200) + ", but not for the public.",
		"",
		"Would you consider enabling " + l.how + "? It is usually a matter of half an hour on your side. We would read nothing that is not already on your pages. It would spare both of us the reading of HTML, which breaks for us whenever your templates change and puts more load on your server than one small request.",
		"",
		"If you would rather not, that is fine: please tell us also if you do not want us to read your pages at all, and we will stop.",
		"",
		"Kind regards",
		"[Your name, organisation and contact: the contact that stands in the User-Agent]",
	}
	return &EmailDraft{To: "webmaster or editor of " + host, Subject: "Reading access to the " + l.api + " interface of " + host, Body: strings.Join(body, "\n")}
}

func lockOf(f ProbeResult, software []CMS) lock {
	name := f.Probe.CMS
	for _, l := range locks {
		if l.cms == name {
			return l
		}
	}
	for _, l := range locks {
		for _, c := range software {
			if l.cms == c.Name {
				return l
			}
		}
	}
	api := "data"
	if f.Probe.Kind == EndpointGraphQL {
		api = "GraphQL"
	}
	return lock{"", api, "anonymous, read-only access to it, limited to what is public on your pages anyway"}
}

func runsOn(l lock) string {
	if l.cms == "" {
		return "has an interface for machines."
	}
	return "runs on " + l.cms + ", which has a built-in interface for machines."
}
