package curlew_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"
)

// dialers are the packages that may open connections: egress for everything that
// leaves, database for its own server, the sample web and the fault tests for
// loopback. Listening is not dialling, so the API needs no exception.
var dialers = []string{"web/egress", "data/database", "data/database/databasetest", "testkit/demo", "faults",
	"web/browser"} // its proxy dials through the dialer that it is given, which its own tests hold it to

// waysOut are the names of the standard library and others behind which a connection is
// opened; a trailing star stands for any ending. A pointer to a client that
// somebody else made is none.
var waysOut = map[string][]string{
	"net":        {"Dial*"},
	"crypto/tls": {"Dial*"},
	"net/http":   {"Get", "Post", "PostForm", "Head", "DefaultClient", "DefaultTransport", "Client", "Transport"},
	"net/rpc":    {"Dial*"},
	"net/smtp":   {"Dial", "SendMail"},
	"log/syslog": {"Dial"},

	"github.com/coder/websocket":       {"Dial"},
	"github.com/wneessen/go-mail":      {"QuickSend"}, // clients are given their dialer, which deliver's tests hold them to
	"github.com/wneessen/go-mail/smtp": {"Dial", "SendMail"},
}

func TestOnlyEgressDials(t *testing.T) {
	for _, s := range sources(t) {
		if slices.Contains(dialers, s.pkg) {
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, s.path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, out := range waysOutOf(file) {
			t.Errorf("%s uses %s: only web/egress dials", files.Position(out.pos), out.name)
		}
	}
}

// The test above sees through other names for a package, and it leaves alone
// what only looks like a way out.
func TestWaysOutAreRecognised(t *testing.T) {
	for body, want := range map[string]int{
		`import "net"; var c, _ = net.Dial("tcp", "a:1")`:                                      1,
		`import "net"; var d net.Dialer`:                                                       1,
		`import n "net"; var c, _ = n.DialTimeout("tcp", "a:1", 1)`:                            1,
		`import . "net"; var c, _ = Dial("tcp", "a:1")`:                                        1,
		`import "net/http"; var r, _ = http.Get("http://a")`:                                   1,
		`import "net/http"; var c = &http.Client{}`:                                            1,
		`import "net/http"; var c = new(http.Client)`:                                          1,
		`import "net/http"; var c http.Client`:                                                 1,
		`import "net/http"; var c = http.Transport{}`:                                          1,
		`import "net/http"; var r = http.DefaultTransport`:                                     1,
		`import "net/http"; var c = http.DefaultClient`:                                        1,
		`import "crypto/tls"; var c, _ = tls.Dial("tcp", "a:1", nil)`:                          1,
		`import "net/smtp"; var err = smtp.SendMail("", nil, "", nil, nil)`:                    1,
		`import "net/http"; var c = *http.DefaultClient`:                                       1,
		`import "net/http"; func f(c *http.Client) {}`:                                         0,
		`import "net/http"; var m = http.MethodGet`:                                            0,
		`import "net"; var l, _ = net.Listen("tcp", ":0")`:                                     0,
		`import http "github.com/curlew-data/curlew/internal/curlew"; var r, _ = http.Get("")`: 0,
		`import "net/http"; type s struct{ Get string }; var x = s{}.Get`:                      0,
	} {
		t.Run(body, func(t *testing.T) {
			file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x; "+body, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			if got := waysOutOf(file); len(got) != want {
				t.Errorf("%s: found %v, want %d", body, got, want)
			}
		})
	}
}

// wayOut is one use of a name that opens connections.
type wayOut struct {
	name string
	pos  token.Pos
}

func waysOutOf(file *ast.File) []wayOut {
	var found []wayOut
	packages := map[string]string{} // by the name that the file has for it
	for _, spec := range file.Imports {
		full := strings.Trim(spec.Path.Value, `"`)
		if _, leads := waysOut[full]; !leads {
			continue
		}
		name := strings.TrimPrefix(path.Base(full), "go-")
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name == "." {
			found = append(found, wayOut{"a dot import of " + full, spec.Pos()})
		}
		packages[name] = full
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if star, ok := n.(*ast.StarExpr); ok && namesType(star.X) {
			return false // a pointer to what was made elsewhere
		}
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if left, ok := selector.X.(*ast.Ident); ok && leadsOut(packages[left.Name], selector.Sel.Name) {
			found = append(found, wayOut{left.Name + "." + selector.Sel.Name, selector.Pos()})
		}
		return true
	})
	return found
}

func namesType(e ast.Expr) bool {
	selector, ok := e.(*ast.SelectorExpr)
	return ok && slices.Contains([]string{"Client", "Transport", "Dialer"}, selector.Sel.Name)
}

func leadsOut(full, name string) bool {
	return slices.ContainsFunc(waysOut[full], func(pattern string) bool {
		prefix, open := strings.CutSuffix(pattern, "*")
		return name == prefix || open && strings.HasPrefix(name, prefix)
	})
}
