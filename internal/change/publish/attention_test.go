package publish

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestWhatCountsAttentionAndWhatDoesNot(t *testing.T) {
	for i, c := range []struct {
		before, after any
		want          bool
	}{
		{"52 min · 1320 escuchas", "52 min · 1321 escuchas", true},
		{"89 Comments · 5523 views", "1 Comment · 5,600 views", true},
		{"27 people reacted", "31 people reacted", true},
		{"1.2k views", "2m views", true},
		{"Gelesen: 12", "Gelesen: 14", true},
		{"12 личных просмотров", "14 личных просмотров", true},
		{"89条评论", "90条评论", true},
		{"12", "14", false},
		{"4 places left", "2 places left", false},
		{"€ 12", "€ 14", false},
		{"12 reviews by Ann", "14 reviews by Ann", false},
		{"5 comments", "comments closed", false},
		{"5 comments by Ann", "6 comments by Ben", false},
		{int64(5), int64(6), false},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := countsAttention("slots.number", c.before, c.after); got != c.want {
				t.Errorf("%v → %v: %v", c.before, c.after, got)
			}
		})
	}
}

func TestTheHeadOfAColumnTellsWhatItsNumbersCount(t *testing.T) {
	for slot, want := range map[string]bool{
		"slots.wyświetlenia": true, "slots.views": true, "slots.view_count": true, "slots.replies": true, "slots.stock": false, "slots.price": false,
	} {
		t.Run(slot, func(t *testing.T) {
			if got := countsAttention(slot, "1 212", "1 215"); got != want {
				t.Errorf("%s: %v", slot, got)
			}
		})
	}
	if !countsAttention("slots.likes", "♡ 173", "♡ 175") {
		t.Error("a heart does not count")
	}
	if countsAttention("slots.views", "€ 12", "€ 14") || countsAttention("slots.views", "of the sea", "of the sky") {
		t.Error("other values counted")
	}
}

func TestASlotThatCountsAttentionForMostIsTakenOverWithoutAWord(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	posts := func(counts ...string) []SeenRecord {
		var all []SeenRecord
		for i, name := range []string{"Tides", "Ropes", "Knots", "Sails"} {
			all = append(all, thing(name, "title", name, "slots", map[string]any{"number": counts[i]}))
		}
		return all
	}
	w.see(posts("5 comments", "2 comments", "0 comments", "1 comment"))
	w.expect(w.see(posts("6 comments", "3 comments", "1 comment", "1 comment")))
	w.expect(w.see(posts("7 comments", "4 comments", "2 comments", "closed")), "changed Sails slots.number:1 comment→closed")
	w.expect(w.see(posts("8 comments", "4 comments", "2 comments", "closed")), "changed Tides slots.number:7 comments→8 comments")
}

// The size of one file tells that it was changed; that of most, that they are made anew for every visitor.
func TestSizesOfMostFilesAreTakenOverWithoutAWord(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	see := func(sizes ...string) (all []SeenRecord) {
		for i, name := range []string{"Library board", "Parks board", "Zoning commission", "City council"} {
			all = append(all, thing(name, "title", name, "slots", map[string]any{"docs": "(PDF, " + sizes[i] + ")"}))
		}
		return all
	}
	w.see(see("332 KB", "260 KB", "1.2 MB", "503 kB"))
	w.expect(w.see(see("650 KB", "224 KB", "1.4 MB", "503 kB")))
	w.expect(w.see(see("650 KB", "224 KB", "1.4 MB", "805 kB")), "changed City council slots.docs:(PDF, 503 kB)→(PDF, 805 kB)")
}

// What the check before missed says nothing of whether readers are counted: after half a list, the whole one shows
// others of those that were seen.
func TestCountsAfterHalfAListAreTakenOverWithoutAWord(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	see := func(from int, names ...string) (all []SeenRecord) {
		for i, name := range names {
			all = append(all, thing(name, "title", name, "slots", map[string]any{"views": strconv.Itoa(from+i) + " views"}))
		}
		return all
	}
	w.see(see(40, "Tides", "Ropes", "Knots", "Sails", "Masts", "Oars", "Buoys", "Piers"))
	w.expect(w.see(see(70, "Tides", "Ropes", "Knots")))
	w.expect(w.see(see(40, "Tides", "Ropes", "Knots", "Sails", "Masts", "Oars", "Buoys", "Piers")))
}

