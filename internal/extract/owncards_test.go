package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
)

// ownCourses are courses as a school has them: title, level, sessions, teacher, start, fee.
var ownCourses = [][]string{
	{"Spanish for beginners", "A1", "12", "Ana Ruiz", "11 January 2027", "€ 149.00"},
	{"Spanish conversation", "B1", "10", "Ana Ruiz", "12 January 2027", "€ 139.00"},
	{"German intensive", "B2", "20", "Jonas Weber", "13 January 2027", "€ 320.00"},
	{"Watercolour painting", "All", "8", "Mia Holm", "14 January 2027", "€ 98.50"},
	{"Photography basics", "Beginner", "6", "Tom Reed", "15 January 2027", "€ 120.00"},
	{"Excel advanced", "Advanced", "2", "Lena Kurz", "16 January 2027", "€ 85.00"},
}

func ownCourse() curlew.Schema {
	return curlew.Schema{Name: "course", Title: "title", Fields: []curlew.Field{{Name: "title", Type: curlew.TypeText, Required: true},
		{Name: "published", Type: curlew.TypeDate}, {Name: "level", Type: curlew.TypeText}, {Name: "sessions", Type: curlew.TypeInteger},
		{Name: "teacher", Type: curlew.TypeText}, {Name: "starts", Type: curlew.TypeDate}, {Name: "fee", Type: curlew.TypeMoney}}}.Completed()
}

// courseCards are designs of the card of a course: its number, then what it has.
var courseCards = map[string]string{
	"facts with colons": `<article class="card"><h2><a href="/c/%d">%s</a></h2><ul class="facts"><li>Level: %s</li><li>Sessions: %s</li>` +
		`<li>Teacher: %s</li><li>Starts: %s</li></ul><p class="card__fee">%s</p><a class="btn" href="/book">Book now</a></article>`,
	"pairs of elements": `<li><a href="/c/%d"><h3>%s</h3></a><div><span>Level</span><span>%s</span></div><div><span>Sessions</span><span>%s</span></div>` +
		`<div><span>Teacher</span><span>%s</span></div><div><span>Starts</span><span>%s</span></div><strong>%s</strong></li>`,
	"lists of terms": `<div class="col"><div class="box"><a href="/c/%d">Details</a><h3>%s</h3><dl><dt>Level</dt><dd>%s</dd><dt>Sessions</dt><dd>%s</dd>` +
		`<dt>Teacher</dt><dd>%s</dd><dt>Starts</dt><dd>%s</dd><dt>Fee</dt><dd>%s</dd></dl></div></div>`,
	"lines of a paragraph":          `<article><h2><a href="/c/%d">%s</a></h2><p>Level: %s<br>Sessions: %s<br>Teacher: %s<br>Starts: %s<br>Fee: %s</p></article>`,
	"one line, parted by bars":      `<article><h2><a href="/c/%d">%s</a></h2><p>Level: %s | Sessions: %s | Teacher: %s | Starts: %s | Fee: %s</p><p>Bring a pen</p></article>`,
	"one line, parted by dots":      `<li><a href="/c/%d">%s</a><span>Level: %s · Sessions: %s · Teacher: %s · Starts: %s · Fee: %s</span></li>`,
	"one line, with labels in bold": `<li><h3><a href="/c/%d">%s</a></h3><p><b>Level:</b> %s | <b>Sessions:</b> %s | <b>Teacher:</b> %s | <b>Starts:</b> %s | <b>Fee:</b> %s</p></li>`,
	"one text, parted by semicolons": `<div class="c"><h3>%[2]s</h3><div>Level: %[3]s; Sessions: %[4]s; Teacher: %[5]s; Starts: %[6]s; Fee: %[7]s</div>` +
		`<a href="/c/%[1]d">Book now</a></div>`,
	"lines that only the style keeps apart": "<div><h3><a href='/c/%d'>%s</a></h3><p style='white-space:pre-line'>Level: %s\nSessions: %s\nTeacher: %s\nStarts: %s\nFee: %s</p></div>",
	"labels without a colon": `<li class="c"><h3><a href="/c/%d">%s</a></h3><span>Level %s</span><span>%s sessions</span><span>Teacher %s</span>` +
		`<span>Starts %s</span><span>Fee %s</span></li>`,
	"rows of a table inside": `<section class="c"><h3><a href="/c/%d">%s</a></h3><table><tr><th>Level</th><td>%s</td></tr><tr><th>Sessions</th><td>%s</td></tr>` +
		`<tr><th>Teacher</th><td>%s</td></tr><tr><th>Starts</th><td>%s</td></tr></table><div class="price">%s</div></section>`,
}

