package fetch

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/web/egress"
)

func TestClassify(t *testing.T) {
	html := http.Header{"Content-Type": {"text/html"}}
	page := "<html><body>" + longText + "</body></html>"
	shown := func(body string) egress.Response {
		return egress.Response{Status: 200, Header: html, Complete: true, Body: []byte(body)}
	}
	list := "<ul>" + strings.Repeat("<li>Jazz at the Mill, 21 November</li>", 5) + "</ul>"
	login := `<form action=/login><label>E-mail <input name=u></label><label>Password <input type=password name=p></label><button>Log in</button></form>`
	talks := `<h1>Talks this winter</h1><ul>` + strings.Repeat("<li><h3><a href=/t>Pins and needles</a></h3><time>10 December 2026, 7 pm</time></li>", 4) + `</ul>`
	cases := []struct {
		name    string
		answer  egress.Response
		asked   bool
		outcome curlew.Outcome
		block   curlew.Block
	}{
		{"a page", egress.Response{Status: 200, Header: html, Body: []byte(page), Complete: true}, false, curlew.OutcomeFetched, ""},
		{"a cut page", egress.Response{Status: 200, Header: html, Body: []byte(page), Why: egress.CutShort}, false, curlew.OutcomeDamaged, ""},
		{"an empty page", egress.Response{Status: 200, Header: html, Body: []byte(" \n"), Complete: true}, false, curlew.OutcomeDamaged, ""},
		{"gone", egress.Response{Status: 410, Header: html, Complete: true}, false, curlew.OutcomeGone, ""},
		{"not found", egress.Response{Status: 404, Header: html, Body: []byte(page), Complete: true}, false, curlew.OutcomeGone, ""},
		{"not modified", egress.Response{Status: 304, Complete: true}, true, curlew.OutcomeNotModified, ""},
		{"unsolicited not modified", egress.Response{Status: 304, Complete: true}, false, curlew.OutcomeDamaged, ""},
		{"forbidden", egress.Response{Status: 403, Header: html, Complete: true}, false, curlew.OutcomeBlocked, curlew.BlockForbidden},
		{"too many", egress.Response{Status: 429, Complete: true}, false, curlew.OutcomeBlocked, curlew.BlockRateLimited},
		{"busy", egress.Response{Status: 503, Header: http.Header{"Retry-After": {"3"}}, Complete: true}, false, curlew.OutcomeBlocked, curlew.BlockRateLimited},
		{"broken", egress.Response{Status: 503, Complete: true}, false, curlew.OutcomeFailed, ""},
		{"error", egress.Response{Status: 500, Header: html, Body: []byte(page), Complete: true}, false, curlew.OutcomeFailed, ""},
		{"login", egress.Response{Status: 401, Complete: true}, false, curlew.OutcomeBlocked, curlew.BlockLogin},
		{"login form", egress.Response{Status: 200, Header: html, Complete: true, Body: []byte(`<h1>Sign in</h1><form><input name=u><input type="password"></form>`)}, false, curlew.OutcomeBlocked, curlew.BlockLogin},
		{"a list with a login form", shown(talks + login), false, curlew.OutcomeFetched, ""},
		{"a list with a login form in its header", shown("<header>" + login + "</header>" + talks), false, curlew.OutcomeFetched, ""},
		{"a list within the form of its login", shown("<form>" + talks + login + "</form>"), false, curlew.OutcomeFetched, ""},
		{"a notice with a login form", shown("<h1>Closed</h1><p>" + longText[:350] + "</p>" + login), false, curlew.OutcomeFetched, ""},
		{"sections with a login form", shown("<h2>Hours</h2><p>Nine to five.</p><h2>Fares</h2><p>2 euros.</p><h2>Boats</h2><p>Three.</p>" + login), false, curlew.OutcomeFetched, ""},
		{"a login page with links", shown("<nav><ul><li>Home<li>News<li>Talks</ul></nav><h1>Sign in</h1><p>Please sign in to see the pages of our members. You are sent back to the page you came from.</p>" + login +
			"<ul><li><a href=/f>Forgot your password?</a><li><a href=/n>Create an account</a><li><a href=/h>Help</a></ul><ul><li>English<li>Deutsch<li>Français<li>Español<li>Polski</ul>"),
			false, curlew.OutcomeBlocked, curlew.BlockLogin},
		{"a login page of two kinds", shown("<h2>Sign in</h2>" + login + "<h2>New here?</h2><p>With an account you order faster and see where your parcel is.</p><a href=/n>Register</a>"),
			false, curlew.OutcomeBlocked, curlew.BlockLogin},
		{"challenge", egress.Response{Status: 503, Header: html, Complete: true, Body: []byte(`<title>Just a moment...</title><script>window._cf_chl_opt={}</script>`)}, false, curlew.OutcomeBlocked, curlew.BlockChallenge},
		{"captcha with 200", egress.Response{Status: 200, Header: html, Complete: true, Body: []byte(`<p>Please prove</p><div class="g-recaptcha"></div>`)}, false, curlew.OutcomeBlocked, curlew.BlockCaptcha},
		{"captcha in a comment form", egress.Response{Status: 200, Header: html, Complete: true, Body: []byte(page + `<div class="g-recaptcha"></div>`)}, false, curlew.OutcomeFetched, ""},
		{"a list that mentions a captcha", shown(list + `<p>Our contact form is protected by reCAPTCHA. Please solve the captcha.</p>`), false, curlew.OutcomeFetched, ""},
		{"a list with a captcha's script", shown(`<script src="https://www.google.com/recaptcha/api.js"></script>` + list), false, curlew.OutcomeFetched, ""},
		{"a list with a captcha's form", shown(list + `<form><div class="g-recaptcha"></div></form>`), false, curlew.OutcomeFetched, ""},
		{"cards with a captcha", shown(strings.ReplaceAll(list, "li>", "div>") + `<div class="h-captcha"></div>`), false, curlew.OutcomeFetched, ""},
		{"a notice that mentions a captcha", shown(`<h1>Notice</h1><p>` + longText[:250] + `</p><p>Protected by reCAPTCHA.</p>`), false, curlew.OutcomeFetched, ""},
		{"a contact form with a captcha", shown(`<form>Name <input name=n> Message <textarea></textarea><div class="h-captcha"></div></form>`), false, curlew.OutcomeFetched, ""},
		{"a captcha's own form", shown(`<nav><ul><li>Home<li>News<li>Events<li>Contact</ul></nav><p>Type the characters you see.</p><form><img src=captcha.png><input name=answer></form>`),
			false, curlew.OutcomeBlocked, curlew.BlockCaptcha},
		{"a list behind a refusal", egress.Response{Status: 403, Header: html, Complete: true, Body: []byte(list + `<div class="g-recaptcha"></div>`)}, false, curlew.OutcomeBlocked, curlew.BlockCaptcha},
		{"requires JavaScript", egress.Response{Status: 200, Header: html, Complete: true, Body: []byte(`<noscript>Please enable JavaScript.</noscript><script src=a.js></script>`)}, false, curlew.OutcomeBlocked, curlew.BlockJavaScript},
		{"a short page with an empty part", egress.Response{Status: 200, Header: html, Complete: true, Body: []byte(
			`<h1>Lift status</h1><p>All lifts run today from 8:30 to 16:00.</p><div class="ad" id="ad-1"></div><script src="ads.js"></script>`)}, false, curlew.OutcomeFetched, ""},
		{"an empty shell", egress.Response{Status: 200, Header: html, Complete: true, Body: []byte(`<title>Shop</title><div id="root"></div><script src="a.js"></script>`)}, false, curlew.OutcomeBlocked, curlew.BlockJavaScript},
		{"a short honest page", egress.Response{Status: 200, Header: html, Complete: true, Body: []byte(`<h1>Closed</h1><p>We are closed today.</p>`)}, false, curlew.OutcomeFetched, ""},
		{"an error with 200", shown(`<title>Error</title><h1>Error</h1><p>Something went wrong. Please try again later.</p>`), false, curlew.OutcomeFailed, ""},
		{"not found with 200", shown(`<nav><a href=/>Home</a></nav><h1>Seite nicht gefunden</h1><p>Die Seite gibt es nicht mehr.</p>`), false, curlew.OutcomeFailed, ""},
		{"a list of errors", shown(`<h1>Error codes</h1>` + talks), false, curlew.OutcomeFetched, ""},
		{"JSON", egress.Response{Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Complete: true, Body: []byte(`{}`)}, false, curlew.OutcomeFetched, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := Classify(&c.answer, c.asked)
			if got.Outcome != c.outcome || got.Block != c.block {
				t.Errorf("%s %s (%s), want %s %s", got.Outcome, got.Block, got.Why, c.outcome, c.block)
			}
		})
	}
}

