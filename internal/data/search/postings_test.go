package search

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestASheetGivesBackWhatWasWritten(t *testing.T) {
	var things [][]string
	for n := range PerBlock {
		words := []string{"=active", fmt.Sprintf("n%02d", n), "zebra"}
		if n%2 == 0 {
			words = slices.Insert(words, 1, "even")
		}
		things = append(things, words)
	}
	block := Write(things)
	if got := block.Read(PerBlock); !reflect.DeepEqual(got, things) {
		t.Errorf("read back are %q", got)
	}
	for text, want := range map[string]int{"zebra": 64, "z": 64, "even": 32, "n": 64, "n1": 10, "n63": 1, "even n1": 5, "even n63": 0, "zebras": 0, "active": 0, "ze n07 ZEBRA": 1} {
		t.Run(text, func(t *testing.T) {
			q, err := ParseQuery(text)
			if got := block.Find(q); err != nil || got.Size() != want || len(got.Places()) != want {
				t.Errorf("%q is found %d times (%v), want %d", text, got.Size(), err, want)
			}
		})
	}
	q, _ := ParseQuery("even")
	if got := block.Find(q).Places(); got[0] != 62 || got[31] != 0 {
		t.Errorf("the places are %v, want the last one first", got)
	}
	for _, damaged := range []Postings{"", "\n", "even", block[:100], block[1:], "\neven\n", "\neven ~~~\x00\n", "\n even 0"} {
		damaged.Find(q)
		damaged.Read(3)
	}
}

// hamlet is one of a theatre's events.
func hamlet() curlew.Entity {
	return curlew.Entity{Source: "src_1", Schema: curlew.SchemaEvent, Status: curlew.EntityActive, ExternalID: "show-17", Fields: curlew.Values{
		"title": "Hamlet", "performers": []string{"Ana Đurić", "Bo"}, "venue_name": "Großes Haus", "description": "A ghost walks.", "price_min": 1200, "country": nil}}
}

func found(t *testing.T, e curlew.Entity, text string) bool {
	t.Helper()
	q, err := ParseQuery(text)
	if err != nil {
		t.Fatal(err)
	}
	return !q.Hopeless() && Write([][]string{Of(e)}).Find(q) == 1
}

func TestAnEntityIsFoundByTheBeginningsOfItsTellingWords(t *testing.T) {
	product := curlew.Entity{Schema: curlew.SchemaProduct, ExternalID: "p1", Fields: curlew.Values{"name": "Teapot", "sku": "TP-200/b", "gtin": "4006381333931", "brand": "Kähler"}}
	custom := curlew.Entity{Schema: "recipe", Fields: curlew.Values{"dish": "Smørrebrød", "link": "https://example.org/herring", "story": strings.Repeat("once upon ", 40)}}
	item := curlew.Entity{Schema: curlew.SchemaItem, Fields: curlew.Values{"title": "Lot 7", "slots": map[string]string{"artist": "Munch"}}}
	tower := curlew.Entity{Schema: curlew.SchemaEvent, Fields: curlew.Values{"title": "新東京タワー夜景ツアー"}}
	museum := curlew.Entity{Schema: curlew.SchemaEvent, Fields: curlew.Values{"title": "المتحف المصري"}}
	for _, x := range []struct {
		entity curlew.Entity
		text   string
		want   bool
	}{
		{hamlet(), "ham", true}, {hamlet(), "HAMLET durić", true}, {hamlet(), "hamlet grosses ana", true}, {hamlet(), "show-17", true}, {hamlet(), "show17", true},
		{hamlet(), "amlet", false}, {hamlet(), "hamlet macbeth", false}, {hamlet(), "ghost", false}, {hamlet(), "1200", false}, {hamlet(), "event", false},
		{product, "tp200b", true}, {product, "TP-200/B", true}, {product, "400638", true}, {product, "kahler tea", true},
		{custom, "smorre", true}, {custom, "herring", false}, {custom, "once", false}, {item, "munch", true},
		{tower, "東京", true}, {tower, "東京タワー夜景", true}, {tower, "夜", true}, {tower, "京東", false}, {tower, "東京夜景", false}, {tower, "大阪", false},
		{museum, "متحف", true}, {museum, "المتحف", true}, {museum, "مصر", true},
		{hamlet(), "🎭 %", false}, {hamlet(), `ham" OR "x`, false}, {hamlet(), "ham*", true}, {hamlet(), "ham\x00let", false}, {hamlet(), "\u202eham\u200f", true},
	} {
		t.Run(x.text, func(t *testing.T) {
			if got := found(t, x.entity, x.text); got != x.want {
				t.Errorf("%q finds %v: %v, want %v", x.text, x.entity.Fields, got, x.want)
			}
		})
	}
}

