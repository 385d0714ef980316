package cli

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/world"
)

// verbsThatRead change nothing of an org, or nothing but files that are named; those of the installation as a whole are the
// operator's, who could as well edit its files.
const verbsThatRead = `serve api worker demo extract inspect learn apply heal fetch match score audit usage export doctor fsck backup
	restore migrate version completion, parse date, parse price, parse robots, candidates list, candidates show, watches list, watches show,
	watches health, watches urls, sources list, sources show, heals list, heals show, blueprints list, blueprints show, blueprints export,
	blueprints diff, entities list, entities show, changes list, changes show, publications list, publications latest,
	subscriptions list, subscriptions show, subscriptions preview, deliveries list, deliveries show, feeds show, runs list, runs show,
	runs log, runs urls, users list, users log, orgs list, keys list, words list, kinds list, kinds show`

// verbsTriedElsewhere need pages, or a state that takes long to reach; tests of these names look at their lines.
var verbsTriedElsewhere = map[string]string{"add": "TestEveryDoorTakesAndRefusesTheSame", "mcp": "TestEveryDoorTakesAndRefusesTheSame", "import": "TestEveryDoorTakesAndRefusesTheSame", "watch": "TestOneCommandWatchesAPage",
	"watches add":        "TestEveryDoorTakesAndRefusesTheSame",
	"candidates approve": "TestFormsDoWhatTheySay", "candidates choose": "TestEveryDoorTakesAndRefusesTheSame",
	"orgs move": "TestOrgsLiveOnTwoServers", "sources rollback": "TestEditFormsDoWhatTheySay", "watches accept": "TestFormsDoWhatTheySay"}

// verbsThatWrite are tried with the things of an org; what comes before a semicolon is done first.
var verbsThatWrite = map[string]string{
	"candidates reject": "candidates reject {can} --why no", "candidates retry": "candidates reject {can} --why no; candidates retry {can}",
	"candidates edit": "candidates edit {can} --name new", "candidates delete": "candidates delete {can}",
	"watches trigger": "watches trigger {wat}", "watches pause": "watches pause {wat}", "watches resume": "watches resume {wat}",
	"watches edit": "watches edit {wat} --name new", "watches remove": "subscriptions remove {sub}; watches remove {wat}",
	"sources pause": "sources pause {src}", "sources resume": "sources pause {src}; sources resume {src}", "sources promote": "sources promote {src}",
	"blueprints import":   "blueprints export {bp} -o {file}; blueprints import --source {src} {file}",
	"blueprints activate": "blueprints activate {bp}", "subscriptions add": "subscriptions add --channel webhook --to https://hooks.example.org/",
	"subscriptions edit": "subscriptions edit {sub} --settle 10m --name new", "subscriptions test": "subscriptions test {sub}", "subscriptions pause": "subscriptions pause {sub}", "subscriptions resume": "subscriptions resume {sub}",
	"subscriptions rotate": "subscriptions rotate {sub}", "subscriptions remove": "subscriptions remove {sub}", "deliveries replay": "deliveries replay {del}",
	"feeds renew": "feeds renew {src}", "feeds revoke": "feeds revoke {wat}", "runs pause": "runs pause {run}", "runs resume": "runs pause {run}; runs resume {run}",
	"runs stop": "runs stop {run}", "runs clear": "runs clear", "runs drill": "runs drill", "users add": "users add new@example.org --role viewer",
	"users role": "users role {usr} viewer", "users password": "users password {usr}", "users disable": "users disable {usr}",
	"users enable": "users disable {usr}; users enable {usr}", "users remove": "users remove {usr}", "orgs add": "orgs add {org}x --owner ada@example.org --name New",
	"keys add": "keys add new --scope read", "keys revoke": "keys revoke {key}", "words set": "words set product availability w in_stock",
	"words delete": "words set product availability w in_stock; words delete product availability w", "kinds add": "kinds add home --field street:text",
	"kinds edit": "kinds edit {} --rename subject=about", "kinds delete": "kinds delete {}",
	"replay": "replay --watch {wat}", "crawl": "crawl http://127.0.0.1:1/ --max-pages 1 --no-archive",
}

// TestEveryVerbThatWritesIsInTheAuditLog runs every command that changes something in an org of its own. One that is new has to be
// named above.
func TestEveryVerbThatWritesIsInTheAuditLog(t *testing.T) {
	parser, err := kong.New(&commands{})
	if err != nil {
		t.Fatal(err)
	}
	w := world.Open(t, world.Options{})
	reads := map[string]bool{}
	for _, some := range strings.Split(verbsThatRead, ",") {
		if words := strings.Fields(some); len(words) == 2 {
			reads[strings.Join(words, " ")] = true
		} else {
			for _, word := range words {
				reads[word] = true
			}
		}
	}
	for n, leaf := range parser.Model.Leaves(true) {
		verb := leaf.Path()
		script, writes := verbsThatWrite[verb]
		if !writes {
			if !reads[verb] && verbsTriedElsewhere[verb] == "" {
				t.Errorf("curlew %s is not known here: say whether it changes anything, and try it", verb)
			}
			continue
		}
		t.Run(verb, func(t *testing.T) {
			org := curlew.OrgID("org" + strconv.Itoa(n))
			has := w.Add(org, "things")
			has["org"], has["file"] = string(org), t.TempDir()+"/file"
			steps, had := strings.Split(script, "; "), 0
			for i, step := range steps {
				for name, id := range has {
					step = strings.ReplaceAll(step, "{"+name+"}", id)
				}
				if i == len(steps)-1 {
					had = auditLines(t, w, org, org+"x")
				}
				var out, complaint bytes.Buffer
				code := Main(append(strings.Fields(step), "--org", string(org), "--data", w.I.Config.Data), Environment{Context: t.Context(),
					In: strings.NewReader(""), Out: &out, Err: &complaint, Environ: []string{"CURLEW_DELIVER_PLAIN_HTTP=true"}})
				if code != 0 && verb != "subscriptions test" && verb != "crawl" { // which nobody answers
					t.Fatalf("curlew %s: exit %d: %s%s", step, code, &out, &complaint)
				}
			}
			if left := auditLines(t, w, org, org+"x") - had; left == 0 {
				t.Errorf("curlew %s leaves no line in the audit log", verb)
			}
		})
	}
}

// auditLines counts the audit log of some orgs.
func auditLines(t *testing.T, w *world.World, orgs ...curlew.OrgID) (n int) {
	t.Helper()
	for _, org := range orgs {
		all, err := w.I.Store.Org(org).Audit().List(t.Context(), store.AuditFilter{Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		n += len(all)
	}
	return n
}
