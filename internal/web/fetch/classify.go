package fetch

import (
	"bytes"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/web/egress"
)

// Classification is what an answer means.
type Classification struct {
	Outcome curlew.Outcome
	Block   curlew.Block
	Why     string
}

// Classify says in a word what came of a request. asked says whether we sent
// validators, so that "not modified" can be believed.
func Classify(answer *egress.Response, asked bool) Classification {
	switch status := answer.Status; {
	case status == http.StatusNotModified && asked:
		return Classification{Outcome: curlew.OutcomeNotModified}
	case status == http.StatusNotModified:
		return Classification{Outcome: curlew.OutcomeDamaged, Why: "it answered “not modified” although nothing was asked of the kind"}
	case status == http.StatusNotFound, status == http.StatusGone:
		return Classification{Outcome: curlew.OutcomeGone, Why: http.StatusText(status)}
	case status >= 200 && status < 300:
		return classifyBody(answer)
	case status >= 400:
		return classifyRefusal(answer)
	}
	return Classification{Outcome: curlew.OutcomeFailed, Why: "it answered " + http.StatusText(answer.Status) + " and nothing to read"}
}

// classifyRefusal tells being turned away from a server in trouble.
func classifyRefusal(answer *egress.Response) Classification {
	signs := look(answer)
	switch {
	case answer.Status == http.StatusTooManyRequests:
		return blocked(curlew.BlockRateLimited, "it asks us to slow down")
	case signs.challenge != "":
		return blocked(curlew.BlockChallenge, signs.challenge)
	case signs.captcha != "":
		return blocked(curlew.BlockCaptcha, signs.captcha)
	case answer.Status == http.StatusServiceUnavailable && answer.Header.Get("Retry-After") != "":
		return blocked(curlew.BlockRateLimited, "it is busy and says when to come back")
	case answer.Status == http.StatusUnauthorized:
		return blocked(curlew.BlockLogin, "it requires a login")
	case answer.Status == http.StatusForbidden, answer.Status == http.StatusUnavailableForLegalReasons:
		return blocked(curlew.BlockForbidden, "it answered "+http.StatusText(answer.Status))
	}
	return Classification{Outcome: curlew.OutcomeFailed, Why: "it answered " + http.StatusText(answer.Status)}
}

// classifyBody looks at what came with a success.
func classifyBody(answer *egress.Response) Classification {
	if !answer.Complete {
		return Classification{Outcome: curlew.OutcomeDamaged, Why: shortfall(answer)}
	}
	if len(bytes.TrimSpace(answer.Body)) == 0 {
		return Classification{Outcome: curlew.OutcomeDamaged, Why: "it is empty"}
	}
	if !looksLikeHTML(answer) {
		return Classification{Outcome: curlew.OutcomeFetched}
	}
	signs := look(answer)
	switch {
	case signs.challenge != "":
		return blocked(curlew.BlockChallenge, signs.challenge)
	case signs.captcha != "":
		return blocked(curlew.BlockCaptcha, signs.captcha)
	case signs.login:
		return blocked(curlew.BlockLogin, "it shows a login form and little else")
	case signs.javascript != "":
		return blocked(curlew.BlockJavaScript, signs.javascript)
	case signs.apology != "":
		return Classification{Outcome: curlew.OutcomeFailed, Why: fmt.Sprintf("its whole text is “%s”", signs.apology)}
	}
	return Classification{Outcome: curlew.OutcomeFetched}
}

func blocked(b curlew.Block, why string) Classification {
	return Classification{Outcome: curlew.OutcomeBlocked, Block: b, Why: why}
}

var shortfalls = map[egress.Shortfall]string{
	egress.OutOfTime:       "it was still coming when the time was up",
	egress.CutShort:        "the connection ended before the page did",
	egress.BadEncoding:     "it does not decompress to its end",
	egress.UnknownEncoding: "its encoding is unknown",
}

// BrokeOff says whether a page did not come to its end, and may do so another time.
func BrokeOff(p curlew.Page) bool {
	return p.Outcome == curlew.OutcomeDamaged && (p.Why == shortfalls[egress.CutShort] || p.Why == shortfalls[egress.OutOfTime])
}

// shortfall says why an answer is not complete.
func shortfall(answer *egress.Response) string {
	if answer.Why == egress.OverBudget {
		return fmt.Sprintf("it is larger than %d KiB, and no more is read of a page", len(answer.Body)>>10)
	}
	return shortfalls[answer.Why]
}

func looksLikeHTML(answer *egress.Response) bool {
	kind, _, err := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if err == nil && kind != "" {
		return kind == "text/html" || kind == "application/xhtml+xml"
	}
	return strings.HasPrefix(http.DetectContentType(answer.Body), "text/html")
}
