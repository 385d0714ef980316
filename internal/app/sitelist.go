package app

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/text"
)

// ListedSite is one site of a list that somebody brings along.
type ListedSite struct {
	Line   int    // of the list, or its number where that has no lines
	URL    string // as it is written there
	Name   string
	Kind   string
	Region string // of the kind page
	Why    string // it is not to be added
}

// What is read of a list.
const (
	mostListed   = 2000
	mostUnpacked = 20 << 20
)

// ReadSiteList reads the sites of a list: addresses line by line, CSV, OPML, JSON or JSON lines, a backup of changedetection.io (the
// file or what is in it), or a spider of Scrapy with its start_urls. Which it is, is seen by its content.
func ReadSiteList(list []byte) ([]ListedSite, error) {
	all, err := guardedList(bytes.TrimPrefix(list, []byte("\xEF\xBB\xBF")), readSiteList)
	switch {
	case err != nil:
		return nil, err
	case len(all) == 0:
		return nil, curlew.ProblemIn("list", "there is no address in it: write one on each line")
	case len(all) > mostListed:
		return nil, curlew.ProblemIn("list", fmt.Sprintf("it has %d addresses: import at most %d at a time", len(all), mostListed))
	}
	return all, nil
}

// guardedList reads a list that may break its reader.
func guardedList(list []byte, read func([]byte) ([]ListedSite, error)) (all []ListedSite, err error) {
	err = guard.Read(guard.List, fmt.Sprintf("list of %d bytes", len(list)), func() (err error) {
		all, err = read(list)
		return err
	})
	if errors.Is(err, guard.ErrReaderFailed) {
		return nil, curlew.Wrong("list", err)
	}
	return all, err
}

func readSiteList(list []byte) ([]ListedSite, error) {
	if bytes.HasPrefix(list, []byte("PK\x03\x04")) {
		return zippedSites(list)
	}
	if !utf8.Valid(list) {
		return nil, curlew.ProblemIn("list", "it is no text in UTF-8: save it as such, or name another file")
	}
	trimmed := strings.TrimSpace(string(list))
	switch {
	case strings.HasPrefix(trimmed, "<"):
		return opmlSites(trimmed)
	case strings.HasPrefix(trimmed, "{"), strings.HasPrefix(trimmed, "["):
		return jsonSites(trimmed)
	case startURLs.MatchString(trimmed):
		return spiderSites(string(list))
	}
	if all := csvSites(string(list)); all != nil {
		return all, nil
	}
	return plainSites(string(list)), nil
}

// plainSites are addresses line by line. What follows an address, such as tags, and what begins with # is left out.
func plainSites(list string) (all []ListedSite) {
	n := 0
	for line := range strings.Lines(list) {
		n++
		words := strings.Fields(line)
		if len(words) > 0 && !strings.HasPrefix(words[0], "#") {
			all = append(all, ListedSite{Line: n, URL: strings.TrimRight(words[0], ",;")})
		}
	}
	return all
}

// The names of columns and keys that hold what a site needs.
var (
	addressNames = []string{"url", "address", "link", "website", "homepage", "xmlurl", "feed", "uri", "page", "start_url"}
	titleNames   = []string{"name", "title", "text", "label"}
	kindNames    = []string{"kind", "schema"}
)

func placeOf(header []string, names []string) int {
	for _, name := range names {
		if at := slices.IndexFunc(header, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), name) }); at >= 0 {
			return at
		}
	}
	return -1
}

// csvSites reads a table whose header names a column of addresses; nil where there is none.
func csvSites(list string) (all []ListedSite) {
	first, _, _ := strings.Cut(list, "\n")
	for _, comma := range []rune{',', ';', '\t', '|'} {
		if placeOf(strings.Split(strings.ReplaceAll(first, `"`, ""), string(comma)), addressNames) < 0 {
			continue
		}
		in := csv.NewReader(strings.NewReader(list))
		in.Comma, in.FieldsPerRecord, in.LazyQuotes = comma, -1, true
		header, err := in.Read()
		address, title, kind := placeOf(header, addressNames), placeOf(header, titleNames), placeOf(header, kindNames)
		if err != nil || address < 0 {
			return nil
		}
		cell := func(row []string, at int) string {
			if at < 0 || at >= len(row) {
				return ""
			}
			return strings.TrimSpace(row[at])
		}
		for {
			row, err := in.Read()
			if err != nil {
				return all
			}
			line, _ := in.FieldPos(0)
			if url := cell(row, address); url != "" {
				all = append(all, ListedSite{Line: line, URL: url, Name: cell(row, title), Kind: cell(row, kind)})
			}
		}
	}
	return nil
}

// opmlSites are the outlines of a list of feeds that have an address.
func opmlSites(list string) (all []ListedSite, err error) {
	in := xml.NewDecoder(strings.NewReader(list))
	in.Strict, in.Entity = false, xml.HTMLEntity
	in.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // it is UTF-8 by now
	for {
		token, err := in.Token()
		if err == io.EOF {
			return all, nil
		}
		if wrong := (*xml.SyntaxError)(nil); errors.As(err, &wrong) && wrong.Msg == "unexpected EOF" {
			return nil, curlew.ProblemIn("list", "it ends in the middle of the OPML: it was cut off, get the whole file again")
		}
		if err != nil {
			return nil, curlew.ProblemIn("list", "it is no OPML: "+text.Clip(err.Error(), 100))
		}
		start, ok := token.(xml.StartElement)
		if !ok || !strings.EqualFold(start.Name.Local, "outline") {
			continue
		}
		var names, values []string
		for _, a := range start.Attr {
			names, values = append(names, a.Name.Local), append(values, a.Value)
		}
		line, _ := in.InputPos()
		if at := placeOf(names, []string{"xmlUrl", "url", "htmlUrl"}); at >= 0 && values[at] != "" {
			one := ListedSite{Line: line, URL: strings.TrimSpace(values[at])}
			if at := placeOf(names, []string{"title", "text"}); at >= 0 {
				one.Name = strings.TrimSpace(values[at])
			}
			all = append(all, one)
		}
	}
}

