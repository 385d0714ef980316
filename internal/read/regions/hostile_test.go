package regions

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

// hostilePages are large and shaped to be slow.
func hostilePages() growth.Inputs {
	fill, number := growth.Fill, growth.Number
	kinds, letters := "", ""
	for i := range 6 * 26 {
		kinds += fmt.Sprintf("<h%d>a</h%[1]d><p class=%[2]c>b</p>", i%6+1, 'a'+i%26)
		letters += `<div class="` + strings.Repeat(string(rune('a'+i%26)), i%20+1) + ` k">x</div>`
	}
	return growth.Inputs{
		"one list":              fill("", "<li>a</li>", ""),
		"own classes":           number("", `<div class="a# b# c d e">x</div>`, ""),
		"letters as classes":    fill("", letters, ""),
		"deep":                  fill("", "<div>x", ""),
		"deep, again and again": fill("", strings.Repeat("<div>x", 300)+strings.Repeat("</div>", 300), ""),
		"rows in rows":          fill("", "<table><tr><td>x<td>y<tr><td>1<td>2", ""),
		"wide spans":            fill("", "<table><tr><th>a<th>b<tr><td rowspan=60000 colspan=200>1<td>2", ""),
		"breaks":                fill("", "a<br>", ""),
		"headings":              fill("", "<h2>a</h2><p>b</p>", ""),
		"kinds of siblings":     fill("", kinds, ""),
		"one long text":         fill("<ul><li>", "word ", ""),
		"links":                 number("", "<a href=#>#</a>", ""),
		"dates":                 fill("", "<li><b>12 March 2026</b> 12:00 – 14:00 <i>€ 12,00</i></li>", ""),
	}
}

func TestHostilePagesAreBounded(t *testing.T) {
	hostilePages().Check(t, 1<<20, func(body string) func() {
		d := dom.New([]byte(body), "https://example.org/")
		d.Tree()
		return func() {
			Regions(t.Context(), d, Options{})
			Items(t.Context(), d, Options{})
		}
	})
}
