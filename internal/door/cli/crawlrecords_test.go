package cli

import (
	"strings"
	"testing"
)

// The council writes windows-1252: its pages are decoded once, not twice.
func TestACrawlReadsRecordsInTheCharsetOfThePage(t *testing.T) {
	r := newReader(t)
	code, out, complaint := r.curlew(t.Context(), "crawl", r.site("council"), "--delay", "0s", "--max-pages", "5", "--schema", "event")
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, complaint)
	}
	if !strings.Contains(out, `"schema":"event"`) {
		t.Fatalf("no events: %s", out)
	}
	for _, broken := range []string{"Ã", "â€", "Â"} {
		t.Run(broken, func(t *testing.T) {
			if strings.Contains(out, broken) {
				at := strings.Index(out, broken)
				t.Fatalf("decoded twice: …%s…", out[max(0, at-60):min(len(out), at+60)])
			}
		})
	}
}
