package feasibility

import (
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// Words of no list: what is told of these pages is told by their structure.
func TestPaginationNeedsNoWords(t *testing.T) {
	list := `<ul><li><a href="/x/a">Alpha</a><li><a href="/x/b">Beta</a><li><a href="/x/c">Gamma</a></ul>`
	for what, c := range map[string]struct{ here, links, next string }{
		"Finnish, forward and back":        {"https://s.example/uutiset?page=4", `<a href="?page=3">Taaksepäin</a> <a href="?page=5">Eteenpäin</a>`, "https://s.example/uutiset?page=5"},
		"Finnish, from the second page":    {"https://s.example/uutiset/page/2", `<a href="/uutiset">Taaksepäin</a> <a href="/uutiset/page/3">Eteenpäin</a>`, "https://s.example/uutiset/page/3"},
		"Greek, first page":                {"https://s.example/nea", `<p><a href="/nea?page=2">Συνέχεια στη λίστα</a></p>`, "https://s.example/nea?page=2"},
		"Greek, numbers alone":             {"https://s.example/nea?sel=2", `<p><a href="?sel=1">1</a> 2 <a href="?sel=3">3</a> <a href="?sel=4">4</a></p>`, "https://s.example/nea?sel=3"},
		"Vietnamese, offsets":              {"https://s.example/tin?bd=20", `<a href="?bd=10">Lùi lại</a> | <a href="?bd=30">Xem tới</a>`, "https://s.example/tin?bd=30"},
		"Vietnamese, the head names it":    {"https://s.example/tin", `<link rel="next" href="/tin/trang-2.html"></head><body><a href="/tin/trang-2.html">Xem tới</a>`, "https://s.example/tin/trang-2.html"},
		"Hebrew, from right to left":       {"https://s.example/list/7", `<div dir="rtl"><a href="/list/8">קדימה</a> <a href="/list/6">אחורה</a></div>`, "https://s.example/list/8"},
		"Hebrew, numbers and a last page":  {"https://s.example/list?dap=3", `<div dir="rtl"><a href="?dap=1">1</a> <a href="?dap=2">2</a> <b>3</b> <a href="?dap=4">4</a> … <a href="?dap=19">19</a></div>`, "https://s.example/list?dap=4"},
		"Georgian, a class":                {"https://s.example/siaxle?page=2", `<ul class="pagination"><li class="next"><a href="?page=3">შემდეგი</a></ul>`, "https://s.example/siaxle?page=3"},
		"pictures without words":           {"https://s.example/l?page=2", `<a href="?page=1"><img src="a.png"></a><a href="?page=3"><img src="b.png"></a>`, "https://s.example/l?page=3"},
		"things with numbers are no pages": {"https://s.example/news/123", `<a href="/news/122">Alfa</a> <a href="/news/124">Beeta</a> <a href="/news/125">Gamma</a>`, ""},
		"headlines are no pages":           {"https://s.example/news/123", `<a href="/news/122">Kaupunki avaa uuden kirjaston sataman viereen</a> <a href="/news/124">Lautta kulkee taas huhtikuusta alkaen</a>`, ""},
		"a number that names no page":      {"https://s.example/nea", `<a href="/nea?ekdosi=2">Ειδική έκδοση</a>`, ""},
		"numbered things of a shop":        {"https://s.example/", `<a href="/p/0">Työpöytä 449 €</a> <a href="/p/1">Hylly 3</a> <a href="/p/2">Jakkara 59 €</a> <a href="/p/3">Lamppu</a>`, ""},
		"pages that say their number":      {"https://s.example/nea", `<a href="/nea?page=2">Bladsy 2</a> <a href="/nea?page=3">Bladsy 3</a> <a href="/nea?page=4">Bladsy 4</a>`, "https://s.example/nea?page=2"},
		"a second page and the last":       {"https://s.example/nea", `<a href="/nea?page=2">Συνέχεια</a> <a href="/nea?page=19">Τέλος της λίστας</a>`, "https://s.example/nea?page=2"},
		"the second page of another":       {"https://s.example/forum", `<a href="/thread-one?page=2">Synkha</a>`, ""},
		"the head alone proves nothing":    {"https://s.example/tin", `<link rel="next" href="/bai/khac.html"></head><body><a href="/bai/khac.html">Một bài khác</a>`, ""},
		"what it should lead to is absent": {"https://s.example/info?no=83141", `<a class="prev" href="?no=83140">下</a><a class="next" href="?no=">Next</a>`, ""},
	} {
		t.Run(what, func(t *testing.T) {
			d := dom.New([]byte("<!doctype html><title>List</title>"+c.links+list), c.here)
			if got := ReadPagination(t.Context(), d); got.Next != c.next {
				t.Errorf("%q, want %q (%v)", got.Next, c.next, got.Why)
			}
		})
	}
}

// A way back to where a visitor came from is no way through the list, though its address has a number; where an
// address counts pages, "previous" may lead on.
func TestAWayBackToTheSearchLeadsNotOn(t *testing.T) {
	for link, want := range map[string]string{
		`<a href="./Results?2-1.-lnkPrevious">Back to Archive Search</a>`: "",
		`<a href="/page/2">Previous posts</a>`:                            "https://s.example/page/2",
		`<a href="/2">Older posts</a>`:                                    "https://s.example/2",
	} {
		t.Run(link, func(t *testing.T) {
			page := `<title>List</title>` + link + `<ul><li><a href="/x/a">Alpha</a><li><a href="/x/b">Beta</a></ul>`
			if got := ReadPagination(t.Context(), dom.New([]byte(page), "https://s.example/")); got.Onward() != want {
				t.Errorf("%s: %q, want %q (%v)", link, got.Onward(), want, got.Why)
			}
		})
	}
}

// Without any word of any list, what structure tells stays.
func TestPaginationWithoutTheWordList(t *testing.T) {
	known := wordDirections
	defer func() { wordDirections = known }()
	wordDirections = func() map[string]direction { return nil }
	page := `<title>List</title><ul><li>A<li>B</ul><a href="?page=1">Previous</a> <a href="?page=3">Next</a>`
	if got := ReadPagination(t.Context(), dom.New([]byte(page), "https://s.example/l?page=2")); got.Next != "https://s.example/l?page=3" {
		t.Errorf("%+v", got)
	}
}
