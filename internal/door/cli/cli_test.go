package cli

import (
	"net"
	"net/http"
	"os"
	"testing"

	"github.com/curlew-data/curlew/internal/testkit/eventually"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"curlew": func() { os.Exit(Main(os.Args[1:], System())) },
	})
}

// TestScripts runs the sessions in testdata/script: what a person types, and
// what comes back.
func TestScripts(t *testing.T) { runScripts(t, "testdata/script") }

// The story of the demo takes in half of the sample web: too much for the race detector.
func TestTheStoryOfTheSampleWeb(t *testing.T) { runScripts(t, "testdata/sampleweb") }

func runScripts(t *testing.T, folder string) {
	t.Helper()
	testscript.Run(t, testscript.Params{
		Dir:                 folder,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PORT", freePort(t))
			env.Setenv("GORACE", "atexit_sleep_ms=0") // else each command would sleep a second at its end
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"await": await,
			"model": serveModel(t),
		},
	})
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// await URL STATUS waits until the address answers so.
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: await URL STATUS")
	}
	eventually.Told(ts, args[0]+" answers "+args[1], func() (bool, string) {
		answer, err := http.Get(args[0])
		if err != nil {
			return false, err.Error()
		}
		_ = answer.Body.Close()
		return http.StatusText(answer.StatusCode) == args[1], answer.Status
	})
}
