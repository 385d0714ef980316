package console

import (
	"fmt"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

func TestOnlyWebAddressesAreLinks(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.org/a?b=c": "https://example.org/a?b=c", "http://example.org": "http://example.org",
		"javascript:alert(1)": "", "data:text/html,x": "", "//example.org/": "", "/local": "", "https://": "", "": "",
		"https://bank.example@evil.example/": "", "java\nscript:alert(1)": "",
	} {
		t.Run(address, func(t *testing.T) {
			if got := webAddress(address); got != want {
				t.Errorf("%q: %q, want %q", address, got, want)
			}
		})
	}
}

func TestTimesAreToldAsDistances(t *testing.T) {
	for d, want := range map[time.Duration]string{30 * time.Second: "just now", -30 * time.Second: "in a moment", 5 * time.Minute: "5 min ago", -3 * time.Hour: "in 3 h", 100 * time.Hour: "4 days ago", 49 * time.Hour: "2 days ago"} {
		t.Run(fmt.Sprint(d), func(t *testing.T) {
			if got := distance(d); got != want {
				t.Errorf("%s: %q, want %q", d, got, want)
			}
		})
	}
}

func TestTimesInRecordsAreReadable(t *testing.T) {
	for written, want := range map[string]string{"2027-02-06T20:00:00+01:00": "Sat 6 Feb 2027, 20:00 +01:00", "2027-02-06T20:00:00Z": "Sat 6 Feb 2027, 20:00 UTC",
		"2027-02-06T20:00:00": "Sat 6 Feb 2027, 20:00", "2027-02-06": "Sat 6 Feb 2027", "2027-02-31": "2027-02-31", "in stock": "in stock", "out_of_stock": "out of stock", "FK_10": "FK_10", "": ""} {
		t.Run(written, func(t *testing.T) {
			if got := readable(written); got != want {
				t.Errorf("%q reads %q, want %q", written, got, want)
			}
		})
	}
}

func TestTimesInSentencesAreReadable(t *testing.T) {
	if got := said(200, "not listed since 2026-11-17T12:01:18Z, and gone"); got != "not listed since 17 Nov 2026, 12:01, and gone" {
		t.Errorf("%q", got)
	}
	if got := said(20, "2026-99-17T12:01:18Z is no time"); got != "2026-99-17T12:01:18…" {
		t.Errorf("%q", got)
	}
}

func TestWhatIsSaidInWordsIsDrawnAsBands(t *testing.T) {
	drawn := drawBands("availability", []span{{noon.Add(-4 * time.Hour), "in_stock"}, {noon.Add(-time.Hour), "out_of_stock"}}, noon)
	if len(drawn.Spans) != 2 || drawn.Spans[0].W != "450.0" || drawn.Spans[1].X != "450.0" || drawn.Spans[1].Tone != "bad" || drawn.Final != "out of stock" {
		t.Errorf("%+v", drawn)
	}
	if drawBands("availability", []span{{noon, "in_stock"}}, noon) != nil {
		t.Error("what never changed needs no chart")
	}
}

func TestACandidateShowsHowFarItCame(t *testing.T) {
	way := stagesOf(curlew.CandidateTesting, []store.CandidateTransition{{To: curlew.CandidateAnalyzing}, {To: curlew.CandidateTesting}})
	if len(way) != 6 || way[4].Tone != "here" || way[3].Tone != "past" || way[5].Tone != "" {
		t.Errorf("%+v", way)
	}
	aside := stagesOf(curlew.CandidateRejected, []store.CandidateTransition{{To: curlew.CandidateAnalyzing}, {To: curlew.CandidateRejected}})
	if last := aside[len(aside)-1]; len(aside) != 7 || last.Tone != "wrong" || !last.Here || aside[1].Tone != "past" || aside[2].Tone != "" {
		t.Errorf("%+v", aside)
	}
}

func TestARunTellsHowFarAndHowFast(t *testing.T) {
	began := noon.Add(-10 * time.Second)
	row := readRun(curlew.Run{Scope: "source:src_1", State: curlew.RunRunning, Total: 40, Counters: curlew.Counters{"steps": 25}, StartedAt: &began}, map[string]subject{"source:src_1": {"The Lantern", "/sources/src_1"}}, noon)
	if row.What != "The Lantern" || row.Percent != 62 || row.Rate != "2.5" || row.Lasted != "10 s" {
		t.Errorf("%+v", row)
	}
}

func TestTheChartHasABarForEachDayAndItsHighestIsTheMost(t *testing.T) {
	today := noon.Truncate(24 * time.Hour)
	c := daily(map[time.Time]int64{today: 8, today.AddDate(0, 0, -1): 4}, noon, 30)
	if len(c.Bars) != 30 || c.Most != 8 || c.Sum != 12 || c.Bars[29].H != "116.0" || c.Bars[28].H != "58.0" || c.Bars[0].H != "1.0" {
		t.Errorf("%+v", c)
	}
}

func TestARankIsDrawnWithTheFirstOnTop(t *testing.T) {
	drawn := steps("position", []point{{noon, 9, "9"}, {noon.Add(time.Hour), 1, "1"}}, true)
	if drawn.Dots[0].Y != "116.0" || drawn.Dots[1].Y != "4.0" {
		t.Errorf("%+v", drawn)
	}
	if steps("price", []point{{noon, 9, "9"}}, false) != nil {
		t.Error("one value makes no line")
	}
}

func TestWhatHasNoPictureGetsATile(t *testing.T) {
	for name, letter := range map[string]string{"Bicycles": "B", "  «émile»": "É", "127.0.0.1:80": "1", "…": "?", "": "?", "图书馆": "图"} {
		t.Run(name, func(t *testing.T) {
			if got := tileOf(name); got.Letter != letter || got.Tone >= tileTones || got != tileOf(name) {
				t.Errorf("%q has %+v", name, got)
			}
		})
	}
}

func TestWhatIsKnownBeforehandIsSaidInWords(t *testing.T) {
	for want, known := range map[string]blueprint.Locale{
		"": {}, "dates day first": {DateOrder: "day_first"},
		"language nl, time zone Europe/Amsterdam, currency EUR": {Language: "nl", Timezone: "Europe/Amsterdam", Currency: "EUR"},
	} {
		t.Run(want, func(t *testing.T) {
			if got := contextWords(known); got != want {
				t.Errorf("got %q", got)
			}
		})
	}
}
