package publish

import (
	"fmt"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

// applications are things whose addresses say at which place of the list they stand.
func applications(names ...string) []SeenRecord {
	var all []SeenRecord
	for i, name := range names {
		address := fmt.Sprint("https://council.test/details?view=list&index=", i)
		all = append(all, thing(address, "title", name, "url", address))
	}
	return all
}

func TestAddressesThatCountPlacesNameNothing(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	w.see(applications("Garage of the Miller family", "Two dwellings at Hill Road", "Harbour shed", "Fence and retaining wall"))
	for _, c := range []struct {
		what string
		now  []SeenRecord
		want []string
	}{
		{"one is put in front", applications("Carport", "Garage of the Miller family", "Two dwellings at Hill Road", "Harbour shed",
			"Fence and retaining wall"), []string{"appeared Carport"}},
		{"all others come", applications("Swimming pool", "New roof", "Demolition of a church", "Library extension"),
			[]string{"appeared Demolition of a church", "appeared Library extension", "appeared New roof", "appeared Swimming pool"}},
		{"one takes the place of another", applications("Swimming pool", "New roof", "Tennis court", "Library extension"),
			[]string{"appeared Tennis court", "disappeared Carport", "disappeared Fence and retaining wall",
				"disappeared Garage of the Miller family", "disappeared Harbour shed", "disappeared Two dwellings at Hill Road"}},
		{"nothing happens", applications("Swimming pool", "New roof", "Tennis court", "Library extension"),
			[]string{"disappeared Demolition of a church"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			w.t = t
			w.expect(w.see(c.now), c.want...)
		})
	}
	if e := w.named("Tennis court"); e.URL != "" || e.Fields["url"] != nil {
		t.Errorf("it has the address %q, which leads to another tomorrow", e.URL)
	}
}

func TestAddressesThatCountPlacesFromOneNameNothing(t *testing.T) {
	see := func(names ...string) []SeenRecord {
		return applications(append([]string{"-"}, names...)...)[1:]
	}
	w := newWorld(t, curlew.SchemaItem)
	all := []string{"Garage of the Miller family", "Two dwellings at Hill Road", "Harbour shed", "Fence and retaining wall"}
	w.see(see(all...))
	for _, name := range []string{"Carport", "Swimming pool", "Tennis court"} {
		all = append([]string{name}, all...)
		w.expect(w.see(see(all...)), "appeared "+name)
		w.expect(w.see(see(all...)))
	}
	if e := w.named("Harbour shed"); e.URL != "" || e.Fields["url"] != nil {
		t.Errorf("it has the address %q, which leads to another thing", e.URL)
	}
}

func TestAddressesThatCountPlacesOfAKnownListAreForgotten(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	old := applications("Garage of the Miller family", "Two dwellings at Hill Road", "Harbour shed", "Fence and retaining wall")
	for _, seen := range old {
		id := curlew.EntityID("ent_" + seen.Record.ExternalID)
		w.keep(curlew.Entity{ID: id, ExternalID: seen.Record.ExternalID, URL: seen.Record.URL, Fields: seen.Record.Fields,
			Hash: seen.Record.Hash, Status: curlew.EntityActive})
		w.sightings[id] = curlew.Sighting{Watch: w.watch.ID, Entity: id, SeenAt: w.now}
	}
	w.expect(w.see(old))
}

func TestAddressesThatCountWhatIsThereNameIt(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	list := func(first int, names ...string) []SeenRecord {
		var all []SeenRecord
		for i, name := range names {
			address := fmt.Sprint("https://council.test/details?id=", first+i)
			all = append(all, thing(address, "title", name, "url", address))
		}
		return all
	}
	w.see(list(1, "Garage", "Shed", "Fence", "Pool"))
	w.expect(w.see(list(1, "Garage", "Shed", "Wall of bricks", "Pool")), "changed Wall of bricks title:Fence→Wall of bricks")
}
