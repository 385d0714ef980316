package dom

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestScriptsAreFoundWithoutParsing(t *testing.T) {
	cases := []struct{ name, body, want string }{
		{"plain", `<script>a</script><SCRIPT type="Text/JSON; charset=x" id=i src=s.js>b</SCRIPT >`, "a|b"},
		{"not in a comment", `<!-- <script>no</script> --><script>yes</script>`, "yes"},
		{"not in broken comments", `<!--><script>a</script><!-- --!><script>b</script><! x <script>c</script>`, "a|b"},
		{"not in a style", `<style><script>no</script></style><script>yes</script>`, "yes"},
		{"not in a text box or a title", `<title><script>no</script></title><textarea><script>no</script></textarea><script>yes</script>`, "yes"},
		{"not in noscript, iframe or xmp", `<noscript><script>no</script></noscript><iframe><script>no</script></iframe><xmp><script>no</script></xmp>`, ""},
		{"not in an attribute", `<a title="<script>no</script>" x='>'><script>yes</script>`, "yes"},
		{"a string does not end it, its end tag does", `<script>"<\/script>" a</script>b`, `"<\/script>" a`},
		{"an end tag in a string ends it", `<script>"</script>"`, `"`},
		{"escaped twice", `<script><!-- <script>a</script> b --></script>`, `<!-- <script>a</script> b -->`},
		{"escaped once", `<script><!-- a </script> b`, `<!-- a `},
		{"unended", `<script>a`, "a"},
		{"a longer name is another element", `<scripts>a</scripts><script>b</scripts></script>`, "b</scripts>"},
		{"not in a drawing", `<svg><script>no</script><title><script>odd</script></title></svg><script>yes</script>`, "odd|yes"},
		{"after CDATA in a drawing", `<svg><![CDATA[<script>no</script>]]></svg><script>yes</script>`, "yes"},
		{"after a drawing that a paragraph ends", `<svg><title>x</title><p><script>yes</script>`, "yes"},
		{"in a template", `<template><script>a</script></template>`, "a"},
		{"line breaks are alike", "<script>a\r\nb\rc</script>", "a\nb\nc"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := texts(page(c.body).Scripts()); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if problem := disagreement(page(c.body)); problem != "" {
				t.Error(problem)
			}
		})
	}
}

func TestAScriptCarriesItsAttributes(t *testing.T) {
	s := page(`<p>x<script Type=" Application/LD+JSON; charset=utf-8" ID=one data-x="a&amp;b&copy=1" data-x=twice src='/s.js'>1</script>`).Scripts()[0]
	if s.Type != "application/ld+json" || s.ID != "one" || s.Src != "/s.js" || s.Attrs["data-x"] != "a&b&copy=1" {
		t.Errorf("%+v", s)
	}
}

