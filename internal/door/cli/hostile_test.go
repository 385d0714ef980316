package cli

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
	"github.com/curlew-data/curlew/internal/text"
)

// TestHostileWordsStayWordsInARealBrowser lets sites, forms and receivers say the worst
// in every field of every schema, and then walks through all screens: no dialog opens,
// nothing asks another server, nothing breaks the layout.
func TestHostileWordsStayWordsInARealBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes in five hostile sites and looks at all screens")
	}
	asked := &spoken{}
	trap := serveFor(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { fmt.Fprintln(asked, r.URL) }))
	rude := serveFor(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, poisons(trap)[1]+poisons(trap)[6])
	}))
	sites, reach := map[string]*hostileSite{}, []string{rude}
	for _, schema := range []curlew.SchemaName{curlew.SchemaEvent, curlew.SchemaProduct, curlew.SchemaJob, curlew.SchemaArticle, curlew.SchemaOrganization} {
		site := &hostileSite{schema: schema, trap: trap}
		at := serveFor(t, site)
		sites[at], reach = site, append(reach, at)
	}
	h := openServer(t, reach...)
	j := &journey{person: newPerson(t, h.base), testServer: h}
	j.do(t, chromedp.Navigate(j.link))
	j.fill(t, "email", ownerEmail, "name", poisons(trap)[1], "password", ownerPassword)
	j.presses(t, "Begin")
	j.sees(t, "Nothing is watched yet")
	j.proposeHostile(t, trap, sites)
	j.fillForms(t, trap, rude)
	for _, site := range sites {
		site.turn.Add(1)
	}
	j.visitAll(t)
	j.poisonStore(t, trap, j.anyWatch(t))
	j.learns(t, reach[1]+"/list")
	if _, err := useCases(h.Installation).AddKind(t.Context(), operator(curlew.DefaultOrg), app.AddKind{Name: "lot_home", KindFields: app.KindFields{
		Fields: []curlew.Field{{Name: "street", Type: curlew.TypeText, Labels: []string{text.CutBytes(poisons(trap)[1], 100)}}}}}); err != nil {
		t.Fatal(err)
	}
	refused := []string{"/entities?after=&schema=%3Cscript%3Ealert(1)%3C/script%3E", "/changes?kind=%22%3E%3Cimg%20src=x%3E", "/nowhere/%3Cscript%3Ealert(1)%3C%2Fscript%3E"}
	j.fits(t, slices.Concat(j.things(t), refused, j.poisoned(t)))
	for _, path := range refused {
		j.forgive(path)
	}
	j.open(t, "/changes")
	j.sees(t, poisons(trap)[0], poisons(trap)[1], poisons(trap)[2], "exe.gnp turned") // shown, not obeyed and not left out
	j.undisturbed(t)
	if asked.String() != "" {
		t.Errorf("the trap was asked for %s", asked)
	}
	j.noticesAll(t, trap)
}

// proposeHostile takes the hostile sites in by the form, under hostile names.
func (j *journey) proposeHostile(t *testing.T, trap string, sites map[string]*hostileSite) {
	t.Helper()
	names := slices.DeleteFunc(poisons(trap), func(name string) bool { return curlew.NameProblem(name) != "" }) // the form refuses it
	n := 0
	for at := range sites {
		j.open(t, "/candidates/add")
		j.fill(t, "url", at+"/list", "name", names[n][:min(len(names[n]), 200)], "instructions", names[(n+1)%len(names)][:min(len(names[(n+1)%len(names)]), 4000)])
		j.presses(t, "Add and analyse")
		j.is(t, "/candidates/can_.+")
		n++
	}
	scope := j.Store.Org(curlew.DefaultOrg)
	eventually.Told(t, "the candidates are decided about", func() (bool, string) {
		all, err := scope.Candidates().List(t.Context(), store.CandidateFilter{}, store.Window{Limit: 10})
		undecided := func(c curlew.Candidate) bool {
			return !c.Review && !slices.Contains([]curlew.CandidateStatus{curlew.CandidateDeployed, curlew.CandidateRejected, curlew.CandidateFailed}, c.Status)
		}
		for _, c := range all {
			if c.Review {
				j.open(t, "/candidates/"+string(c.ID))
				j.presses(t, "Read these") // the first reading
				j.holds(t, "to see it deployed", `document.querySelector("main p.line .state").innerText === "deployed"`)
			}
		}
		return err == nil && !slices.ContainsFunc(all, undecided), fmt.Sprint(err)
	})
	eventually.Told(t, "entities of all hostile sites come through the pipeline", func() (bool, string) {
		found, err := scope.Entities().Browse(t.Context(), store.BrowseFilter{}, store.Window{Limit: 500})
		schemas := map[curlew.SchemaName]int{}
		for _, e := range found {
			schemas[e.Schema]++
		}
		return err == nil && len(schemas) == len(sites), fmt.Sprint(schemas, err)
	})
	j.rests(t)
}

