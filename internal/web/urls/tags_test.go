package urls

import (
	"bytes"
	"fmt"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// tokenizedLinkTags is what linkTags should find, by the tokenizer's word.
func tokenizedLinkTags(page []byte) (tags []byte) {
	tokens := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return tags
		case html.StartTagToken, html.SelfClosingTagToken:
			raw := bytes.Clone(tokens.Raw())
			name, _ := tokens.TagName()
			if isLinkTag(atom.Lookup(name)) {
				tags = append(tags, raw...)
			}
			if atom.Lookup(name) == atom.Noscript {
				tokens.NextIsNotRawText()
			}
		}
	}
}

var tagCases = []string{
	"", "<", "<a", "<a>", "<A HREF=/x>", "a<a/><area><areas><base>", "<a href='>'>x", `<a x"=">">`, `<a "b="x>y">`, "<a =b=c>", "<a b = c>", "<a b=>c", "<a b=c/>d<a>",
	"<a / b>", "<a b/c='>'>", "<a\n\t\f\r>", "<a b='", "<p c=\"<a>\"><a>", "</a b='>'><a>", "</><a>", "</ ><a>", "</1><a>", "<?x<a>><a>", "<!x <a>><a>", "<!><a>", "<!", "<!-", "<!->",
	"<!--><a>", "<!---><a>", "<!----><a>", "<!-- <a> --!><a>", "<!-- --- > <a> --><a>", "<!--a--!-><a>--><a>", "<!doctype html><a>", "<!DOCTYPE a '>'><a>", "<![CDATA[<a>]]><a>",
	"<script><a></script><a>", "<script/><a></script><a>", "<script></script><a>", "<script><!--<script></script><a>--></script><a>", "<SCRIPT><a></scripT x><a>", "<script><a>",
	"<style></styles><a></style><a>", "<title><a></title><a>", "<textarea><a></textarea><a>", "<xmp><a></xmp><a>", "<plaintext><a>", "<iframe><a></iframe><a>", "<noframes><a></noframes><a>",
	"<noembed><a></noembed><a>", "<noscript><a></noscript><a>", "<noscript><script><a></script><a></noscript>", "<titles><a>", "<<a>>", "< a>", "<1a><a>", "<a<b>", "<a\x00><a>", "<ä><a>", "<averylongnameofatag><a>",
}

func TestLinkTags(t *testing.T) {
	for i, page := range tagCases {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got, want := linkTags([]byte(page)), tokenizedLinkTags([]byte(page)); !bytes.Equal(got, want) {
				t.Errorf("%q: %q, not %q", page, got, want)
			}
		})
	}
}

func FuzzLinkTags(f *testing.F) {
	for _, page := range tagCases {
		f.Add([]byte(page))
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		if got, want := linkTags(page), tokenizedLinkTags(page); !bytes.Equal(got, want) {
			t.Errorf("%q: %q, not %q", page, got, want)
		}
	})
}

func FuzzPlainLinks(f *testing.F) {
	for _, raw := range []string{"/", "/a", "//a", "/a//b", "/.", "/a/..", "/a./b", "/~a-b_c/", "/a b", "/%41", "/a;jsessionid=1", "/ä"} {
		f.Add(raw)
	}
	from, err := newResolver("https://example.org:8080/list/?page=1")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got, gotErr := from.resolve(raw)
		want, wantErr := resolver{base: from.base}.resolve(raw)
		if got.String() != want.String() || got.key() != want.key() || (gotErr == nil) != (wantErr == nil) {
			t.Errorf("%q: %q, %v, not %q, %v", raw, got, gotErr, want, wantErr)
		}
	})
}