var (
	startURLs = regexp.MustCompile(`(?m)^\s*start_urls\s*(?::[^=\n]+)?=`)
	literals  = regexp.MustCompile(`"([^"\n]*)"|'([^'\n]*)'|#[^\n]*|[\])]`)
)

// spiderSites are the addresses that spiders of Scrapy begin with, where they are written out.
func spiderSites(program string) (all []ListedSite, err error) {
	for _, at := range startURLs.FindAllStringIndex(program, -1) {
		open := strings.IndexAny(program[at[1]:], "[(\n")
		if open < 0 || program[at[1]+open] == '\n' {
			return nil, curlew.ProblemIn("list", "start_urls is no list that is written out: give the addresses line by line")
		}
		for _, m := range literals.FindAllStringSubmatchIndex(program[at[1]+open+1:], -1) {
			begin := at[1] + open + 1
			word := program[begin+m[0] : begin+m[1]]
			if word == "]" || word == ")" {
				break
			}
			if word[0] != '#' {
				all = append(all, ListedSite{Line: 1 + strings.Count(program[:begin+m[0]], "\n"), URL: word[1 : len(word)-1]})
			}
		}
	}
	return all, nil
}

// jsonSites reads a list of addresses or of objects that have one, JSON lines, or what changedetection.io keeps.
func jsonSites(list string) (all []ListedSite, err error) {
	in := json.NewDecoder(strings.NewReader(list))
	for {
		var value any
		if err := in.Decode(&value); err == io.EOF {
			break
		} else if errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, curlew.ProblemIn("list", "it ends in the middle of the JSON: it was cut off, get the whole file again")
		} else if err != nil {
			return nil, curlew.ProblemIn("list", text.Clip(text.JSONProblem(err), 140))
		}
		all = append(all, sitesIn(value, 0)...)
	}
	for i := range all {
		all[i].Line = i + 1
	}
	return all, nil
}

// deepestList is how deep in a file its sites may be.
const deepestList = 4

// sitesIn are the sites of a value: a text, an object with an address, or what is in it.
func sitesIn(value any, depth int) (all []ListedSite) {
	switch v := value.(type) {
	case string:
		return []ListedSite{{URL: v}}
	case []any:
		for _, one := range v {
			if _, nested := one.([]any); !nested && depth < deepestList {
				all = append(all, sitesIn(one, depth+1)...)
			}
		}
	case map[string]any:
		if one := siteIn(v); one.URL != "" {
			return []ListedSite{one}
		}
		if watching, ok := v["watching"]; ok {
			return sitesIn(watching, depth+1)
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if inner, ok := v[key].(map[string]any); ok && depth < deepestList { // by their ids
				all = append(all, sitesIn(inner, depth+1)...)
			}
		}
	}
	return all
}

// siteIn is the site that an object describes. A watch of changedetection.io on one part of a page is of the kind page.
func siteIn(v map[string]any) (one ListedSite) {
	keys := slices.Sorted(maps.Keys(v))
	get := func(names []string) string {
		if at := placeOf(keys, names); at >= 0 {
			found, _ := v[keys[at]].(string)
			return strings.TrimSpace(found)
		}
		return ""
	}
	one = ListedSite{URL: get(addressNames), Name: get(titleNames), Kind: get(kindNames)}
	if paused, _ := v["paused"].(bool); paused {
		one.Why = "it is paused there"
	}
	if parts, _ := v["include_filters"].([]any); len(parts) == 1 {
		part, _ := parts[0].(string)
		if css := strings.TrimSpace(part); css != "" && !otherFilter.MatchString(css) {
			one.Kind, one.Region = string(curlew.SchemaPage), css
		}
	}
	return one
}

// otherFilter is a part of a page that no CSS selector names.
var otherFilter = regexp.MustCompile(`^(?:[/(]|(?:xpath1?|json|jq|jqraw):)`)

// zippedSites are those of a backup of changedetection.io.
func zippedSites(list []byte) (all []ListedSite, err error) {
	file, err := zip.NewReader(bytes.NewReader(list), int64(len(list)))
	if err != nil {
		return nil, curlew.ProblemIn("list", "the archive cannot be opened: unpack it, and import the list in it")
	}
	left := int64(mostUnpacked)
	read := func(part *zip.File) ([]byte, error) {
		opened, err := part.Open()
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		raw, err := io.ReadAll(io.LimitReader(opened, left))
		left -= int64(len(raw))
		return raw, err
	}
	for _, want := range []func(string) bool{
		func(name string) bool { return name == "url-watches.json" || name == "changedetection.json" },
		func(name string) bool { return path.Base(name) == "watch.json" },
		func(name string) bool { return name == "url-list.txt" },
	} {
		for _, part := range file.File {
			if !want(part.Name) || left <= 0 {
				continue
			}
			raw, err := read(part)
			if err != nil {
				return nil, curlew.ProblemIn("list", "the archive is damaged: unpack it, and import the list in it")
			}
			if some, err := readSiteList(raw); err == nil {
				all = append(all, some...)
			}
		}
		if len(all) > 0 {
			break
		}
	}
	for i := range all {
		all[i].Line = i + 1
	}
	return all, nil
}
