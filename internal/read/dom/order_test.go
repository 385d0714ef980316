package dom

import (
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/text/dates"
)

func TestThePageTellsTheOrderOfItsDates(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want dates.Order
		sure bool
	}{
		"one date that can be read in one way": {"<html lang=en><table><tr><td>05/12/2026<tr><td>30/11/2026<tr><td>02/11/2026</table>", dates.DayFirst, true},
		"by the region":                        {"<html lang=en-GB><p>The list of 05/12/2026 is the one that counts for everybody who lives here.", dates.DayFirst, false},
		"French":                               {"<html lang=fr><p>La liste du 05/12/2026 est celle qui compte pour tous les habitants de la ville.", dates.DayFirst, false},
		"declared wrongly":                     {"<html lang=en-US>" + strings.Repeat("<p>La lista del 05/12/2026 es la que cuenta para todos los vecinos de la ciudad.", 20), dates.OrderUnknown, false},
		"American":                             {"<html lang=en-US><table><tr><td>05/12/2026<tr><td>11/30/2026</table>", dates.MonthFirst, true},
	} {
		t.Run(name, func(t *testing.T) {
			order, sure := New([]byte(c.body), "https://a.example/").DateOrder(time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC))
			if order != c.want || sure != c.sure {
				t.Errorf("%v, sure %v", order, sure)
			}
		})
	}
}
