package cli

import (
	"net/url"
	"strconv"
	"testing"

	"github.com/curlew-data/curlew/internal/web/llm/llmtest"
	"github.com/rogpeppe/go-internal/testscript"
)

// serveModel is the command "model ANSWER…": a model's server that gives one answer
// after the other, each the contents of a file or a status to fail with, and is
// configured for what follows.
func serveModel(t *testing.T) func(ts *testscript.TestScript, neg bool, args []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) == 0 {
			ts.Fatalf("usage: model FILE|STATUS…")
		}
		var script []llmtest.Behaviour
		for _, arg := range args {
			if status, err := strconv.Atoi(arg); err == nil {
				script = append(script, llmtest.QuotesKey(status))
				continue
			}
			script = append(script, llmtest.Fenced(ts.ReadFile(arg)))
		}
		server := llmtest.Serve(t, script...)
		address, err := url.Parse(server.URL)
		ts.Check(err)
		for name, value := range map[string]string{"PROVIDER": "openai", "MODEL": "stub", "KEY": "sk-very-secret-key", "URL": server.URL,
			"INPUT_PRICE": "2.50", "OUTPUT_PRICE": "10"} {
			ts.Setenv("CURLEW_LLM_"+name, value)
		}
		ts.Setenv("CURLEW_EGRESS_ALLOW", "127.0.0.0/8")
		ts.Setenv("CURLEW_EGRESS_PORTS", address.Port())
	}
}
