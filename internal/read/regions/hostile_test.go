package regions

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"curlew/internal/read/dom"
)

func filled(size int, part func(i int) string) []byte {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteString(part(i))
	}
	return []byte(b.String())
}

// hostilePages are as large as a page may be and shaped to be slow.
func hostilePages() map[string][]byte {
	return map[string][]byte{
		"one list":    filled(megabytes, func(i int) string { return "<li>a</li>" }),
		"own classes": filled(megabytes, func(i int) string { return fmt.Sprintf(`<div class="a%[1]d b%[1]d c d e">x</div>`, i) }),
		"letters as classes": filled(megabytes, func(i int) string {
			return `<div class="` + strings.Repeat(string(rune('a'+i%26)), i%20+1) + ` k">x</div>`
		}),
		"deep":                  filled(megabytes, func(i int) string { return "<div>x" }),
		"deep, again and again": filled(megabytes, func(i int) string { return strings.Repeat("<div>x", 300) + strings.Repeat("</div>", 300) }),
		"rows in rows":          filled(megabytes, func(i int) string { return "<table><tr><td>x<td>y<tr><td>1<td>2" }),
		"wide spans":            filled(megabytes/4, func(i int) string { return "<table><tr><th>a<th>b<tr><td rowspan=60000 colspan=200>1<td>2" }),
		"breaks":                filled(megabytes, func(i int) string { return "a<br>" }),
		"headings":              filled(megabytes, func(i int) string { return "<h2>a</h2><p>b</p>" }),
		"kinds of siblings":     filled(megabytes, func(i int) string { return fmt.Sprintf("<h%d>a</h%[1]d><p class=%[2]c>b</p>", i%6+1, 'a'+i%26) }),
		"one long text":         append([]byte("<ul><li>"), filled(megabytes, func(i int) string { return "word " })...),
		"links":                 filled(megabytes, func(i int) string { return fmt.Sprintf("<a href=%d>%[1]d</a>", i) }),
		"dates":                 filled(megabytes, func(i int) string { return "<li><b>12 March 2026</b> 12:00 – 14:00 <i>€ 12,00</i></li>" }),
	}
}

func TestHostilePagesAreBounded(t *testing.T) {
	for name, body := range hostilePages() {
		t.Run(name, func(t *testing.T) {
			d := dom.New(body, "https://example.org/")
			d.Tree()
			drafts := 0
			took := fastest(func() {
				Regions(d, Options{})
				_, all := Items(d, Options{})
				drafts = len(all)
			})
			t.Logf("%v, %d drafts", took, drafts)
			if took > 2*slowest {
				t.Errorf("regions and items took longer than %v", 2*slowest)
			}
		})
	}
}

// fastest runs something up to three times, for the machine may be busy.
func fastest(do func()) time.Duration {
	best := time.Hour
	for range 3 {
		start := time.Now()
		do()
		if best = min(best, time.Since(start)); best < slowest {
			break
		}
	}
	return best
}
