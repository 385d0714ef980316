package feeds

import (
	"bytes"
	"encoding/xml"
	"html"
	"mime"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/text"
)

// mostRows bounds what is taken of a file.
const mostRows = 20_000

// Page turns a file that is no page (CSV, JSON lines, XML, plain text, Markdown, a sitemap) into one,
// in UTF-8, so that everything that reads pages reads it too; ok is false for what is a page already,
// and for JSON and feeds, which have readers of their own. siteOf is the site that an address belongs to.
func Page(body []byte, contentType, address string, siteOf func(address string) string) (page []byte, ok bool) {
	kind, ending := formOf(contentType, address)
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	switch {
	case IsSitemap(body):
		return sitemap(body, address, siteOf)
	case kind == "text/csv" || kind == "text/tab-separated-values", untyped(kind) && (ending == ".csv" || ending == ".tsv"):
		return table(body)
	case kind != "text/html" && isJSONLines(body):
		return JSONTable(jsonLines(body))
	case kind != "text/html" && bytes.HasPrefix(body, []byte("<?xml")):
		return xmlTable(body)
	case IsMarkdown(body, contentType, address):
		return markdown(body), true
	case kind == "text/plain" && inColumns(body):
		return table(body)
	case kind == "text/plain" && !looksMarkedUp(body):
		return lines(string(body), headOf(body)), true
	}
	return nil, false
}

// formOf is what the server and the ending of its address call a file.
func formOf(contentType, address string) (kind, ending string) {
	kind, _, _ = mime.ParseMediaType(contentType)
	if u, err := url.Parse(address); err == nil {
		ending = strings.ToLower(path.Ext(u.Path))
	}
	return kind, ending
}

// untyped says whether a server says no more than that it sends bytes or text.
func untyped(kind string) bool {
	return kind == "" || kind == "text/plain" || kind == "application/octet-stream" || kind == "application/vnd.ms-excel"
}

// looksMarkedUp says whether something that is called plain text is a page, a feed or JSON.
func looksMarkedUp(body []byte) bool {
	head := bytes.ToLower(bytes.TrimSpace(body[:min(len(body), 1024)]))
	for _, start := range []string{"<", "{", "[", "begin:vcalendar"} {
		if bytes.HasPrefix(head, []byte(start)) {
			return true
		}
	}
	return bytes.Contains(head, []byte("<html")) || bytes.Contains(head, []byte("<body"))
}

// IsMarkdown says whether a file is text in Markdown.
func IsMarkdown(body []byte, contentType, address string) bool {
	kind, ending := formOf(contentType, address)
	named := kind == "text/markdown" || untyped(kind) && (ending == ".md" || ending == ".markdown")
	return named && !bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
}

var markdownHeading = text.Pattern(`(?m)^#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*\r?$`)

// markdown is read as its text; its first heading is the title.
func markdown(body []byte) []byte {
	title := headOf(body)
	if first := markdownHeading().FindSubmatch(body[:min(len(body), 2048)]); first != nil {
		title = string(first[1])
	}
	return lines(markdownHeading().ReplaceAllString(string(body), "$1"), title)
}

// lines makes a paragraph of each block of lines.
func lines(body, title string) []byte {
	var out bytes.Buffer
	out.WriteString("<!doctype html>" + titleOf(title) + "<main><p>")
	for line := range strings.Lines(strings.ToValidUTF8(body, "�")) {
		if line = strings.TrimSpace(line); line == "" {
			out.WriteString("</p><p>")
			continue
		}
		out.WriteString(html.EscapeString(line) + "<br>")
	}
	out.WriteString("</p></main>")
	return out.Bytes()
}

// headOf is the first line of a text, where it can be its title.
func headOf(body []byte) string {
	for line := range strings.Lines(string(body[:min(len(body), 2048)])) {
		if line = text.Collapse(line); line != "" && len(line) <= longestTitle {
			return line
		} else if line != "" {
			break
		}
	}
	return ""
}

// longestTitle bounds a first line that is a title: longer ones begin a paragraph.
const longestTitle = 80

// titleOf is the title of a page that is made of a file.
func titleOf(title string) string {
	if title == "" {
		return ""
	}
	return "<title>" + html.EscapeString(title) + "</title>"
}

// IsSitemap says whether a file is a sitemap, or an index of them.
func IsSitemap(body []byte) bool {
	return bytes.Contains(body[:min(len(body), 2048)], []byte("<urlset")) || IsSitemapIndex(body)
}

// IsSitemapIndex says whether a file lists the sitemaps of a site.
func IsSitemapIndex(body []byte) bool {
	return bytes.Contains(body[:min(len(body), 2048)], []byte("<sitemapindex"))
}

// ListsPages says whether a file is a sitemap with at least one address in it.
func ListsPages(body []byte) bool {
	return IsSitemap(body) && !IsSitemapIndex(body) && bytes.Contains(body, []byte("<loc"))
}

// CountPages counts the addresses of a sitemap, also of those that are not read; 0 for any other file.
func CountPages(body []byte) int {
	if !ListsPages(body) {
		return 0
	}
	return bytes.Count(body, []byte("<loc>"))
}

// sitemapEntry is a page that a sitemap names.
type sitemapEntry struct {
	Location string `xml:"loc"`
	Changed  string `xml:"lastmod"`
}

// sitemap lists the addresses of a sitemap with the days on which their pages changed: those of its own site or,
// where it lies elsewhere and has none of them, of the site of its first.
func sitemap(body []byte, address string, siteOf func(address string) string) ([]byte, bool) {
	all := sitemapEntries(body)
	if len(all) == 0 {
		return nil, false
	}
	sites := make([]string, len(all))
	for i, e := range all {
		sites[i] = siteOf(e.Location)
	}
	own := siteOf(address)
	if !slices.Contains(sites, own) {
		own = sites[0]
	}
	var out bytes.Buffer
	out.WriteString("<!doctype html><table><thead><tr><th>Page</th><th>Changed</th></tr></thead>\n")
	for i, e := range all {
		if sites[i] == own {
			changed := html.EscapeString(strings.TrimSpace(e.Changed))
			out.WriteString("<tr><td>" + link(e.Location, nameOf(e.Location)) + "</td><td>" + changed + "</td></tr>\n")
		}
	}
	out.WriteString("</table>")
	return out.Bytes(), true
}

// sitemapEntries are the entries of a sitemap. A file that ends in the middle is read as far as it goes.
func sitemapEntries(body []byte) (all []sitemapEntry) {
	d := xml.NewDecoder(bytes.NewReader(body))
	d.Strict = false
	for len(all) < mostRows {
		token, err := d.Token()
		if err != nil {
			break
		}
		start, is := token.(xml.StartElement)
		if !is || start.Name.Local != "url" {
			continue
		}
		var entry sitemapEntry
		if err := d.DecodeElement(&entry, &start); err != nil {
			break
		}
		if entry.Location = strings.TrimSpace(entry.Location); entry.Location != "" {
			all = append(all, entry)
		}
	}
	return all
}

// nameOf is what an address says of its page: its path.
func nameOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || strings.Trim(u.Path, "/") == "" {
		return address
	}
	return strings.Trim(u.Path, "/")
}
