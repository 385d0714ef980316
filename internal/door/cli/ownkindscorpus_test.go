package cli

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
	"github.com/curlew-data/curlew/internal/text"
)

// capturedPage is a real page about one thing, and what people say that it shows.
type capturedPage struct {
	File  string
	Truth struct {
		Title       string
		Ingredients []string
		Price       float64
		Currency    string
	}
}

// capturedCase is a kind of one's own and real pages about single things of it.
type capturedCase struct {
	kind    app.AddKind
	folder  []string
	changes string                                              // the field that changes
	change  func(page string, of capturedPage) (string, bool)   // false where the page does not have the value as it is written down
	wrong   func(thing curlew.Values, of capturedPage) []string // what is not as people say
	right   float64                                             // the least share of pages that are watched rightly from the address alone
	mistook int                                                 // at most so many are watched as something else
}

var capturedCases = []capturedCase{
	{kind: app.AddKind{Name: "recipe", KindFields: app.KindFields{Fields: []curlew.Field{required("name", curlew.TypeText), field("ingredients", curlew.TypeList),
		field("instructions", curlew.TypeList), field("total_time", curlew.TypeDuration), field("author", curlew.TypeText), field("photo", curlew.TypePicture)}}},
		folder: []string{"recipe-scrapers", "dev"}, changes: "ingredients", right: 0.6, mistook: 0,
		change: func(page string, of capturedPage) (string, bool) {
			for _, one := range of.Truth.Ingredients {
				if strings.Contains(page, one) && len(one) > 6 {
					return strings.ReplaceAll(page, one, "7 grains of saffron"), true
				}
			}
			return "", false
		},
		wrong: func(thing curlew.Values, of capturedPage) (all []string) {
			if name := curlew.ValueText(thing["name"]); text.Letters(name) != text.Letters(of.Truth.Title) {
				all = append(all, fmt.Sprintf("it is called %q, not %q", name, of.Truth.Title))
			}
			if list, _ := thing["ingredients"].([]any); len(list) != len(of.Truth.Ingredients) {
				all = append(all, fmt.Sprintf("%d ingredients, not %d", len(list), len(of.Truth.Ingredients)))
			}
			return all
		}},
	{kind: app.AddKind{Name: "home", KindFields: app.KindFields{Fields: []curlew.Field{required("address", curlew.TypeText), field("price", curlew.TypeMoney),
		field("bedrooms", curlew.TypeInteger), field("photo", curlew.TypePicture)}}},
		folder: []string{"property", "dev"}, changes: "price", right: 0.45, mistook: 1, // a page of one home that shows fifteen others
		change: func(page string, of capturedPage) (string, bool) {
			was, is := strconv.Itoa(int(of.Truth.Price)), strconv.Itoa(int(of.Truth.Price*1.01))
			changed := strings.ReplaceAll(page, was, is)
			for _, mark := range []string{",", ".", " ", "\u00a0", "\u202f", "&nbsp;"} {
				changed = strings.ReplaceAll(changed, grouped(was, mark), grouped(is, mark))
			}
			return changed, of.Truth.Price > 0 && changed != page
		},
		wrong: func(thing curlew.Values, of capturedPage) (all []string) {
			if price := curlew.ValueText(thing["price"]); price != strconv.Itoa(int(of.Truth.Price*100)) || of.Truth.Currency != "" && thing["currency"] != of.Truth.Currency {
				all = append(all, fmt.Sprintf("its price is %s %v, not %v %s", price, thing["currency"], of.Truth.Price*100, of.Truth.Currency))
			}
			return all
		}},
}

// grouped writes a number with a mark before every three digits.
func grouped(digits, mark string) string {
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + mark + digits[at:]
	}
	return digits
}

// TestKindsOfOnesOwnOnRealPagesCorpus gives the addresses of real pages with a kind of
// one's own: each becomes one thing, and another value one change of it.
func TestKindsOfOnesOwnOnRealPagesCorpus(t *testing.T) {
	for _, sample := range capturedCases {
		t.Run(string(sample.kind.Name), func(t *testing.T) {
			site := &ownSite{pages: map[string]string{}}
			base := serveFor(t, site)
			h := openServer(t, base)
			use := useCases(h.Installation)
			if _, err := use.AddKind(t.Context(), operator(curlew.DefaultOrg), sample.kind); err != nil {
				t.Fatal(err)
			}
			folder := corpus.Path(t, sample.folder...)
			right, mistook, all := 0, 0, 0
			for n, of := range corpus.Rows[capturedPage](t, filepath.Join(folder, "truth.jsonl")) {
				page := string(corpus.Read(t, filepath.Join(folder, of.File)))
				changed, ok := sample.change(page, of)
				if !ok || n%2 == 1 && sample.kind.Name == "recipe" { // every other one of many is enough
					continue
				}
				all++
				o := ownWatch{h: h, site: site, sample: ownCase{kind: sample.kind}, use: use, path: fmt.Sprintf("/%s/%d", sample.kind.Name, n)}
				if wrong := o.seeCaptured(t, base, sample, of, page, changed); len(wrong) > 0 {
					t.Logf("page %d: %s", n, strings.Join(wrong, "; "))
					if strings.HasSuffix(wrong[0], "things") {
						mistook++
					}
					continue
				}
				right++
			}
			t.Logf("%d of %d pages are watched rightly", right, all)
			if share := float64(right) / float64(max(1, all)); share < sample.right {
				t.Errorf("%.2f of the pages are watched rightly, want %.2f", share, sample.right)
			}
			if mistook > sample.mistook {
				t.Errorf("%d pages are watched as lists of something else", mistook)
			}
		})
	}
}

// seeCaptured watches a real page from its address alone, lets a value change, and says
// what is wrong.
func (o *ownWatch) seeCaptured(t *testing.T, base string, sample capturedCase, of capturedPage, page, changed string) (wrong []string) {
	t.Helper()
	who := operator(curlew.DefaultOrg)
	o.site.put(o.path, page)
	c, err := o.use.ProposeCandidate(t.Context(), who, app.ProposeCandidate{URL: base + o.path, Kind: string(sample.kind.Name)})
	if err != nil {
		t.Fatal(err)
	}
	o.h.rests(t)
	scope := o.h.Store.Org(curlew.DefaultOrg)
	if c, err = scope.Candidates().Get(t.Context(), c.ID); err != nil {
		t.Fatal(err)
	}
	if c.Status != curlew.CandidateDeployed {
		return []string{fmt.Sprintf("the candidate is %s: %s", c.Status, c.LastError)}
	}
	o.watch = c.Watch
	o.h.comesRound(t, o.watch)
	told := o.told(t, 0)
	if len(told) != 1 {
		return []string{curlew.Counted(len(told), "thing")}
	}
	thing, err := scope.Entities().Get(t.Context(), told[0].Entity)
	if err != nil {
		t.Fatal(err)
	}
	wrong = sample.wrong(thing.Fields, of)
	o.site.put(o.path, changed)
	o.h.comesRound(t, o.watch)
	told = o.told(t, 1)
	if len(told) != 1 || told[0].Kind != curlew.EntityChanged || payloadOf(told[0]).Changes[0].Field != sample.changes {
		wrong = append(wrong, fmt.Sprintf("another value was told as %d changes", len(told)))
	}
	return wrong
}
