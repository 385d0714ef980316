package match_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/change/match"
)

func record(t *testing.T, fields string) match.Fields {
	t.Helper()
	var r match.Fields
	if err := json.Unmarshal([]byte(fields), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// alone judges one pair by itself.
func alone(t *testing.T, a, b string) match.Decision {
	t.Helper()
	return match.Judge([]match.Pair{{A: record(t, a), B: record(t, b)}})[0]
}

func TestOnePairAlone(t *testing.T) {
	cases := []struct {
		name, a, b string
		same       bool
	}{
		{"the same words in another order and case",
			`{"title": "Garageband Jam Pack: Rhythm Section", "price": "99.0"}`,
			`{"title": "apple garageband jam pack rhythm section", "price": "95.99"}`, true},
		{"other words for one thing", `{"title": "World of Warcraft 60 day pre-paid time card", "price": 29.99}`,
			`{"title": "World of Warcraft: 60-Day Prepaid Card", "price": 27.99}`, true},
		{"words written short", `{"title": "Retrospect Professional 7.5 upgrade for Windows"}`, `{"title": "Retrospect 7.5 Pro Win upg"}`, true},
		{"another size of a product", `{"title": "SanDisk Cruzer Blade USB drive 16 GB"}`, `{"title": "SanDisk Cruzer Blade USB drive 64GB"}`, false},
		{"another colour of a product", `{"title": "iPhone 4 silicone case red"}`, `{"title": "iPhone 4 silicone case green"}`, false},
		{"another model of a maker", `{"title": "Canon toner cartridge", "model": "CRG-731K"}`, `{"title": "Canon toner cartridge", "model": "CRG-054H"}`, false},
		{"the model number is in the title", `{"title": "Heavyweight coated paper", "brand": "HP", "modelno": "Q1413A"}`,
			`{"title": "HP Q1413A universal heavyweight coated paper"}`, true},
		{"persons in another order, with initials", `{"title": "Query processing in streams", "authors": "Rajeev Motwani, Jennifer Widom", "year": 2003}`,
			`{"title": "Query Processing in Streams", "authors": ["J. Widom", "R. Motwani"], "year": "2003"}`, true},
		{"a phone with other signs between", `{"name": "Art's Deli", "phone": "818/762-1221", "city": "Studio City"}`,
			`{"name": "Art's Delicatessen", "phone": "(818) 762 1221", "city": "Los Angeles"}`, true},
		{"one name, another phone and street", `{"name": "Cafe Roma", "addr": "3570 Las Vegas Blvd.", "phone": "702/731-7547"}`,
			`{"name": "Cafe Roma", "addr": "38 Columbus Ave.", "phone": "415-296-7942"}`, false},
		{"another take of a song", `{"song": "Clarity", "artist": "Zedd", "time": "4:31"}`, `{"song": "Clarity (Acoustic)", "artist": "Zedd", "time": "3:12"}`, false},
		{"dates in two ways", `{"title": "Open Air Jazz Night", "date": "2026-05-18", "venue": "Stadtpark"}`,
			`{"title": "Open-air jazz night", "date": "May 18, 2026", "venue": "Stadtpark"}`, true},
		{"scripts without spaces", `{"title": "東京国際フォーラム"}`, `{"title": "東京国際フォーラム ホール"}`, true},
		{"names that share only a place", `{"title": "東京タワー"}`, `{"title": "東京ドーム"}`, false},
		{"nothing in common", `{"title": "Blue Anchor"}`, `{"title": "Golden Palm"}`, false},
		{"nothing at all", `{}`, `{}`, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if v := alone(t, c.a, c.b); v.Same != c.same {
				t.Errorf("same is %v, score %.2f: %s", v.Same, v.Score, strings.Join(v.Why, ", "))
			}
		})
	}
}

func TestTheOrderOfTheTwoChangesNothing(t *testing.T) {
	a := record(t, `{"title": "std edition vldb wi-fi 8dbi", "by": "A. Bee, Cee Dee", "price": "12", "code": "AX-5310"}`)
	b := record(t, `{"title": "standard very large data bases wifi 8 dbi", "by": "Dee, Ann Bee", "price": "13", "code": "ax5310 b"}`)
	there, back := match.Judge([]match.Pair{{A: a, B: b}}), match.Judge([]match.Pair{{A: b, B: a}})
	if !reflect.DeepEqual(there, back) {
		t.Errorf("a, b: %v; b, a: %v", there, back)
	}
}

func TestAFieldThatOneLacksSaysNothing(t *testing.T) {
	a, b := `{"title": "Starry Night Galaxy Explorer"`, `{"title": "Starry Night: Galaxy Explorer"}`
	bare := alone(t, a+`}`, b)
	for _, extra := range []string{`, "phone": "212-555-0134"`, `, "price": null`, `, "price": "n/a"`, `, "year": 1999`} {
		t.Run(extra, func(t *testing.T) {
			if v := alone(t, a+extra+`}`, b); v.Score != bare.Score {
				t.Errorf("with %s the score is %.3f, without %.3f", extra, v.Score, bare.Score)
			}
		})
	}
}

func TestWordsOfManyRecordsSayLittle(t *testing.T) {
	pair := match.Pair{A: record(t, `{"title": "Quarterly bulletin Zanzibar"}`), B: record(t, `{"title": "Quarterly bulletin Timbuktu"}`)}
	among := []match.Pair{pair}
	for i := range 200 {
		r := record(t, fmt.Sprintf(`{"title": "Quarterly bulletin place%c%c"}`, 'a'+i/20, 'a'+i%20))
		among = append(among, match.Pair{A: r, B: r})
	}
	if rare, common := match.Judge([]match.Pair{pair})[0].Score, match.Judge(among)[0].Score; common >= rare {
		t.Errorf("alone %.3f, among many bulletins %.3f", rare, common)
	}
}

func TestABetterPairOfTheInputCounts(t *testing.T) {
	doubtful := match.Pair{A: record(t, `{"title": "Nero 7 Ultra"}`), B: record(t, `{"title": "Nero 7 Ultra Edition Enhanced Suite"}`)}
	better := match.Pair{A: doubtful.A, B: record(t, `{"title": "Nero 7 Ultra"}`)}
	by, beside := match.Judge([]match.Pair{doubtful})[0], match.Judge([]match.Pair{doubtful, better})[0]
	if beside.Score >= by.Score {
		t.Errorf("alone %.3f, beside a better one %.3f", by.Score, beside.Score)
	}
	if said := beside.Why[len(beside.Why)-1]; said != "another record of the input fits better" {
		t.Errorf("why ends with %q", said)
	}
}

func TestAnotherYearOfAColumnIsAnotherThing(t *testing.T) {
	years := func(i int) match.Fields {
		return record(t, fmt.Sprintf(`{"title": "Report from the editor", "authors": "Ann Lee", "year": "%d"}`, 2000+i))
	}
	var pairs []match.Pair
	for i := range 5 {
		for j := range 5 {
			pairs = append(pairs, match.Pair{A: years(i), B: years(j)})
		}
	}
	for i, v := range match.Judge(pairs) {
		if same := i/5 == i%5; v.Same != same {
			t.Errorf("%v and %v: same is %v, score %.2f", pairs[i].A, pairs[i].B, v.Same, v.Score)
		}
	}
}

func TestWhySaysWhatWasCompared(t *testing.T) {
	v := alone(t, `{"title": "Adobe Premiere Pro CS3 Upgrade", "year": "2007", "price": "299"}`,
		`{"title": "Adobe Premiere Pro CS3 upgrade Mac", "year": "2007", "price": "899"}`)
	for _, want := range []string{"same year", "price differs"} {
		t.Run(want, func(t *testing.T) {
			if !slices.Contains(v.Why, want) {
				t.Errorf("why is %q, without %q", v.Why, want)
			}
		})
	}
	if !strings.HasPrefix(v.Why[0], "title .") {
		t.Errorf("why begins with %q", v.Why[0])
	}
	if v := alone(t, `{}`, `{}`); !slices.Equal(v.Why, []string{"nothing to compare"}) {
		t.Errorf("why of empty records is %q", v.Why)
	}
}

func TestNestedValuesAreFields(t *testing.T) {
	r := record(t, `{"name": "Ö&#38;A", "offers": {"price": 12.50, "tags": ["x", null, {"k": "v"}]}, "empty": "", "gone": null}`)
	want := match.Fields{{Name: "name", Value: "Ö&A"}, {Name: "offers price", Value: "12.50"}, {Name: "offers tags", Value: "x, v"}}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("got %q", r)
	}
}

func TestLongTextsAndManyFieldsAreComparedByTheirBeginning(t *testing.T) {
	long := func(first string) match.Fields {
		r := match.Fields{{Name: "title", Value: first + strings.Repeat(" other words x7y9z", 50_000)}}
		for i := range 50_000 {
			r = append(r, match.Field{Name: fmt.Sprint("field ", i), Value: fmt.Sprint(first, i)})
		}
		return r
	}
	if v := match.Judge([]match.Pair{{A: long("Blue Anchor"), B: long("Blue Anchor")}})[0]; !v.Same {
		t.Errorf("the score is %.2f", v.Score)
	}
}

func FuzzJudge(f *testing.F) {
	f.Add(`{"title": "a-1 \u0000 é"}`, `{"x": [1, {"y": "2:30"}]}`)
	f.Add(`{"price": "0"}`, `{"price": "-1"}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		var pair match.Pair
		if json.Unmarshal([]byte(a), &pair.A) != nil || json.Unmarshal([]byte(b), &pair.B) != nil {
			t.Skip()
		}
		if v := match.Judge([]match.Pair{pair})[0]; !(v.Score >= 0 && v.Score <= 1) {
			t.Errorf("the score is %v", v.Score)
		}
	})
}