func TestBaseIsNotFooled(t *testing.T) {
	cases := []struct{ name, body, want string }{
		{"none", `<p>`, "https://example.org/a/b"},
		{"absolute", `<base href="https://cdn.example.com/x/">`, "https://cdn.example.com/x/"},
		{"relative", `<base href="../c/">`, "https://example.org/c/"},
		{"without a scheme", `<base href="//other.example/">`, "https://other.example/"},
		{"the first with an address counts", `<base target=_top><base href="/one/"><base href="/two/">`, "https://example.org/one/"},
		{"javascript:", `<base href="javascript:alert(1)">`, "https://example.org/a/b"},
		{"data:", `<base href="data:text/html,x">`, "https://example.org/a/b"},
		{"a bad first one is not replaced", `<base href="javascript:1"><base href="/two/">`, "https://example.org/a/b"},
		{"empty", `<base href="">`, "https://example.org/a/b"},
		{"line breaks and blanks", "<base href=' /x\n/y '>", "https://example.org/x/y"},
		{"commented out", `<!--<base href="/no/">-->`, "https://example.org/a/b"},
		{"in a template", `<template><base href="/no/"></template>`, "https://example.org/a/b"},
		{"entities", `<base href="/x&#x2f;?a&amp;b">`, "https://example.org/x/?a&b"},
		{"no host", `<base href="http://">`, "https://example.org/a/b"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := page(c.body).Base().String(); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func texts(scripts []Script) string {
	var all []string
	for _, s := range scripts {
		all = append(all, s.Text)
	}
	return strings.Join(all, "|")
}

// disagreement says where the scanner and the parser differ on a page, in words.
func disagreement(d *Document) string {
	tree, err := html.Parse(bytes.NewReader(d.Body()))
	if err != nil {
		return ""
	}
	var scripts []Script
	for n := range elements(tree) {
		if n.Data == "script" && n.Namespace == "" {
			s := Script{ID: Attr(n, "id"), Src: Attr(n, "src"), Attrs: map[string]string{}}
			for _, a := range n.Attr {
				s.Attrs[a.Key] = a.Val
			}
			if n.FirstChild != nil {
				s.Text = n.FirstChild.Data
			}
			scripts = append(scripts, s)
		}
	}
	got := d.Scripts()
	if len(got) != len(scripts) {
		return fmt.Sprintf("the scanner finds %d scripts, the parser %d", len(got), len(scripts))
	}
	for i, s := range scripts {
		if g := got[i]; g.Text != s.Text || g.ID != s.ID || g.Src != s.Src || fmt.Sprint(g.Attrs) != fmt.Sprint(s.Attrs) {
			return fmt.Sprintf("script %d: %.200q, the parser has %.200q", i, fmt.Sprint(g), fmt.Sprint(s))
		}
	}
	return ""
}

// FuzzScanner holds the scanner to the tokenizer of x/net/html, token by token.
// What only the parser can know, whether a page is inside a drawing, is left out.
func FuzzScanner(f *testing.F) {
	for _, seed := range []string{
		`<!doctype html><p class="a" b='c' d=e f/>x<!-- y --></p>`, `<script><!--<script></script>--></script>`,
		`<a =b c= d/ e=/>`, `<!-->a<!--->b<!--a--!>c<!--a--!-->d`, `</>a</ b>c<?d>e<!f>`, `<title>&amp;</title><style></sty</style>`,
		`<script><!-- < <script </script>`, `<plaintext></plaintext>`, `a<b`, `<b a="`, `<`, `</`, `<!`, `<!-`, `<!--`, `<!DOCTYPE`,
		"<textarea>\n</TEXTAREA\t>", `<script></script `, `<script/>x</script>`, `<p a=1 a=/>`, `<noscript><p></noscript>`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		body = mend(body)
		if lower := bytes.ToLower(body); bytes.Contains(lower, []byte("<svg")) || bytes.Contains(lower, []byte("<math")) {
			page(string(body)).Scripts()
			return
		}
		z := html.NewTokenizer(bytes.NewReader(body))
		s := scanner{src: body}
		for {
			kind, more := z.Next(), s.next()
			if kind == html.ErrorToken {
				if more {
					t.Fatalf("the scanner goes on at %d: %q", s.from, s.src[s.from:s.to])
				}
				return
			}
			raw := string(z.Raw())
			if !more || raw != string(s.src[s.from:s.to]) || !same(kind, s.kind) {
				t.Fatalf("%v %q, the scanner has %v %q", kind, raw, s.kind, s.src[s.from:s.to])
			}
			sameTag(t, z, kind, &s)
		}
	})
}

func same(kind html.TokenType, ours tokenKind) bool {
	switch kind {
	case html.TextToken:
		return ours == textToken
	case html.StartTagToken, html.SelfClosingTagToken:
		return ours == startTag
	case html.EndTagToken:
		return ours == endTag
	}
	return ours == comment
}

// sameTag compares the names and values of a start tag.
func sameTag(t *testing.T, z *html.Tokenizer, kind html.TokenType, s *scanner) {
	if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
		return
	}
	token := z.Token()
	if token.Data != lowered(s.name) || token.DataAtom != s.tag && len(s.name) <= 14 {
		t.Fatalf("%v, the scanner has %q", token, s.name)
	}
	seen := map[string]string{}
	for a := s.attributes(); a.next(); {
		if _, twice := seen[lowered(a.key())]; !twice {
			seen[lowered(a.key())] = decoded(a.value())
		}
	}
	if len(seen) != len(token.Attr) {
		t.Fatalf("%v, the scanner has %q", token, seen)
	}
	for _, a := range token.Attr {
		if value, ok := seen[a.Key]; !ok || value != a.Val {
			t.Fatalf("%q=%q, the scanner has %q", a.Key, a.Val, value)
		}
	}
}
