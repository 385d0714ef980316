package app

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/ops/guard"
)

// zipped is an archive of some files.
func zipped(t testing.TB, files map[string]string) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, text := range files {
		part, err := w.Create(name)
		if err == nil {
			_, err = part.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const detected = `{"settings":{"application":{}},"watching":{
 "0b5d":{"url":"https://example.org/a","title":"A","tags":["x"],"paused":false,"include_filters":[]},
 "1c6e":{"url":"https://example.org/b","title":null,"paused":false,"include_filters":["#hours"]},
 "2d7f":{"url":"https://example.org/c","paused":true},
 "3e80":{"url":"https://example.org/d","include_filters":["xpath://div"]}}}`

const detectedSites = "1 https://example.org/a A|2 https://example.org/b [page #hours]|3 https://example.org/c (it is paused there)|4 https://example.org/d"

func TestListsOfSitesAreReadInTheFormatsThatPeopleHave(t *testing.T) {
	for name, c := range map[string]struct{ list, want string }{
		"lines":              {"# mine\nhttps://example.org/a\n\n  https://example.org/b tag1, tag2\r\n", "2 https://example.org/a|4 https://example.org/b"},
		"with a mark":        {"\xEF\xBB\xBFhttps://example.org/a", "1 https://example.org/a"},
		"CSV":                {"Name,URL,Kind\n\"Jazz, live\",https://example.org/a,event\n,https://example.org/b,\nnothing,,\n", "2 https://example.org/a Jazz, live [event]|3 https://example.org/b"},
		"CSV by semicolons":  {"website;title\nhttps://example.org/a;A\n", "2 https://example.org/a A"},
		"OPML":               {"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml><body><outline text=\"News\">\n<outline type=\"rss\" text=\"A &amp; B\" xmlUrl=\"https://example.org/a.xml\" htmlUrl=\"https://example.org/\"/>\n</outline><outline text=\"C\" htmlUrl=\"https://example.org/c\"/></body></opml>", "3 https://example.org/a.xml A & B|4 https://example.org/c C"},
		"changedetection.io": {detected, detectedSites},
		"its backup":         {zipped(t, map[string]string{"url-watches.json": detected, "url-list.txt": "https://example.org/z", "0b5d/history.txt": "x"}), detectedSites},
		"a newer backup":     {zipped(t, map[string]string{"changedetection.json": `{"settings":{}}`, "0b5d/watch.json": `{"url":"https://example.org/a","title":"A"}`}), "1 https://example.org/a A"},
		"a backup's list":    {zipped(t, map[string]string{"url-list.txt": "https://example.org/z\n"}), "1 https://example.org/z"},
		"its API":            {`{"0b5d":{"url":"https://example.org/a","title":"A"}}`, "1 https://example.org/a A"},
		"JSON of addresses":  {`["https://example.org/a", "https://example.org/b"]`, "1 https://example.org/a|2 https://example.org/b"},
		"JSON lines":         {"{\"url\":\"https://example.org/a\",\"title\":\"A\"}\n{\"url\":\"https://example.org/b\"}\n", "1 https://example.org/a A|2 https://example.org/b"},
		"Scrapy": {"import scrapy\n\nclass Quotes(scrapy.Spider):\n    name = \"quotes\"\n    start_urls: list[str] = [\n        \"https://example.org/a\",  # first\n        'https://example.org/b',\n    ]\n" +
			"    allowed = [\"elsewhere\"]\nclass Other(scrapy.Spider):\n    start_urls = (\"https://example.org/c\",)\n", "6 https://example.org/a|7 https://example.org/b|11 https://example.org/c"},
	} {
		t.Run(name, func(t *testing.T) {
			all, err := ReadSiteList([]byte(c.list))
			var got []string
			for _, s := range all {
				one := strings.TrimSpace(fmt.Sprintf("%d %s %s", s.Line, s.URL, s.Name))
				if about := strings.TrimSpace(s.Kind + " " + s.Region); about != "" {
					one += " [" + about + "]"
				}
				if s.Why != "" {
					one += " (" + s.Why + ")"
				}
				got = append(got, one)
			}
			if text := strings.Join(got, "|"); text != c.want || err != nil {
				t.Errorf("%s: %s (%v), want %s", name, text, err, c.want)
			}
		})
	}
}

func TestListsThatCannotBeReadSayWhatToDo(t *testing.T) {
	for list, want := range map[string]string{
		"":                                     "list: there is no address in it: write one on each line",
		"# only this":                          "list: there is no address in it",
		"{\"url\":":                            "list: it ends in the middle of the JSON",
		"<opml><":                              "list: it ends in the middle of the OPML",
		"{\"url\": x}":                         "list: it is not JSON from character 9 on",
		"<opml><outline =/>":                   "list: it is no OPML",
		"\xff\xfeh\x00t\x00":                   "list: it is no text in UTF-8",
		"PK\x03\x04 and no more":               "list: the archive cannot be opened: unpack it",
		"class S:\n  start_urls = read()\n":    "", // nothing is written out
		"class S:\n  start_urls = make_them\n": "list: start_urls is no list that is written out",
		strings.Repeat("https://example.org/\n", 2001): "list: it has 2001 addresses: import at most 2000 at a time",
	} {
		t.Run(list, func(t *testing.T) {
			_, err := ReadSiteList([]byte(list))
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%.40q: %v, want %s", list, err, want)
			}
		})
	}
}

func FuzzReadSiteList(f *testing.F) {
	for _, seed := range []string{"https://example.org/", "url,name\n", detected, "<opml><outline xmlUrl='x'/>", "start_urls = ['a'", zipped(f, map[string]string{"url-list.txt": "x"})} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, list []byte) {
		all, err := ReadSiteList(list)
		if (err == nil) != (len(all) > 0) {
			t.Errorf("%d sites and %v", len(all), err)
		}
	})
}

func TestAListThatBreaksItsReaderIsToldInASentence(t *testing.T) {
	before := guard.Panics()[guard.List]
	_, err := guardedList([]byte("a list"), func(list []byte) ([]ListedSite, error) { return []ListedSite{{URL: string(list[:9])}}, nil })
	if want := "list: the list made a reader fail: please report it with the list"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if n := guard.Panics()[guard.List] - before; n != 1 {
		t.Errorf("counted %d panics", n)
	}
}