func TestASlotThatSaysWhenARecordWasWrittenIsTakenOverWithoutAWord(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	stations := func(layout func(time.Time) string, status string) []SeenRecord {
		var all []SeenRecord
		for _, name := range []string{"Albion", "Kirkgate", "Headingley", "Otley", "Ripon"} {
			all = append(all, thing(name, "title", name, "slots", map[string]any{"last_seen": layout(w.now.Add(time.Hour)), "status": status,
				"opens": "2027-01-01T10:00:00Z"}))
		}
		return all
	}
	for _, layout := range []func(time.Time) string{
		func(t time.Time) string { return t.Format(time.RFC3339) },
		func(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) },
		func(t time.Time) string { return t.Add(5*time.Hour).Format("02/01/2006 15:04:05") + " local time" },
	} {
		w.see(stations(layout, "free"))
		w.expect(w.see(stations(layout, "free")))
		taken := stations(layout, "free")
		taken[1].Record.Fields["slots"].(map[string]any)["status"] = "taken"
		w.expect(w.see(taken), "changed Kirkgate slots.status:free→taken")
	}
	put := stations(time.Time.String, "free")
	for _, later := range put[:3] {
		later.Record.Fields["slots"].(map[string]any)["opens"] = "2027-02-01T10:00:00Z"
	}
	if told := strings.Join(told(w.see(put)), " "); strings.Count(told, "slots.opens") != 3 {
		t.Errorf("of three moments to come that were put off, it told %s", told)
	}
}

// Where a new design puts the counts of readers into a column that held something else, nothing happened; of half a
// list that shows two of its entries, neither.
func TestCountsOfReadersMayTakeAnothersPlace(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	see := func(slot string, counts ...string) (all []SeenRecord) {
		for i, count := range counts {
			name := "Notice " + strconv.Itoa(i)
			all = append(all, thing(name, "title", name, "slots", map[string]any{"case": strconv.Itoa(20230003 + i), slot: count}))
		}
		return all
	}
	w.see(see("number", "20230003", "20230004", "20230005", "20230006"))
	w.expect(w.see(see("number", "41 views", "7 views", "9 views", "3 views")))
	w.expect(w.see(see("number", "45 views", "8 views")))
	w.expect(w.see(see("number", "41 views", "7 views", "9 views", "3 views")))
}

// Where each row has its own columns, readers are counted in slots of several names.
func TestCountsOfReadersNeedNotHaveOneName(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	see := func(counts ...string) (all []SeenRecord) {
		for i, name := range []string{"views", "views_2", "key_7", "key_8"} {
			slots := map[string]any{"place": "Pier 4"}
			if counts[i] != "" {
				slots[name] = counts[i]
			}
			all = append(all, thing(name, "title", "Notice "+name, "slots", slots))
		}
		return all
	}
	w.see(see("41 views", "7 views", "9 views", "3 views"))
	w.expect(w.see(see("44 views", "8 views", "12 views", "3 views")))
	for range 3 {
		w.expect(w.see(see("45 views", "", "14 views", "5 views")))
		w.expect(w.see(see("49 views", "", "17 views", "8 views")))
	}
}

// How long ago something was is another text at every check, and no change.
func TestWhatSaysHowLongAgoItWasDidNotChange(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	see := func(when, price string) []SeenRecord {
		return []SeenRecord{thing("1", "title", "Aral Nord", "slots", map[string]any{"date": when, "price": price})}
	}
	w.see(see("vor 37 Sek. gemeldet", "1,66"))
	w.expect(w.see(see("vor 12 Minuten gemeldet", "1,66")))
	w.expect(w.see(see("vor 2 Minuten gemeldet", "1,69")), "changed Aral Nord slots.price:1,66→1,69")
	w.expect(w.see([]SeenRecord{thing("1", "title", "Aral Nord", "slots", map[string]any{"price": "1,69"})}))
	w.expect(w.see(see("vor 44 Minuten gemeldet", "1,69")))
	if all := told(w.see(see("geschlossen", "1,69"))); len(all) != 1 || !strings.HasSuffix(all[0], "→geschlossen") {
		t.Errorf("told %v", all)
	}
}

// A program draws a key for each row at every check, and counts who is there.
func TestWhatIsDrawnAtEveryCheckIsTakenOverWithoutAWord(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	see := func(check int) (all []SeenRecord) {
		for i := range 6 {
			name := "Notice " + strconv.Itoa(i)
			slots := map[string]any{"key": fmt.Sprintf("%08xf", 7919*(check*6+i)), "visitors_today": strconv.Itoa(40*check + i), "case": fmt.Sprintf("A%08d", 11*i),
				"session": fmt.Sprintf("%05xa", 7919*(check*6+i)), "checksum": fmt.Sprintf("sha256:%016xf", 7919*(check*6+i))}
			all = append(all, thing(name, "title", name, "slots", slots))
		}
		return all
	}
	w.see(see(1))
	w.expect(w.see(see(2)))
	other := see(3)
	other[2].Record.Fields["slots"].(map[string]any)["case"] = "B00000021"
	w.expect(w.see(other), "changed Notice 2 slots.case:A00000022→B00000021")
}

// All may have a new commit at once: that is what they say of themselves.
func TestANewStateOfAllIsTold(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	see := func(check int) (all []SeenRecord) {
		for i := range 4 {
			all = append(all, thing(strconv.Itoa(i), "title", "Station "+strconv.Itoa(i), "slots", map[string]any{"commit": fmt.Sprintf("a%07x", 7919*(check*4+i))}))
		}
		return all
	}
	w.see(see(1))
	if told := told(w.see(see(2))); len(told) != 4 {
		t.Errorf("told %v", told)
	}
}

