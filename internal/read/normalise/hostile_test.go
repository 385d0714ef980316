package normalise

import (
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

func TestHostileValuesCostLittle(t *testing.T) {
	inputs := growth.Inputs{}
	for name, piece := range map[string]string{
		"amps": "&amp;", "tags": "<b>", "open tags": "<b", "brackets": "<", "digits": "1", "numbers": "1 234 ", "mails": "a@b.example ", "at": "a@", "dots": "a.",
		"spaced": " ", "lines": "\n", "labels": "contact person: ", "names": "Kari Nordmann ", "marks": "\u0301", "joiners": "\u200d", "emoji": "👨\u200d",
		"euros": "5 € ", "entities": "&#38;", "commas": ",", "phones": "+47 912 34 567 ", "nul": "\x00", "bad": "\xff",
	} {
		fill := growth.Fill("", piece, "")
		inputs[name] = func(size int) string { return fill(size / 16) } // each value stands in sixteen fields
	}
	inputs.Check(t, 1<<19, func(value string) func() {
		return func() {
			for _, schema := range []curlew.SchemaName{curlew.SchemaEvent, curlew.SchemaArticle} {
				Record(curlew.Draft{Schema: schema, URL: value, Fields: curlew.Values{"title": value, "description": value, "text": value, "performers": value,
					"url": value, "starts_at": value, "price_min": value, "image_url": value}}, Context{Country: "NO"})
			}
			HTMLHash([]byte(value))
		}
	})
}
