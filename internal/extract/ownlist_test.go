package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
)

// Keywords that a card writes in one line are several, by the readers and by learned rules.
func TestAListInOneLineOfACardIsSeveral(t *testing.T) {
	kind := curlew.Schema{Name: "book", Title: "titel", Fields: []curlew.Field{{Name: "titel", Type: curlew.TypeText, Required: true},
		{Name: "autor", Type: curlew.TypeText}, {Name: "schlagworte", Type: curlew.TypeList}}}.Completed()
	books := [][]string{{"Der Schwarm", "Frank Schätzing", "Thriller, Meer"}, {"Tschick", "Wolfgang Herrndorf", "Jugend, Reise, Freundschaft"},
		{"Momo", "Michael Ende", "Kinder, Fantasie"}, {"Das Parfum", "Patrick Süskind", "Krimi"}, {"Die Vermessung der Welt", "Daniel Kehlmann", "Reise, Forscher"}}
	var b strings.Builder
	b.WriteString(`<html lang=de><title>Bücher</title><body><h1>Neu im Bestand</h1><div class="books">`)
	for i, book := range books {
		fmt.Fprintf(&b, `<div class="book"><h3><a href="/b/%dx">%s</a></h3><p>Autor: %s</p><p>Schlagworte: %s</p></div>`, i, book[0], book[1], book[2])
	}
	m := Material{Body: []byte(b.String() + "</div></body></html>"), ContentType: "text/html", URL: "https://buch.test/", Now: time.Date(2026, 11, 17, 8, 0, 0, 0, time.UTC)}
	read, _, err := induce.Learn(t.Context(), kind, []induce.Read{{Document: m.Document(), Now: m.Now, Drafts: induce.ReadPage(t.Context(), m.Document(), m.Now, kind, induce.DayRange{})}})
	if err != nil {
		t.Fatal(err)
	}
	rules, err := Compile(read)
	if err != nil {
		t.Fatal(err)
	}
	for way, readings := range map[string][]ReadRecord{"readers": Extract(t.Context(), m, ExtractOptions{Schema: kind.Name, Own: &kind, Asserted: true}).Readings,
		"rules": rules.Apply(t.Context(), m, ApplyOptions{}).Readings} {
		t.Run(way, func(t *testing.T) {
			if len(readings) != len(books) {
				t.Fatalf("%s: %d records", way, len(readings))
			}
			for i, r := range readings {
				words, _ := r.Record.Fields["schlagworte"].([]string)
				if strings.Join(words, ", ") != books[i][2] || len(words) != len(strings.Split(books[i][2], ", ")) {
					t.Errorf("%s: %q has the words %q", way, books[i][0], words)
				}
				if seen := r.Record.Provenance["schlagworte"].Seen; seen != curlew.SeenVisible {
					t.Errorf("%s: the words of %q are %s", way, books[i][0], seen)
				}
			}
		})
	}
}