// fillForms says the worst in the forms of the console.
func (j *journey) fillForms(t *testing.T, trap, rude string) {
	t.Helper()
	bad := poisons(trap)[1]
	wide := poisons(trap)[6][:200]
	j.open(t, "/settings")
	j.fill(t, "name", bad)
	j.presses(t, "Save")
	j.sees(t, "Saved")
	j.open(t, "/settings/people")
	j.fill(t, "email", "grace@example.org", "name", wide[:100])
	j.presses(t, "Make a link")
	j.holds(t, "to see the link", `document.querySelector(".secret code")`)
	j.open(t, "/settings/keys")
	j.fill(t, "name", bad[:min(len(bad), 100)])
	j.presses(t, "Make the key")
	j.holds(t, "to see the key", `document.querySelector(".secret code")`)
	w := j.anyWatch(t)
	for at, name := range map[string]string{"/watches/" + string(w.ID) + "/edit": wide, "/sources/" + string(w.Source) + "/edit": wide} {
		j.open(t, at)
		j.fill(t, "name", name)
		j.presses(t, "Save")
		j.sees(t, "Saved")
	}
	for _, name := range []string{bad, wide} {
		j.open(t, "/subscriptions/add")
		j.fill(t, "name", name, "to", rude+"/hook")
		j.presses(t, "Subscribe")
		j.presses(t, "I have copied it: continue")
		j.is(t, "/subscriptions/sub_.+")
	}
}

// anyWatch is the first watch that there is.
func (j *journey) anyWatch(t *testing.T) curlew.Watch {
	t.Helper()
	all, err := j.Store.Org(curlew.DefaultOrg).Watches().List(t.Context(), store.WatchFilter{}, store.Window{Limit: 10})
	if err != nil || len(all) == 0 {
		t.Fatalf("nothing is watched: %v", err)
	}
	return all[0]
}

// visitAll lets every watch come round, so that changes and deliveries are made of the
// hostile words.
func (j *journey) visitAll(t *testing.T) {
	t.Helper()
	all, err := j.Store.Org(curlew.DefaultOrg).Watches().List(t.Context(), store.WatchFilter{}, store.Window{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range all {
		j.comesRound(t, w.ID)
	}
}

// poisoned are the pages of one thing of every schema and of every candidate.
func (j *journey) poisoned(t *testing.T) (paths []string) {
	t.Helper()
	scope := j.Store.Org(curlew.DefaultOrg)
	for _, schema := range curlew.Schemas() {
		found, err := scope.Entities().Browse(t.Context(), store.BrowseFilter{Schema: schema.Name}, store.Window{Limit: 100})
		if err != nil || len(found) == 0 {
			t.Fatalf("there are no entities of %s: %v", schema.Name, err)
		}
		slices.SortFunc(found, func(a, b curlew.Entity) int { return len(fmt.Sprint(b.Fields)) - len(fmt.Sprint(a.Fields)) })
		for _, e := range []curlew.Entity{found[0], found[len(found)/2], found[len(found)-1]} {
			paths = append(paths, "/entities/"+string(e.ID))
		}
	}
	candidates, err := scope.Candidates().List(t.Context(), store.CandidateFilter{}, store.Window{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range candidates {
		paths = append(paths, "/candidates/"+string(c.ID))
	}
	return paths
}

// noticesAll shows that the person would have noticed: the same words, obeyed.
func (j *journey) noticesAll(t *testing.T, trap string) {
	t.Helper()
	naive := serveFor(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Security-Policy", "style-src 'none'")
		_, _ = io.WriteString(w, poisons(trap)[0]+poisons(trap)[1]+"<style>p{}</style>")
	}))
	j.do(t, chromedp.Navigate(naive))
	eventually.Told(t, "to notice everything", func() (bool, string) {
		j.mu.Lock()
		defer j.mu.Unlock()
		return len(j.dialogs) > 0 && len(j.foreign) > 1 && len(j.complaints) > 0, fmt.Sprint(j.dialogs, j.foreign, j.complaints)
	})
}