// Every page of the sample web is a page, except where its site needs a browser;
// every way in which it breaks is seen.
func TestTheSampleWebIsToldFromItsWalls(t *testing.T) {
	web := demo.New(demo.Options{})
	ask := func(name string) Classification {
		handler, err := web.Handler(name)
		if err != nil {
			t.Fatal(err)
		}
		site, err := web.Site(name)
		if err != nil {
			t.Fatal(err)
		}
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "http://"+name+".test"+site.Home, nil))
		return Classify(&egress.Response{Status: recorder.Code, Header: recorder.Header(), Body: recorder.Body.Bytes(), Complete: true}, false)
	}
	for _, site := range web.Sites() {
		for range site.Designs {
			got := ask(site.Name)
			want := Classification{Outcome: curlew.OutcomeFetched}
			if site.Name == "spa" {
				want = Classification{Outcome: curlew.OutcomeBlocked, Block: curlew.BlockJavaScript}
			}
			if got.Outcome != want.Outcome || got.Block != want.Block {
				t.Errorf("%s: %s %s (%s)", site.Name, got.Outcome, got.Block, got.Why)
			}
			_ = web.Redesign(site.Name)
		}
	}
	for mode, want := range map[demo.Mode]curlew.Outcome{"500": curlew.OutcomeFailed, "empty": curlew.OutcomeDamaged,
		"block": curlew.OutcomeBlocked, "captcha": curlew.OutcomeBlocked} {
		t.Run(string(mode), func(t *testing.T) {
			if err := web.Break("shop", mode); err != nil {
				t.Fatal(err)
			}
			if got := ask("shop"); got.Outcome != want {
				t.Errorf("broken by %s: %s %s (%s), want %s", mode, got.Outcome, got.Block, got.Why, want)
			}
		})
	}
}

