package article

import (
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
)

func TestTheAuthorIsNoDayAndNoNetwork(t *testing.T) {
	for name, byline := range map[string]string{
		"after the day":           `<div class="story-meta byline">February 4, 2019 5:24 PM ET Heard on All Things</div><p class="byline__name">Martin Kaste</p>`,
		"beside a social network": `<div class="byline">By <a href="/mk">Martin Kaste</a> <a href="/tw">Twitter</a></div>`,
	} {
		t.Run(name, func(t *testing.T) {
			doc := dom.New([]byte(`<html lang="en"><head><title>Bump stocks</title></head><body><article><h1>Bump stocks will soon be illegal</h1>`+byline+
				`<p>Owners of the devices have until March to destroy them or hand them over, the agency said on Monday afternoon in a notice.</p>
				<p>Some of them say that they will wait for the courts, which have been asked to stop the rule before it comes into force.</p>
				</article></body></html>`), "https://news.example/bump")
			if a, _ := Read(doc, structured.Read(doc), Options{}); a.Author != "Martin Kaste" {
				t.Errorf("written by %q", a.Author)
			}
		})
	}
}
