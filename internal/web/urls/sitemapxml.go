package urls

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// readXML walks through the tokens of a sitemap or feed. Elements are told by
// their place and not by their namespace, which many sitemaps get wrong: the
// prefix of the root is the prefix of what counts.
//
// The decoder reads leniently: a bare "&" in a URL, an unknown entity and an
// unclosed tag are no reason to lose the rest. It never expands entities that a
// document defines, and a document that defines any is refused.
func (s *Sitemap) readXML(text *textReader) error {
	decoder := xml.NewDecoder(text)
	decoder.Strict = false
	decoder.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // decoded already
	w := &walker{sitemap: s}
	before := text.number - 1 // lines that were skipped
	for tokens := 0; ; tokens++ {
		if tokens == maxTokens {
			s.Truncated = LimitTokens
			return nil
		}
		text.spent = 0
		line, _ := decoder.InputPos()
		line += before
		token, err := decoder.RawToken()
		if err != nil {
			return w.finish(line, err)
		}
		switch token := token.(type) {
		case xml.Directive:
			if err := s.refuseDTD(line, token); err != nil {
				return err
			}
		case xml.StartElement:
			if !w.known {
				if err := w.begin(token); err != nil {
					return err
				}
				continue
			}
			if !w.start(line, token) {
				return nil
			}
		case xml.EndElement:
			if !w.end(token) {
				return nil
			}
		case xml.CharData:
			w.text(token)
		}
	}
}

func (s *Sitemap) refuseDTD(line int, directive xml.Directive) error {
	if text := string(directive); strings.ContainsAny(text, "[]") || strings.Contains(strings.ToUpper(text), "ENTITY") {
		return unreadable("it defines a document type of its own, on line %d", line)
	}
	return nil
}

// walker keeps the place in the document.
type walker struct {
	sitemap *Sitemap
	known   bool
	closed  bool
	root    xml.Name
	prefix  string // of what counts
	base    string // xml:base of the root
	item    string // the element that holds an entry: url, sitemap, item, entry

	inside   bool
	depth    int      // below the item
	child    xml.Name // the element directly below it
	nested   int      // elements of that name inside of it
	entry    found
	fields   map[string]string
	field    string // whose text is being read
	loose    strings.Builder
	value    strings.Builder
	linkRank int
}

var roots = map[string]struct {
	kind SitemapKind
	item string
}{
	"urlset":       {SitemapURLs, "url"},
	"sitemapindex": {SitemapIndex, "sitemap"},
	"rss":          {SitemapRSS, "item"},
	"rdf":          {SitemapRSS, "item"},
	"feed":         {SitemapAtom, "entry"},
}

// begin learns what document this is.
func (w *walker) begin(e xml.StartElement) error {
	root, ok := roots[strings.ToLower(e.Name.Local)]
	if !ok {
		return unreadable("its first element is <%.40s>", e.Name.Local)
	}
	w.known, w.root, w.prefix, w.item, w.base = true, e.Name, e.Name.Space, root.item, joinBase(w.sitemap.source.URL, xmlBase(e))
	w.sitemap.Kind = root.kind
	return nil
}

// feed tells that this is RSS or Atom.
func (w *walker) feed() bool { return w.item == "item" || w.item == "entry" }

// counts tells whether an element belongs to the sitemap itself and not to an
// extension.
func (w *walker) counts(name xml.Name) bool {
	return name.Space == w.prefix || w.feed() && name.Space == ""
}

func (w *walker) start(line int, e xml.StartElement) bool {
	local := strings.ToLower(e.Name.Local)
	if w.counts(e.Name) && local == w.item {
		going := w.flush() // the one before was not closed
		w.inside, w.depth, w.linkRank = true, 0, 0
		w.entry = found{line: line, base: joinBase(w.base, xmlBase(e)), child: w.sitemap.Kind == SitemapIndex}
		w.fields = map[string]string{}
		return going
	}
	if w.feed() && local == "channel" {
		w.prefix = e.Name.Space // RSS 1.0: the root is of RDF, its items are not
	}
	if !w.inside {
		return true
	}
	if w.depth++; w.depth > 1 {
		if e.Name == w.child {
			w.nested++
		}
		return true
	}
	w.child, w.nested = e.Name, 0
	if w.feed() {
		w.startFeedField(local, e)
	} else if w.counts(e.Name) && (local == "loc" || local == "lastmod") {
		w.field = local
	} else {
		w.startExtension(local, e.Name.Space)
	}
	w.value.Reset()
	return true
}

// startExtension counts what stands beside loc and lastmod.
func (w *walker) startExtension(local, prefix string) {
	switch {
	case w.counts(xml.Name{Space: prefix}) && (local == "changefreq" || local == "priority"):
		return
	case local == "link":
		local = "alternate"
	}
	if len(w.sitemap.Extensions) < 50 || w.sitemap.Extensions[local] > 0 {
		w.sitemap.Extensions[local]++
	}
}

func (w *walker) text(data xml.CharData) {
	switch {
	case w.field != "" && w.depth == 1:
		keep(&w.value, data)
	case w.inside && w.depth == 0:
		keep(&w.loose, data)
	}
}

// keep collects text up to the longest URL that is worth reading.
func keep(b *strings.Builder, data []byte) {
	b.Write(data[:min(len(data), max(0, 2*maxRawURL-b.Len()))])
}

func (w *walker) end(e xml.EndElement) bool {
	local := strings.ToLower(e.Name.Local)
	if e.Name == w.root && (!w.inside || w.depth == 0) {
		w.closed = true
	}
	if !w.inside {
		return true
	}
	if w.counts(e.Name) && local == w.item {
		return w.flush()
	}
	switch {
	case w.depth == 0:
	case e.Name != w.child:
		w.depth = max(1, w.depth-1)
	case w.nested > 0:
		w.nested--
		w.depth--
	default: // tags inside may not have been closed
		w.keepField()
		w.depth = 0
	}
	return true
}

// keepField stores the text of the field that ends; the first one counts.
func (w *walker) keepField() {
	if value := strings.TrimSpace(w.value.String()); w.field != "" && value != "" && w.fields[w.field] == "" {
		w.fields[w.field] = value
	}
	w.field = ""
	w.value.Reset()
}

// flush hands over the entry that ends.
func (w *walker) flush() bool {
	if !w.inside {
		return true
	}
	w.keepField()
	w.inside = false
	w.entry.loc, w.entry.lastmod = w.fields["loc"], w.fields["lastmod"]
	if w.feed() {
		w.entry.loc, w.entry.lastmod = w.feedURL(), w.feedDate()
		if w.entry.loc == "" {
			return true // a feed's entry need not have a page
		}
	}
	if loose := strings.TrimSpace(w.loose.String()); w.entry.loc == "" && isWebURL(loose) {
		w.entry.loc = loose
		w.sitemap.warn(w.entry.line, "the URL is outside of <loc>")
	}
	w.loose.Reset()
	return w.sitemap.add(w.entry)
}

// finish is called at the end of the document, which may come too early.
func (w *walker) finish(line int, err error) error {
	if !w.known {
		return unreadable("it has no element").Because(err)
	}
	var syntax *xml.SyntaxError
	if w.closed && (errors.Is(err, io.EOF) || errors.As(err, &syntax)) {
		w.flush()
		return nil // what follows the end does not matter
	}
	w.sitemap.Damaged = true
	w.sitemap.warn(line, "it breaks off here: %v", err)
	return nil
}