func TestFiltersArePartOfAQuery(t *testing.T) {
	block := Write([][]string{Of(hamlet())})
	q, _ := ParseQuery("hamlet")
	for want, asked := range map[Set][]Query{
		1: {Marked(q, curlew.SourceID("src_1")), Marked(q, curlew.EntityActive, curlew.EntityStale), Marked(q, curlew.SchemaName(""))},
		0: {Marked(q, curlew.SourceID("src_")), Marked(q, curlew.EntityStale), Marked(q, curlew.SchemaName("ev ent\n"))},
	} {
		t.Run(fmt.Sprint(want), func(t *testing.T) {
			for i, one := range asked {
				if block.Find(one) != want {
					t.Errorf("%d with filter %d: found %v, want %v", want, i, block.Find(one), want)
				}
			}
		})
	}
}

// Or else what is kept would seem to have changed.
func TestWordsAreTheSameBeforeAndAfterKeeping(t *testing.T) {
	e := hamlet()
	e.Fields["slots"], e.Fields["city"] = map[string]string{"b": "x", "a": "y"}, "\xffbad\u0000text"
	kept := e
	written, err := json.Marshal(e.Fields)
	if err != nil {
		t.Fatal(err)
	}
	kept.Fields = nil
	if err := json.Unmarshal(written, &kept.Fields); err != nil {
		t.Fatal(err)
	}
	for _, schema := range []curlew.SchemaName{curlew.SchemaEvent, curlew.SchemaItem, "custom"} {
		e.Schema, kept.Schema = schema, schema
		if a, b := Of(e), Of(kept); !slices.Equal(a, b) || Sum(a) != Sum(b) {
			t.Errorf("%s: %q before, %q after", schema, a, b)
		}
	}
	if e.Status = curlew.EntityRemoved; Sum(Of(e)) == Sum(Of(kept)) {
		t.Error("a new status does not count")
	}
}

func TestWhatIsTooMuchIsCut(t *testing.T) {
	many := hamlet()
	var names []string
	for n := range 1000 {
		names = append(names, fmt.Sprintf("performer%04d", n))
	}
	many.Fields["performers"] = names
	if n := len(Of(many)); n > most+3 {
		t.Errorf("an entity has %d words", n)
	}
	if !found(t, many, "hamlet performer0003") {
		t.Error("what comes first is not found")
	}
	long := curlew.Entity{Schema: curlew.SchemaEvent, Fields: curlew.Values{"title": "Donaudampfschifffahrtsgesellschaftskapitänsmütze"}}
	if !found(t, long, "Donaudampfschifffahrtsgesellschaftskapitänsmütze") {
		t.Error("a long word does not find itself")
	}
	_, err := ParseQuery(strings.Repeat("a", 10_000))
	if !errors.Is(err, curlew.Code("search_too_long")) {
		t.Errorf("a search of 10 kB: %v", err)
	}
	if q, err := ParseQuery(strings.Repeat("東京", 100)); err != nil || len(q.needs) > mostNeeds {
		t.Errorf("%d needs, %v", len(q.needs), err)
	}
}
