package archive

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/curlew-data/curlew/internal/testkit/corpus"
)

// foreign is what other tools wrote and what we must make of it: how many
// records there are, how many of them are not what their digests say (which was
// computed independently too), and whether the file is damaged after them.
var foreign = map[string]struct {
	records, wrong int
	damaged        bool
}{
	"example.warc":                        {records: 6},
	"example.warc.gz":                     {records: 6},
	"example-bad-non-chunked.warc.gz":     {records: 6, wrong: 1}, // one member for all: readable, only not at an offset
	"example-bad.warc.gz.bad":             {records: 6},           // the same
	"example-wrong-chunks.warc.gz":        {records: 2, wrong: 1}, // members begin anywhere
	"example-resource.warc.gz":            {records: 3},
	"example-space-in-target-uri.warc.gz": {records: 2},
	"example-wget-bad-target-uri.warc.gz": {records: 6},
	"example-iana.org-chunked.warc":       {records: 3},
	"example-digest.warc":                 {records: 4, wrong: 1},
	"post-test.warc.gz":                   {records: 6},
	"example.arc":                         {records: 2},
	"example.arc.gz":                      {records: 2},
	"example-trunc.warc":                  {records: 3, damaged: true}, // the third is longer than it says
	"example-space-in-url.arc":            {records: 2, damaged: true}, // the second ends too early
	"bad.arc":                             {records: 0, damaged: true},
}

// TestForeignFiles needs the folder of files by other tools, which is not part
// of the repository. Its log tells the rate.
func TestForeignFiles(t *testing.T) {
	dir := filepath.Dir(corpus.Path(t, "warc"))
	passed := 0
	for name, want := range foreign {
		f, err := os.Open(filepath.Join(dir, "warc", name))
		if err != nil {
			t.Error(err)
			continue
		}
		var records, wrong int
		err = Scan(t.Context(), f, func(rec *WARCRecord) error {
			records++
			if err := rec.Check(); err != nil {
				if _, _, damage := rec.Finish(); damage != nil {
					return damage
				}
				wrong++
				t.Logf("%s: %v", name, err)
			}
			return nil
		})
		_ = f.Close()
		if records != want.records || wrong != want.wrong || (err != nil) != want.damaged {
			t.Errorf("%s: %d records, %d of them wrong, %v; want %+v", name, records, wrong, err, want)
			continue
		}
		if want.damaged {
			wantFault(t, err, "archive_damaged")
		}
		passed++
	}
	t.Logf("archives by other tools: %d of %d as expected", passed, len(foreign))
}