func TestCharset(t *testing.T) {
	utf16 := func(s string) []byte {
		var b []byte
		for _, r := range s {
			b = append(b, byte(r), byte(r>>8))
		}
		return b
	}
	cases := []struct {
		name, contentType, want string
		body                    []byte
		text                    string
	}{
		{"said in the header", "text/html; charset=iso-8859-2", "iso-8859-2", []byte("Krak\xf3w"), "Kraków"},
		{"said in the page", "text/html", "windows-1252", []byte("<meta charset=windows-1252>caf\xe9 \x80"), "<meta charset=windows-1252>café €"},
		{"said in the page alone, Polish", "text/html", "iso-8859-2",
			[]byte("<meta charset=iso-8859-2>Ekspres ci\xb6nieniowy 1 299 z\xb3"), "<meta charset=iso-8859-2>Ekspres ciśnieniowy 1 299 zł"},
		{"said in the page, the header is wrong", "text/html; charset=utf-8", "iso-8859-2",
			[]byte("<meta charset=iso-8859-2>Ekspres ci\xb6nieniowy 1 299 z\xb3"), "<meta charset=iso-8859-2>Ekspres ciśnieniowy 1 299 zł"},
		{"said in the page, which has bytes that the charset has no letters for", "text/html", "windows-1252",
			[]byte("<meta charset=iso-8859-2>\x93caf\xe9\x94 \x80 5"), "<meta charset=iso-8859-2>“café” € 5"},
		{"a long page that names none", "text/html", "windows-1251",
			[]byte(strings.Repeat("<br>", 300) + strings.Repeat("\xcf\xf0\xe8\xe2\xe5\xf2, \xea\xe0\xea \xe4\xe5\xeb\xe0? ", 200)), ""},
		{"UTF-8 that nobody names", "text/html", "utf-8", []byte("Łódź"), "Łódź"},
		{"a mark", "text/html; charset=iso-8859-1", "utf-8", []byte("\xef\xbb\xbfŁódź"), "Łódź"},
		{"UTF-16 without a mark", "text/html", "utf-16le", utf16("<html><body>Hello there</body></html>"), "<html><body>Hello there</body></html>"},
		{"a name that nobody knows", "text/html; charset=klingon", "utf-8", []byte("plain"), "plain"},
		{"said to be UTF-8, but is not", "text/html; charset=utf-8", "", []byte("caf\xe9 au lait, d\xe9j\xe0 vu, \xe0 bient\xf4t, gar\xe7on, na\xefve, fa\xe7ade"), ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := Charset(c.body, c.contentType)
			if c.want != "" && got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if text := string(text.UTF8(c.body, got)); c.text != "" && text != c.text {
				t.Errorf("%q, want %q", text, c.text)
			}
		})
	}
}

func FuzzCharset(f *testing.F) {
	f.Add([]byte("<meta charset=utf-16le>x"), "text/html")
	f.Add([]byte("\xff\xfe\x00"), "text/html; charset=utf-7")
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		text.UTF8(body, Charset(body, contentType))
	})
}

func TestAPageThatIsTooLargeIsToldTheLimit(t *testing.T) {
	answer := &egress.Response{Status: 200, Body: make([]byte, 10<<20), Why: egress.OverBudget}
	if got := Classify(answer, false); got.Outcome != curlew.OutcomeDamaged || !strings.Contains(got.Why, "larger than 10240 KiB") {
		t.Errorf("%s: %s", got.Outcome, got.Why)
	}
}
