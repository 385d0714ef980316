package normalise

import (
	"strings"
	"testing"
	"time"

	"curlew/internal/curlew"
)

func TestHostileValuesTakeLittleTime(t *testing.T) {
	const size = 1 << 15 // a quadratic step would still show
	for name, piece := range map[string]string{
		"amps": "&amp;", "tags": "<b>", "open tags": "<b", "brackets": "<", "digits": "1", "numbers": "1 234 ", "mails": "a@b.example ", "at": "a@", "dots": "a.", "spaced": " ", "lines": "\n",
		"labels": "contact person: ", "names": "Kari Nordmann ", "marks": "\u0301", "joiners": "\u200d", "emoji": "👨\u200d", "euros": "5 € ", "entities": "&#38;", "commas": ",", "phones": "+47 912 34 567 ", "nul": "\x00", "bad": "\xff",
	} {
		begin := time.Now()
		value := strings.Repeat(piece, size/len(piece))
		for _, schema := range []curlew.SchemaName{curlew.SchemaEvent, curlew.SchemaArticle} {
			Record(curlew.Draft{Schema: schema, URL: value, Fields: curlew.Values{"title": value, "description": value, "text": value, "performers": value, "url": value, "starts_at": value, "price_min": value, "image_url": value}}, Context{Country: "NO"})
		}
		HTMLHash([]byte(value))
		if took := time.Since(begin); took > 10*time.Second { // the race detector on a busy machine included
			t.Errorf("%s took %v", name, took)
		} else if testing.Verbose() {
			t.Logf("%s took %v", name, took)
		}
	}
}
