package normalise

import (
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/text/wordlist"
)

func TestWordFiles(t *testing.T) {
	lists, err := wordlist.Parse(wordsFile)
	if err != nil {
		t.Fatal(err)
	}
	for field, values := range choices {
		t.Run(field, func(t *testing.T) {
			for _, value := range values {
				if lists[field+" "+value] == nil {
					t.Errorf("no words say %s of %s", value, field)
				}
			}
		})
	}
	zones, err := wordlist.Parse(zonesFile)
	if err != nil {
		t.Fatal(err)
	}
	countries := map[string]bool{}
	for zone, list := range zones {
		if _, err := time.LoadLocation(zone); err != nil {
			t.Errorf("%s is no zone: %v", zone, err)
		}
		for _, code := range list.Words {
			if len(code) != 2 || countries[code] {
				t.Errorf("%q is no country, or has two zones", code)
			}
			countries[code] = true
		}
	}
}
