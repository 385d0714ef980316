package normalise

import (
	_ "embed"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // the machine may have no zone files

	"github.com/curlew-data/curlew/internal/text/wordlist"
	"github.com/zsefvlol/timezonemapper"
)

// zone tells where the times of a record are: by the record's own field, by what
// was set or the page says, by its place on Earth, or by a country with one zone.
func (w *work) zone() (*time.Location, string) {
	if zone, name := loadZone(line(scalarText(w.in["timezone"]), 64)); zone != nil {
		return zone, name
	}
	if w.Zone != nil {
		if _, name := loadZone(w.Zone.String()); name != "" {
			return w.Zone, name
		}
		return w.Zone, ""
	}
	lat, hasLat := w.out["latitude"].(float64)
	long, hasLong := w.out["longitude"].(float64)
	if hasLat && hasLong {
		if zone, name := loadZone(timezonemapper.LatLngToTimezoneString(lat, long)); zone != nil {
			return zone, name
		}
	}
	code, _ := w.out["country"].(string)
	if len(code) != 2 {
		code = strings.ToUpper(w.Country)
	}
	return loadZone(singleZone()[code])
}

// loadZone finds a zone by its name in the IANA database.
func loadZone(name string) (*time.Location, string) {
	if !strings.Contains(name, "/") && name != "UTC" || strings.Contains(name, "..") {
		return nil, ""
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, ""
	}
	return zone, name
}

// singleZone are the countries that have one zone, overseas places aside.
var singleZone = sync.OnceValue(func() map[string]string {
	zones := map[string]string{}
	for zone, list := range wordlist.Embedded(zonesFile)() {
		for _, country := range list.Words {
			zones[country] = zone
		}
	}
	return zones
})

//go:embed zones.txt
var zonesFile string
