package deliver_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/work/deliver"
)

var fence = regexp.MustCompile("(?s)```([a-z ]+)\n(.*?)\n```")

// blocks reads the marked pieces of docs/deliveries.md.
func blocks(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/deliveries.md")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
		all[m[1]] = m[2]
	}
	return all
}

func TestTheTargetsOfTheDocumentationAreGood(t *testing.T) {
	for _, channel := range []curlew.Channel{curlew.ChannelWebhook, curlew.ChannelSlack, curlew.ChannelEmail, curlew.ChannelDiscord} {
		t.Run(string(channel), func(t *testing.T) {
			raw := strings.ReplaceAll(blocks(t)["json target "+string(channel)], "…", "x")
			if err := (deliver.Rules{}).CheckTarget(channel, json.RawMessage(raw)); err != nil {
				t.Errorf("%s: %v", channel, err)
			}
		})
	}
	if !json.Valid([]byte(blocks(t)["json"])) {
		t.Error("the example of a body is not JSON")
	}
}

// The pieces that people copy into their receivers accept what we sign, and nothing
// that was changed on the way.
func TestReceiversVerifyAsTheDocumentationSays(t *testing.T) {
	for language, c := range map[string]struct{ program, file, prologue, epilogue string }{
		"python": {"python3", "verify.py", "", `
import json, sys
for line in sys.stdin:
    case = json.loads(line)
    print("true" if verify(case["headers"], case["body"].encode(), case["secret"]) else "false")
`},
		"js": {"node", "verify.js", "", `
for (const line of require("fs").readFileSync(0, "utf8").trim().split("\n")) {
  const c = JSON.parse(line);
  console.log(String(verify(c.headers, Buffer.from(c.body), c.secret)));
}
`},
		"go": {"go", "verify.go", `package main

import ("bufio"; "crypto/hmac"; "crypto/sha256"; "encoding/base64"; "encoding/json"; "fmt"; "net/http"; "os"; "strconv"; "strings"; "time")

`, `
func main() {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var c struct { Headers map[string]string; Body, Secret string }
		if json.Unmarshal(lines.Bytes(), &c) != nil { panic("no case") }
		h := http.Header{}
		for name, value := range c.Headers { h.Set(name, value) }
		fmt.Println(verify(h, []byte(c.Body), c.Secret))
	}
}
`},
	} {
		t.Run(language, func(t *testing.T) {
			program, err := exec.LookPath(c.program)
			if err != nil {
				t.Skip(c.program + " is not installed")
			}
			path := filepath.Join(t.TempDir(), c.file)
			if err := os.WriteFile(path, []byte(c.prologue+blocks(t)[language+" verify"]+c.epilogue), 0o600); err != nil {
				t.Fatal(err)
			}
			args := []string{path}
			if language == "go" {
				args = []string{"run", path}
			}
			cases, want := verifyCases(t)
			command := exec.CommandContext(t.Context(), program, args...)
			command.Stdin = strings.NewReader(cases)
			out, err := command.CombinedOutput()
			if err != nil || strings.TrimSpace(string(out)) != want {
				t.Errorf("%v: said\n%swant\n%s", err, out, want)
			}
		})
	}
}

func verifyCases(t *testing.T) (string, string) {
	t.Helper()
	body := `{"type":"entity_changed","data":{"name":"Zażółć"}}`
	old, now := secrets(t)[0], time.Now()
	both, err := deliver.Rotate([]deliver.Secret{old}, strings.NewReader(strings.Repeat("n", 32)), now, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	var lines, want []string
	add := func(h http.Header, body, secret string, ok bool) {
		headers := map[string]string{}
		for name := range h {
			headers[strings.ToLower(name)] = h.Get(name)
		}
		raw, err := json.Marshal(map[string]any{"headers": headers, "body": body, "secret": secret})
		if err != nil {
			t.Fatal(err)
		}
		lines, want = append(lines, string(raw)), append(want, fmt.Sprint(ok))
	}
	sign := func(at time.Time) http.Header {
		h, err := deliver.Sign("del_1", []byte(body), both, at)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	add(sign(now), body, old.Key, true)
	add(sign(now), body, both[0].Key, true)
	add(sign(now), body+" ", old.Key, false)
	add(sign(now.Add(-10*time.Minute)), body, old.Key, false)
	add(sign(now.Add(10*time.Minute)), body, old.Key, false)
	forged := sign(now)
	forged.Set("Webhook-Id", "del_2")
	add(forged, body, old.Key, false)
	return strings.Join(lines, "\n") + "\n", strings.Join(want, "\n")
}
