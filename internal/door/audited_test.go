package door_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/door/rest"
	"github.com/curlew-data/curlew/internal/testkit/world"
)

// writesNothing are the operations and calls that are no GET and change nothing.
var writesNothing = []string{"previewSubscription", "proposeKind", "submitRun", // which the case tries as a dry run
	"FetchHTML", "GenerateBlueprint", "RepairBlueprint", "GetCandidate", "ListKinds", "GetKind", "ProposeKind"}

// before says what is done before an operation can be.
var before = map[string]string{"retryCandidate": "rejectCandidate", "RetryCandidate": "rejectCandidate", "resumeSource": "pauseSource",
	"deleteFieldWord": "setFieldWord", "resumeRun": "pauseRun"}

// refusedHere are those that an org with one of everything cannot do, by what the refusal says. Other tests do them, and look at
// their lines: TestEveryDoorTakesAndRefusesTheSame, TestFormsDoWhatTheySay, and those of accounts.
var refusedHere = map[string]string{"addOrg": "for the operator of the installation", "approveCandidate": "nothing_to_approve", "chooseCandidateReading": "nothing_to_approve",
	"ApproveCandidate": "only one that was tested", "ChooseReading": "only one that was tested", "rollbackSource": "nothing_to_roll_back",
	"healSource": "nothing_to_heal", "joinOrg": "dead_link", "declineOrg": "dead_link", "FetchHTML": "a contact is required",
	"GenerateBlueprint": "No event was found", "RepairBlueprint": "no watch has seen"}

// TestEveryWriteOfTheAPIsIsInTheAuditLog tries each operation and each remote call in an org of its own. One that is new is tried
// as well: it leaves a line, or is named above.
func TestEveryWriteOfTheAPIsIsInTheAuditLog(t *testing.T) {
	w := newAPIWorld(t)
	n, byName := 0, map[string]rest.Route{}
	for _, r := range rest.Routes() {
		byName[r.Name] = r
	}
	operate := func(name string, own world.IDs, badge string) (int, string) {
		r, c := byName[name], isolationCases[name]
		answer, text := w.ask(r.Method, c.address(t, r, own, own), badge, c.text(own))
		return answer.StatusCode, text
	}
	try := func(name string, send func(own world.IDs, badge string) (int, string)) {
		n++
		org := curlew.OrgID("org" + strconv.Itoa(n))
		own := w.Add(org, "things")
		lines := func() int {
			all, err := w.i.Store.Org(org).Audit().List(t.Context(), store.AuditFilter{Limit: 100})
			if err != nil {
				t.Fatal(err)
			}
			return len(all)
		}
		if first := before[name]; first != "" {
			if status, text := operate(first, own, string(org)+".owner"); status >= 300 {
				t.Errorf("%s before %s: %d %s", first, name, status, text)
			}
		}
		had := lines()
		status, text := send(own, string(org)+".owner")
		left := lines() - had
		switch refused := status >= 300; {
		case refused && (refusedHere[name] == "" || !strings.Contains(text, refusedHere[name])):
			t.Errorf("%s is refused, so nothing is known of its audit line: %d %s", name, status, text)
		case refused && left > 0:
			t.Errorf("%s was refused, and left %d lines", name, left)
		case !refused && slices.Contains(writesNothing, name) != (left == 0):
			t.Errorf("%s leaves %d lines in the audit log", name, left)
		}
	}
	for _, r := range rest.Routes() {
		if r.Method != http.MethodGet {
			try(r.Name, func(own world.IDs, badge string) (int, string) { return operate(r.Name, own, badge) })
		}
	}
	for _, name := range callMethods() {
		try(name, func(own world.IDs, badge string) (int, string) { return w.posts(name, badge, rpcCases[name].body(own)) })
	}
}

// TestOnlyUseCasesWrite reads the code of the doors: what changes rows is in internal/app, whose one way to write leaves a line in
// the audit log.
func TestOnlyUseCasesWrite(t *testing.T) {
	writers := map[string]bool{"../app/app.go audited": true, "../app/org.go ClaimRequest": true, "../app/org.go KeepAnswer": true}
	steering := []string{"Visit", "Start", "Stop", "Pause", "ResumeOnce", "AddWatch", "EditWatch", "RemoveWatch", "PauseWatch", "ResumeWatch",
		"AcceptRemoval", "AddVersion", "ActivateBlueprint", "ResumeSubscription", "Replay", "PauseSource", "ResumeSource", "PromoteSource",
		"RollbackSource", "HealNow", "Propose", "Retry"}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || writers[filepath.ToSlash(path)] {
			return err
		}
		for _, call := range callsIn(t, path) {
			if call.to == "Store.Write" || call.to == "DB.Write" || (strings.HasPrefix(call.to, "Jobs.") || strings.HasPrefix(call.to, "Onboard.")) &&
				slices.Contains(steering, call.to[strings.IndexByte(call.to, '.')+1:]) {
				t.Errorf("%s calls %s in %s: doors change things by use cases", path, call.to, call.in)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../app/*.go")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, path := range files {
		for _, call := range callsIn(t, path) {
			if call.to == "Store.Write" && !strings.HasSuffix(path, "_test.go") && !writers[filepath.ToSlash(path)+" "+call.in] {
				t.Errorf("%s writes in %s beside do, which leaves the line in the audit log", path, call.in)
			}
		}
	}
}

// written is a call of X.Y and the function it stands in.
type written struct{ to, in string }

func callsIn(t *testing.T, path string) (all []written) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(fn, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				switch x := s.X.(type) {
				case *ast.SelectorExpr:
					all = append(all, written{x.Sel.Name + "." + s.Sel.Name, fn.Name.Name})
				case *ast.Ident:
					all = append(all, written{x.Name + "." + s.Sel.Name, fn.Name.Name})
				}
			}
			return true
		})
	}
	return all
}
