package dom

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// told is what a tree says in elements that belong to a head: each with its path
// and its attributes.
func told(tree *html.Node) []string {
	var all []string
	titled := false
	for n := range elements(tree) {
		switch {
		case n.Data == "html", n.Data == "meta":
		case n.Data == "link":
			relations := strings.Fields(strings.ToLower(Attr(n, "rel")))
			if !slices.ContainsFunc(relations, func(r string) bool { return !LoadingRelation(r) }) {
				continue
			}
		case n.Data == "title" && n.Namespace == "" && !titled:
			titled = true
		default:
			continue
		}
		line := Path(n)
		for _, a := range n.Attr {
			line += " " + a.Key + "=" + a.Val
		}
		if n.Data == "title" && n.FirstChild != nil {
			line += " " + n.FirstChild.Data
		}
		all = append(all, line)
	}
	return all
}

// marked is what the tree says of the syntaxes that occur.
func marked(tree *html.Node) (m SyntaxFlags) {
	for n := range elements(tree) {
		subject := HasAttr(n, "about") || HasAttr(n, "resource")
		predicate := HasAttr(n, "property") || HasAttr(n, "rel") || HasAttr(n, "rev")
		m.Microdata = m.Microdata || HasAttr(n, "itemscope")
		m.RDFa = m.RDFa || HasAttr(n, "typeof") || HasAttr(n, "vocab") || subject && predicate
		m.Microformats = m.Microformats || MicroformatRoot(Attr(n, "class"))
	}
	return m
}

func TestTheHeadTellsWhatTheTreeTells(t *testing.T) {
	for name, c := range map[string]struct {
		page string
		none bool
	}{
		"a plain page":                {page: `<!doctype html><html lang=pl><head><meta charset=utf-8><title>A &amp; B</title><link rel=canonical href=/a></head><body><p>text`},
		"tags left out":               {page: `<meta name=a content=b><title>T</title><script>if (a<b) "<body>"</script><body class=x>text`},
		"text before the body":        {page: `<html><head><title>T</title></head>words<meta name=a><body><p>text`},
		"a stylesheet further down":   {page: `<html><head></head><body><link rel="stylesheet" href=a.css>text`},
		"a picture with a title":      {page: `<html><head><title>T</title></head><body><svg><title>S</title></svg>text`},
		"a long script":               {page: `<html><head><script>` + strings.Repeat("a<b;", 200) + `</script><title>T</title></head><body>text<script>` + strings.Repeat("c", 999) + `</script>`},
		"no body tag":                 {page: `<html><head><title>T</title></head><p>text`, none: true},
		"a meta element further down": {page: `<html><head><title>T</title></head><body><meta name=a content=b>`, none: true},
		"a title further down":        {page: `<html><head></head><body><title>T</title>`, none: true},
		"an icon further down":        {page: `<html><head></head><body><link rel="preload icon" href=a>`, none: true},
		"a second root":               {page: `<html><head></head><body>text<html lang=pl>`, none: true},
		"a table before the body":     {page: `<html><table><meta name=a><body>text`, none: true},
		"a template":                  {page: `<html><head><template><meta name=a></template></head><body>text`, none: true},
	} {
		t.Run(name, func(t *testing.T) {
			d := New([]byte(c.page), "https://example.org/")
			head := d.Head()
			if c.none || head == nil {
				if c.none != (head == nil) {
					t.Fatalf("there is a head: %t", head != nil)
				}
				return
			}
			if got, want := told(head), told(d.Tree()); !slices.Equal(got, want) {
				t.Errorf("the head tells %q, the tree %q", got, want)
			}
		})
	}
}

func TestMarksTellWhichSyntaxesOccur(t *testing.T) {
	for tag, want := range map[string]SyntaxFlags{
		`<div class="card hero vcards">`:            {},
		`<script>"<i itemscope typeof=a>"</script>`: {},
		`<!-- <i itemscope> -->`:                    {},
		`<i ItemScope>`:                             {Microdata: true},
		`<i typeof=Person>`:                         {RDFa: true},
		`<i VOCAB="https://schema.org/">`:           {RDFa: true},
		`<i about="#a">`:                            {},
		`<i about="#a" property=name>`:              {RDFa: true},
		`<a rel=next resource=/2>`:                  {RDFa: true},
		`<i class="a  h-card">`:                     {Microformats: true},
		`<i class=vevent itemscope>`:                {Microdata: true, Microformats: true},
		`<i class="a" class="h-card">`:              {},
		`<i class="h&#45;card">`:                    {Microformats: true},
	} {
		t.Run(tag, func(t *testing.T) {
			if got := New([]byte("<body>"+tag), "").SyntaxFlags(); got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
}

func TestConformanceTheHeadTellsWhatTheTreeTells(t *testing.T) {
	quick, total := 0, 0
	eachPage(t, func(path string, body []byte) {
		total++
		d := New(body, "https://example.org/")
		if seen, there := d.SyntaxFlags(), marked(d.Tree()); there.Microdata && !seen.Microdata || there.RDFa && !seen.RDFa || there.Microformats && !seen.Microformats {
			t.Errorf("%s: the tree has %+v, the bytes %+v", path, there, seen)
		}
		head := d.Head()
		if head == nil {
			return
		}
		quick++
		if got, want := told(head), told(d.Tree()); !slices.Equal(got, want) {
			t.Errorf("%s: the head tells %q, the tree %q", path, got, want)
		}
	})
	t.Logf("dom-head: %d/%d pages whose head can be told without the rest", quick, total)
	if quick < total/2 {
		t.Errorf("only %d of %d", quick, total)
	}
}

func FuzzHead(f *testing.F) {
	f.Add("<html lang=a><head><meta name=a><title>T</title></head><body><p itemscope class=h-card>")
	f.Add("<title>a</title><body><svg><title>b</title><link rel=icon>")
	f.Add("<html><script>a</script></head>x<meta><body><html a=b>")
	f.Fuzz(func(t *testing.T, page string) {
		d := New([]byte(page), "https://example.org/")
		if seen, there := d.SyntaxFlags(), marked(d.Tree()); there.Microdata && !seen.Microdata || there.RDFa && !seen.RDFa || there.Microformats && !seen.Microformats {
			t.Errorf("the tree has %+v, the bytes %+v", there, seen)
		}
		if head := d.Head(); head != nil {
			if got, want := told(head), told(d.Tree()); !slices.Equal(got, want) {
				t.Errorf("the head tells %q, the tree %q", got, want)
			}
		}
	})
}
