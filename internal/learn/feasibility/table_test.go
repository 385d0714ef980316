package feasibility

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/text/wordlist"
)

func TestEmbeddedTablesAreWellFormed(t *testing.T) {
	for name, file := range map[string]string{"paging": pagingFile, "endpoints": endpointsFile} {
		t.Run(name, func(t *testing.T) {
			if _, err := wordlist.Parse(file); err != nil {
				t.Error(err)
			}
		})
	}
	if rows, err := readTable[publication](probesFile); err != nil || len(rows) < 20 {
		t.Errorf("probes: %d rows, %v", len(rows), err)
	}
	if rows, err := readTable[access](accessFile); err != nil || len(rows) < 11 {
		t.Errorf("access: %d rows, %v", len(rows), err)
	}
	if rows, err := readTable[software]([]byte(`[{"name": "A", "sings": []}]`)); err == nil {
		t.Errorf("an unknown field is read: %v", rows)
	}
}

// Lists that are looked up together share no word: which of them would count is left
// to chance.
func TestWordsOfOneLookupAreDisjoint(t *testing.T) {
	seen := map[string]string{}
	for name, list := range paging() {
		if !strings.HasPrefix(name, "begins ") {
			continue
		}
		for _, word := range list.Words {
			if other, ok := seen[word]; ok {
				t.Errorf("%q is in %q and %q", word, name, other)
			}
			seen[word] = name
		}
	}
}
