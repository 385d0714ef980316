package fetch

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/curlew-data/curlew/internal/web/egress"
)

// signs are what a page shows that is no page.
type signs struct {
	challenge  string
	captcha    string
	javascript string
	login      bool
	apology    string // what a site says instead of the page, with a status of success
}

// A page with this much to read is a page, whatever widgets it carries: a comment
// form with a captcha blocks nobody.
const enoughText = 800

// lookAt bounds how much of a page is looked at: walls are short.
const lookAt = 64 << 10

// Marks of the walls that the large protection services put up. Each is part of
// a service's detail page, not of a page that is merely behind it.
var challengeMarks = []string{"cf-browser-verification", "cf_chl_opt", "/cdn-cgi/challenge-platform/h/", "_incapsula_resource",
	"checking your browser before", "ddos-guard", "<title>just a moment", "sucuri website firewall", "verifying you are human",
	"please wait while we verify", "aws-waf-token", "/_sec/cp_challenge", "px-captcha"}

var captchaMarks = []string{"g-recaptcha", "h-captcha", "cf-turnstile", "captcha-delivery.com", "geetest", "funcaptcha",
	"are you a robot", "not a robot", "unusual traffic", "prove you are human"}

var javascriptMarks = []string{"enable javascript", "enable js", "javascript is disabled", "javascript is required",
	"requires javascript", "need to enable javascript", "javascript aktivieren", "activer javascript", "activar javascript",
	"włącz obsługę javascript", "schakel javascript in", "abilita javascript", "aktiver javascript", "aktivera javascript"}

var (
	password = regexp.MustCompile(`(?i)<input[^>]+type=["']?password`)
	mount    = regexp.MustCompile(`(?i)<(?:(?:div|main)\s(?:[^>]*\s)?id=["']?(?:root|app|__next|__nuxt|main-app|_*gatsby` +
		`|svelte)["']?(?:\s[^>]*)?|` +
		`app-root[^>]*)>\s*</(?:div|main|app-root)>`)
	hollow = regexp.MustCompile(`(?i)<(?:div|main)[^>]*>\s*</(?:div|main)>`)
)

// The most text beside a part that scripts fill, where its name says so and where any empty part may be one.
const mountText, hollowText = 200, 40

// apology is a title or a main heading that says there is no page, at its beginning.
var apology = regexp.MustCompile(`(?i)<(?:title|h1)[^>]*>\s*((?:(?:4\d\d|50\d)\b|(?:page |site )?(?:temporarily )?` +
	`(?:unavailable|not found)\b|error\b|` +
	`something went wrong|internal server error|bad gateway|service unavailable|fehler\b|seite nicht gefunden|erreur\b|` +
	`page (?:non trouvée|introuvable)|` +
	`errore\b|pagina non trovata|página no encontrada|błąd\b|nie znaleziono strony|fout\b|pagina niet gevonden)[^<]{0,80})`)

// apologyText is the most text that such a page shows.
const apologyText = 400

// look reads the signs of an answer with little to read.
func look(answer *egress.Response) signs {
	body := answer.Body[:min(len(answer.Body), lookAt)]
	shown := visible(body, enoughText)
	if shown > enoughText {
		return signs{}
	}
	lower := strings.ToLower(string(body))
	s := signs{login: password.Match(body) && !hasContent(lower)}
	s.challenge, s.captcha = wall(answer, lower)
	if m := apology.FindSubmatch(body); m != nil && shown <= apologyText && !hasContent(lower) {
		s.apology = strings.TrimSpace(string(m[1]))
	}
	if asks := firstMark(lower, javascriptMarks, "it requires JavaScript"); asks != "" {
		s.javascript = asks
	} else if strings.Contains(lower, "<script") && (shown < mountText && mount.Match(body) || shown < hollowText && hollow.Match(body)) {
		s.javascript = "it is an empty shell that a script fills"
	}
	return s
}

// The most text that a page shows which asks for a captcha, and one that only has the word.
const (
	captchaText     = 400
	captchaWordText = 200
)

// wall says whether a page is put up instead of the one that was asked for. What came with a
// success and has content is none, whatever widgets, scripts and words it carries.
func wall(answer *egress.Response, lower string) (challenge, captcha string) {
	challenge = firstMark(lower, challengeMarks, "it checks whether we are a browser")
	captcha = firstMark(lower, captchaMarks, "it shows a captcha")
	most := captchaText
	if captcha == "" {
		captcha, most = firstMark(lower, []string{"captcha"}, "it shows a captcha"), captchaWordText
	}
	if challenge == "" && captcha == "" || answer.Status >= http.StatusBadRequest {
		return challenge, captcha
	}
	c := contentOf(lower)
	if c.repeated >= 4 {
		return "", ""
	}
	if c.text > most || c.fields > 1 {
		captcha = ""
	}
	return challenge, captcha
}

// loginText is the most text of a page that asks to sign in, and says why.
const loginText = 300

// hasContent says whether a page has something to read beside a form to sign in.
func hasContent(lower string) bool {
	c := contentOf(lower)
	return c.text > loginText || c.entries >= 3
}

func firstMark(text string, marks []string, why string) string {
	for _, mark := range marks {
		if strings.Contains(text, mark) {
			return why
		}
	}
	return ""
}