// A younger age may be told in words, an older one by its day; what stands beside it may change.
func TestAgesInWordsDidNotChangeAndWhatStandsBesideThemDid(t *testing.T) {
	for name, c := range map[string]struct {
		was, is string
		told    bool
	}{
		"a moment":         {"a moment ago", "3 minutes ago", false},
		"after a verb":     {"Posted a moment ago", "Posted 2 hours ago", false},
		"yesterday":        {"20 hours ago", "yesterday", false},
		"a week":           {"6 days ago", "last week", false},
		"in German":        {"vor einem Moment", "gestern", false},
		"in French":        {"il y a un instant", "la semaine dernière", false},
		"just now":         {"Just now", "2 hours ago", false},
		"a few":            {"a few seconds ago", "3 minutes ago", false},
		"less than":        {"less than a minute ago", "2 minutes ago", false},
		"a couple":         {"a couple of hours ago", "yesterday", false},
		"half an hour":     {"half an hour ago", "1 hour ago", false},
		"several":          {"6 days ago", "several days ago", false},
		"almost":           {"almost 2 years ago", "2 years ago", false},
		"soeben":           {"soeben", "vor 3 Minuten", false},
		"un attimo fa":     {"un attimo fa", "3 minuti fa", false},
		"agora mesmo":      {"agora mesmo", "há 3 minutos", false},
		"nyss":             {"nyss", "för 3 minuter sedan", false},
		"another verb":     {"Opened 2 hours ago", "Closed 1 hour ago", true},
		"open today":       {"Closed today", "Open today", true},
		"a day that comes": {"tomorrow", "next week", true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, curlew.SchemaItem)
			w.see([]SeenRecord{thing("1", "title", "Aral Nord", "slots", map[string]any{"when": c.was})})
			if told := told(w.see([]SeenRecord{thing("1", "title", "Aral Nord", "slots", map[string]any{"when": c.is})})); (len(told) > 0) != c.told {
				t.Errorf("told %v", told)
			}
		})
	}
}

// A check that saw half of the list counted for that half: the next one, which sees all of it as it was before, tells nothing.
func TestCountsOfHalfAListMoveBackWithoutAWord(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	see := func(n, views int) (all []SeenRecord) {
		for i := range n {
			name := "Notice " + strconv.Itoa(i)
			all = append(all, thing(name, "title", name, "slots", map[string]any{"views": strconv.Itoa(views+7*i) + " views"}))
		}
		return all
	}
	w.see(see(12, 40))
	w.expect(w.see(see(4, 90), partial("the list has more pages")))
	w.expect(w.see(see(12, 40)))
}

// A check that saw only what counts nothing tells nothing of what does.
func TestCountsAfterACheckThatSawNoneOfThemAreTakenOverWithoutAWord(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	see := func(views int) (all []SeenRecord) {
		for i := range 6 {
			name := "Notice " + strconv.Itoa(i)
			all = append(all, thing(name, "title", name, "slots", map[string]any{"number_2": strconv.Itoa(views+7*i) + " views"}))
		}
		return append(all, thing("about", "title", "About us"), thing("rules", "title", "House rules"))
	}
	w.see(see(40))
	w.expect(w.see(see(40)[6:], partial("the list has more pages")))
	w.expect(w.see(see(90)))
}

// A list names its slots by what all of its rows have: where other rows come, a slot has another name, and its text is no change.
func TestASlotOfAnotherNameIsNoChange(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	see := func(first, second string, status string) (all []SeenRecord) {
		for i := range 8 {
			slots := map[string]any{"label": "Was 4" + strconv.Itoa(i), "text": "per night"}
			if i < 3 {
				slots = map[string]any{first: "Was 4" + strconv.Itoa(i), second: "per night", "status": status}
			}
			name := "Cabin " + strconv.Itoa(i)
			all = append(all, thing(name, "title", name, "slots", slots))
		}
		return all
	}
	w.see(see("text_2", "text_3", "free"))
	w.expect(w.see(see("previous", "per", "free")))
	w.expect(w.see(see("text_2", "text_3", "free")))
	changed := see("previous", "per", "free")
	changed[1].Record.Fields["slots"].(map[string]any)["previous"] = "Was 38"
	changed[2].Record.Fields["slots"].(map[string]any)["status"] = "taken"
	got := strings.Join(told(w.see(changed)), " ")
	if !strings.Contains(got, "Was 38") || !strings.Contains(got, "free→taken") || strings.Contains(got, "night") {
		t.Errorf("it told %s", got)
	}
}

// What else a slot says that counts readers, too, is told where it changes while all of them count on.
func TestASlotThatCountsReadersMaySayMore(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	see := func(views int, third string) (all []SeenRecord) {
		for i, town := range []string{"Leeds", "Leeds", third, "Leeds", "Leeds"} {
			name := "Notice " + strconv.Itoa(i)
			all = append(all, thing(name, "title", name, "slots", map[string]any{"text": town + " · " + strconv.Itoa(views+i) + " views"}))
		}
		return all
	}
	w.see(see(100, "Leeds"))
	w.expect(w.see(see(120, "Leeds")))
	w.expect(w.see(see(140, "York")), "changed Notice 2 slots.text:Leeds · 122 views→York · 142 views")
}
