package deliver

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

const goodKey = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

func TestTargetsAreCheckedWithASentence(t *testing.T) {
	for _, c := range []struct {
		channel  curlew.Channel
		raw      string
		sentence string // "" means that it is good
	}{
		{"webhook", `{"url":"https://example.org/in?x=1","secrets":[{"key":"` + goodKey + `"}],"headers":{"Authorization":"Bearer x"}}`, ""},
		{"webhook", `{"url":"http://example.org/","secrets":[{"key":"` + goodKey + `"}]}`, "use https://"},
		{"webhook", `{"url":"ftp://example.org/","secrets":[{"key":"` + goodKey + `"}]}`, "neither https://"},
		{"webhook", `{"url":"https://ana:pw@example.org/","secrets":[{"key":"` + goodKey + `"}]}`, "user name or password"},
		{"webhook", `{"url":"https:///x","secrets":[{"key":"` + goodKey + `"}]}`, "no host"},
		{"webhook", `{"url":"https://example.org/\r\nX: y","secrets":[{"key":"` + goodKey + `"}]}`, "cannot be read"},
		{"webhook", `{"url":"https://example.org/#a","secrets":[{"key":"` + goodKey + `"}]}`, "fragment"},
		{"webhook", `{"url":"https://example.org/` + strings.Repeat("a", 2100) + `","secrets":[{"key":"` + goodKey + `"}]}`, "2083 are the most"},
		{"webhook", `{"url":"https://example.org/"}`, "between 1 and 4 secrets"},
		{"webhook", `{"url":"https://example.org/","secrets":[{"key":"hunter2"}]}`, "begins with whsec_"},
		{"webhook", `{"secrets":[]}`, "has no url"},
		{"webhook", `{"url":"https://example.org/","secrets":[{"key":"` + goodKey + `"}],"headers":{"X-A":"a\r\nB: c"}}`, "cannot carry"},
		{"webhook", `{"url":"https://example.org/","secrets":[{"key":"` + goodKey + `"}],"headers":{"X A":"a"}}`, "name of a header"},
		{"webhook", `{"url":"https://example.org/","secrets":[{"key":"` + goodKey + `"}],"headers":{"Webhook-ID":"a"}}`, "set by Curlew"},
		{"webhook", `{"url":"https://example.org/","secrets":[{"key":"` + goodKey + `"}],"headers":{"host":"a"}}`, "set by Curlew"},
		{"webhook", `{"adress":"x"}`, `unknown field "adress"`},
		{"webhook", ``, "not the JSON"},
		{"slack", `{"url":"https://hooks.slack.com/services/T0/B0/xyz"}`, ""},
		{"slack", `{"url":"http://hooks.slack.com/services/T0/B0/xyz"}`, "use https://"},
		{"email", `{"to":["ana@example.org","bo.berg+x@mail.example.org"]}`, ""},
		{"email", `{"to":[]}`, "between 1 and 20"},
		{"email", `{"to":["Ana <ana@example.org>"]}`, "write it alone"},
		{"email", `{"to":["ana@example.org\r\nBcc: eve@example.org"]}`, "not an e-mail address"},
		{"email", `{"to":["\"a b\"@example.org"]}`, "e-mail address"},
		{"email", `{"to":["ana"]}`, "not an e-mail address"},
		{"pigeon", `{}`, "unknown channel"},
	} {
		t.Run(c.raw, func(t *testing.T) {
			err := Rules{}.CheckTarget(c.channel, json.RawMessage(c.raw))
			if c.sentence == "" && err != nil || c.sentence != "" && (err == nil || !strings.Contains(err.Error(), c.sentence)) {
				t.Errorf("%s %.90s: %v, want %q", c.channel, c.raw, err, c.sentence)
			}
			if err != nil && (strings.Contains(err.Error(), "xyz") || strings.Contains(err.Error(), "hunter2")) {
				t.Errorf("the secret is told: %v", err)
			}
		})
	}
	plain := json.RawMessage(`{"url":"http://127.0.0.1:9/","secrets":[{"key":"` + goodKey + `"}]}`)
	if err := (Rules{PlainHTTP: true}).CheckTarget("webhook", plain); err != nil {
		t.Error(err)
	}
}

func TestWhatIsShownOfATargetHasNoSecrets(t *testing.T) {
	for _, c := range []struct{ channel, raw, want string }{
		{"webhook", `{"url":"https://example.org/in?token=hunter2","secrets":[{"key":"` + goodKey + `"}],"headers":{"Authorization":"Bearer hunter2"}}`,
			`{"url":"https://example.org/in?••••","secrets":[{"key":"whsec_••••"}],"headers":{"Authorization":"••••"}}`},
		{"webhook", `{"url":"https://ana:hunter2@example.org/in","secrets":null}`, `{"url":"https://example.org/in","secrets":null}`},
		{"slack", `{"url":"https://hooks.slack.com/services/T0/B0/hunter2"}`, `{"url":"https://hooks.slack.com/••••"}`},
		{"slack", `{"url":"hunter2"}`, `{"url":"••••"}`},
		{"slack", `{"url":"hunter2`, `{}`},
		{"email", `{"to":["ana@example.org"]}`, `{"to":["ana@example.org"]}`},
		{"pigeon", `{"key":"hunter2"}`, `{}`},
	} {
		t.Run(c.channel, func(t *testing.T) {
			if got := string(Redact(curlew.Channel(c.channel), json.RawMessage(c.raw))); got != c.want {
				t.Errorf("%s: %s, want %s", c.raw, got, c.want)
			}
		})
	}
}

func FuzzCheckTarget(f *testing.F) {
	f.Add("webhook", []byte(`{"url":"https://example.org/in?x=1","secrets":[{"key":"`+goodKey+`"}],"headers":{"Authorization":"Bearer x"}}`))
	f.Add("slack", []byte(`{"url":"https://hooks.slack.com/services/T0/B0/xyz"}`))
	f.Add("email", []byte(`{"to":["ana@example.org"]}`))
	f.Fuzz(func(t *testing.T, channel string, raw []byte) {
		if err := (Rules{}).CheckTarget(curlew.Channel(channel), raw); err == nil && channel == "email" && strings.ContainsAny(string(raw), "\r") {
			var target EmailTarget
			if json.Unmarshal(raw, &target) == nil && strings.ContainsAny(strings.Join(target.To, ""), "\r\n") {
				t.Errorf("an address with a line end passed: %q", raw)
			}
		}
		if shown := Redact(curlew.Channel(channel), raw); channel != "email" && !json.Valid(shown) {
			t.Errorf("%q is shown as %q", raw, shown)
		}
	})
}
