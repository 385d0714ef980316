package main

// contender is a program that crawls a site.
type contender struct {
	name    string
	program string
	args    []string
	records bool    // prints a line for each record
	shown   bool    // on the pages without structured data
	beside  string  // the contender that it is compared with; "" for none
	wanted  float64 // times as fast as that; 0 means that nobody asks for it
}

// The contenders that others are compared with.
const (
	collyTold  = "Colly, JSON-LD"
	collyShown = "Colly, rows of pages without data"
)

// crawling is a crawl by Curlew of the numbered pages, and what it is told beside.
func crawling(more ...string) []string {
	return append([]string{"crawl", "URL", "--include", `/numbered/\d*$`, "--adapter", "direct", "--max-pages", "MOST", "--delay", "0s",
		"--concurrency", "AT-ONCE", "--data", "DATA"}, more...)
}

// contenders take turns in this order.
var contenders = []contender{
	{name: collyTold, program: "colly", args: []string{"records", "URL", "AT-ONCE"}, records: true},
	{name: "crawl alone, no archive", program: "curlew", args: crawling("--no-archive"), beside: collyTold},
	{name: "crawl alone, archive", program: "curlew", args: crawling(), beside: collyTold},
	{name: "structured records, no archive", program: "curlew", args: crawling("--no-archive", "--schema", "auto", "--tier", "structured"),
		records: true, beside: collyTold, wanted: 2},
	{name: "all records, no archive", program: "curlew", args: crawling("--no-archive", "--schema", "auto"), records: true, beside: collyTold},
	{name: "all records, archive", program: "curlew", args: crawling("--schema", "auto"), records: true, beside: collyTold},
	{name: "first check of a watch", program: "curlew", args: []string{"watches", "add", "URL", "--blueprint", "BLUEPRINT",
		"--max-pages", "MOST", "--delay", "0s", "--data", "DATA"}, beside: collyTold, wanted: 1},
	{name: collyShown, program: "colly", args: []string{"rows", "URL", "AT-ONCE"}, records: true, shown: true},
	{name: "all records of pages without data", program: "curlew", args: crawling("--no-archive", "--schema", "auto"), records: true,
		shown: true, beside: collyShown, wanted: 0.5},
}

// watched reads the list of the site, and each of its pages by all readers. Most of the pages are articles.
const watched = `{"curlew": 1, "schema": "article", "page": "list", "tier": "html", "records": {"css": "li.product"},
"fields": {"title": {"css": "h2"}, "url": {"css": "a", "attr": "href"}},
"follow": [{"field": "url", "with": {"curlew": 1, "schema": "article", "page": "single", "tier": "structured",
  "records": {"shape": "readers"}, "fields": {}}}]}`