func cardPage(card string) Material {
	var b strings.Builder
	b.WriteString(`<html lang=en><body><nav><a href="/">Home</a> <a href="/courses">Courses</a> <a href="/about">About us</a></nav><main><h1>Courses</h1><div class="grid">`)
	for i, c := range ownCourses {
		fmt.Fprintf(&b, card, 100+i, c[0], c[1], c[2], c[3], c[4], c[5])
	}
	b.WriteString("</div></main><footer><p>Riverside School, 12 Mill Lane</p></footer></body></html>")
	return Material{Body: []byte(b.String()), ContentType: "text/html", URL: "https://school.test/courses", Now: time.Date(2026, 11, 17, 8, 0, 0, 0, time.UTC)}
}

// A card is one record, whatever stands inside of it, and each of its facts is in the field that the label names.
func TestTheCardsOfAListAreRecordsOfAnOwnKind(t *testing.T) {
	kind := ownCourse()
	for name, card := range courseCards {
		t.Run(name, func(t *testing.T) {
			readings := Extract(t.Context(), cardPage(card), ExtractOptions{Schema: kind.Name, Own: &kind, Asserted: true}).Readings
			if len(readings) != len(ownCourses) {
				t.Fatalf("%d records, want %d", len(readings), len(ownCourses))
			}
			for i, c := range ownCourses {
				t.Run(fmt.Sprint(i), func(t *testing.T) {
					starts, _ := time.Parse("2 January 2006", c[4])
					want := fmt.Sprint(map[string]any{"title": c[0], "level": c[1], "sessions": c[2], "teacher": c[3], "starts": starts.Format(time.DateOnly),
						"fee": strings.NewReplacer("€ ", "", ".", "").Replace(c[5]), "currency": "EUR"})
					have := map[string]any{}
					for field, value := range readings[i].Record.Fields {
						have[field] = fmt.Sprint(value)
					}
					if fmt.Sprint(have) != want {
						t.Errorf("read %v, want %v", have, want)
					}
				})
			}
		})
	}
}

