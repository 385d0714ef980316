package dom

import (
	"strings"

	"github.com/curlew-data/curlew/internal/text/language"
)

// DeclaredLanguage is the language that the page says it is in, unchecked.
func (d *Document) DeclaredLanguage() string {
	if tag := language.Primary(d.RootLang()); tag != "" {
		return tag
	}
	return language.Claimed(d.languageClaims(), "")
}

// Language is the language of the page. What the page says of itself holds unless its text clearly looks like something else.
func (d *Document) Language() string { return d.spoken() }

// languageClaims are what the page says of its language, the most deliberate first.
func (d *Document) languageClaims() []string {
	var all []string
	n := d.Front()
	if n == nil {
		n = d.Tree()
	}
	for n != nil {
		switch {
		case n.Data == "html":
			all = append(all, Attr(n, "lang"), Attr(n, "xml:lang"))
		case n.Data != "meta":
		case strings.EqualFold(Attr(n, "http-equiv"), "content-language"), strings.EqualFold(Attr(n, "name"), "language"),
			Attr(n, "property") == "og:locale":
			all = append(all, Attr(n, "content"))
		}
		if n.FirstChild != nil && n.Data != "body" { // the head says it
			n = n.FirstChild
			continue
		}
		for n != nil && n.NextSibling == nil {
			n = n.Parent
		}
		if n != nil {
			n = n.NextSibling
		}
	}
	return all
}
