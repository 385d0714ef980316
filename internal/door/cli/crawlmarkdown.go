package cli

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/text"
)

// markdownPage is a page of a crawl as Markdown.
type markdownPage struct {
	url, title, text string
	fetched          time.Time
}

func readMarkdown(page curlew.Page, body []byte) markdownPage {
	title, said := materialOf(page, body).Markdown()
	return markdownPage{page.FinalURL, text.Collapse(title), said, page.FetchedAt}
}

// materialOf is a page of a crawl as readers take it.
func materialOf(page curlew.Page, body []byte) extract.Material {
	return extract.Material{Body: body, Charset: page.Charset, ContentType: page.ContentType,
		URL: page.FinalURL, Archived: page.ArchiveRef, Now: page.FetchedAt, Adapter: page.Adapter}
}

// markdownFolder writes a file for each page, and an index of them.
type markdownFolder struct {
	folder string
	index  []string
	taken  map[string]bool
}

func newMarkdownFolder(folder string) (*markdownFolder, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, unwritable(folder, err)
	}
	return &markdownFolder{folder: folder, taken: map[string]bool{}}, nil
}

func (f *markdownFolder) write(page markdownPage) error {
	if page.text == "" {
		return nil
	}
	name := f.name(page.url)
	var out bytes.Buffer
	fmt.Fprintf(&out, "---\ntitle: %q\nurl: %s\nfetched: %s\n---\n\n%s\n",
		page.title, page.url, page.fetched.UTC().Format(time.RFC3339), page.text)
	file := filepath.Join(f.folder, filepath.FromSlash(name))
	err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, out.Bytes(), 0o644))
	if err != nil {
		return unwritable(file, err)
	}
	called := strings.NewReplacer("[", "(", "]", ")").Replace(page.title)
	if called == "" {
		called = name
	}
	f.index = append(f.index, fmt.Sprintf("- [%s](<%s>): <%s>", called, name, page.url))
	return nil
}

// longestName is how many bytes a part of a file's name has at most.
const longestName = 80

// name is the name of the file for an address: its host and path, and a number where another has that.
func (f *markdownFolder) name(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		u = &url.URL{Path: address}
	}
	var parts []string
	for part := range strings.SplitSeq(u.Host+"/"+strings.Trim(u.Path, "/")+"/"+u.RawQuery, "/") {
		part = strings.Map(func(r rune) rune {
			if r == '-' || r == '_' || r == '.' || text.InWord(r) {
				return r
			}
			return '-'
		}, part)
		if part = strings.Trim(text.CutBytes(part, longestName), ".-"); part != "" {
			parts = append(parts, strings.ReplaceAll(part, ".md", "-md")) // a folder is no file of ours
		}
	}
	if len(parts) < 2 {
		parts = append(parts, "index")
	}
	base := strings.Join(parts[:min(len(parts), 12)], "/")
	name := base + ".md"
	for n := 2; f.taken[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s-%d.md", base, n)
	}
	f.taken[strings.ToLower(name)] = true
	return name
}

// close writes the index.
func (f *markdownFolder) close() error {
	slices.Sort(f.index)
	index := filepath.Join(f.folder, "index.md")
	if err := os.WriteFile(index, []byte("# Pages\n\n"+strings.Join(f.index, "\n")+"\n"), 0o644); err != nil {
		return unwritable(index, err)
	}
	return nil
}