// Two flats with the same heading are two, and a column keeps its meaning in a record that lacks another.
func TestFlatsWithPairsOfLabelAndValueAreAnOwnKind(t *testing.T) {
	kind := curlew.Schema{Name: "flat", Title: "title", Fields: []curlew.Field{{Name: "title", Type: curlew.TypeText, Required: true},
		{Name: "address", Type: curlew.TypePlace}, {Name: "zimmer", Type: curlew.TypeNumber}, {Name: "groesse", Type: curlew.TypeNumber, Labels: []string{"Größe"}},
		{Name: "kaltmiete", Type: curlew.TypeMoney}, {Name: "kaution", Type: curlew.TypeMoney}, {Name: "frei_ab", Type: curlew.TypeDate}}}.Completed()
	flats := [][]string{{"Helle Wohnung am Park", "Lindenstraße 12, Berlin", "3", "78 m²", "1.250 €", "01.03.2027"},
		{"Altbau mit Stuck", "Goethestr. 4, Berlin", "4", "112 m²", "1.890 €", "15.02.2027"}, {"Studio im Zentrum", "Hauptstr. 77, Potsdam", "1", "34 m²", "640 €", "01.02.2027"},
		{"Haus mit Garten", "Am Anger 3, Potsdam", "5", "140 m²", "", "01.04.2027"}, {"Studio im Zentrum", "Seeweg 9, Berlin", "2", "61 m²", "1.120 €", "01.05.2027"}}
	var b strings.Builder
	b.WriteString("<html lang=de><body><h1>Freie Wohnungen</h1><section>")
	for i, f := range flats {
		fmt.Fprintf(&b, `<div class="expose"><a href="/w/%d"><img src="/i/%[1]d.jpg" alt=""></a><div class="body"><h3><a href="/w/%[1]d">%s</a></h3><p class="addr">%s</p>`+
			`<div class="kv"><div><span class="k">Zimmer</span> <span class="v">%s</span></div><div><span class="k">Größe</span> <span class="v">%s</span></div>`, i+1, f[0], f[1], f[2], f[3])
		if f[4] != "" {
			fmt.Fprintf(&b, `<div><span class="k">Kaltmiete</span> <span class="v">%s</span></div>`, f[4])
		}
		fmt.Fprintf(&b, `<div><span class="k">Frei ab</span> <span class="v">%s</span></div></div></div></div>`, f[5])
	}
	m := Material{Body: []byte(b.String() + "</section></body></html>"), ContentType: "text/html", URL: "https://wohnen.test/", Now: time.Date(2026, 11, 17, 8, 0, 0, 0, time.UTC)}
	readings := Extract(t.Context(), m, ExtractOptions{Schema: kind.Name, Own: &kind, Asserted: true}).Readings
	if len(readings) != len(flats) {
		t.Fatalf("%d records, want %d", len(readings), len(flats))
	}
	rents := []any{int64(125000), int64(189000), int64(64000), nil, int64(112000)}
	for i, f := range flats {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			have := readings[i].Record
			day, _ := time.Parse("02.01.2006", f[5])
			want := map[string]any{"title": f[0], "address": f[1], "kaltmiete": rents[i], "kaution": nil, "frei_ab": day.Format(time.DateOnly)}
			for field, value := range want {
				t.Run(field, func(t *testing.T) {
					if have.Fields[field] != value {
						t.Errorf("flat %d: %s is %v, want %v", i, field, have.Fields[field], value)
					}
				})
			}
			if fmt.Sprint(have.Fields["zimmer"], " ", have.Fields["groesse"], " m²") != f[2]+" "+f[3] {
				t.Errorf("flat %d: %v rooms on %v, want %s on %s", i, have.Fields["zimmer"], have.Fields["groesse"], f[2], f[3])
			}
			if have.URL != fmt.Sprintf("https://wohnen.test/w/%d", i+1) {
				t.Errorf("flat %d has the address %q", i, have.URL)
			}
		})
	}
}

// A kind without a field for the address of a thing has things with addresses all the same, also by learned rules.
func TestLearnedRulesKeepTheAddressesOfAnOwnKind(t *testing.T) {
	kind := ownCourse()
	for _, name := range []string{"facts with colons", "pairs of elements"} {
		t.Run(name, func(t *testing.T) {
			m := cardPage(courseCards[name])
			drafts := induce.ReadPage(t.Context(), m.Document(), m.Now, kind, induce.DayRange{})
			b, _, err := induce.Learn(t.Context(), kind, []induce.Read{{Document: m.Document(), Now: m.Now, Drafts: drafts}})
			if err != nil {
				t.Fatal(err)
			}
			rules, err := Compile(b)
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range rules.Apply(t.Context(), m, ApplyOptions{}).Readings {
				if r.Record.URL != fmt.Sprintf("https://school.test/c/%d", 100+i) {
					t.Errorf("%s: %q has the address %q", name, r.Record.Fields["title"], r.Record.URL)
				}
			}
		})
	}
}
