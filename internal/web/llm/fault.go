package llm

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// refusal says what a status other than 200 means.
func (a *AccountClient) refusal(answer *http.Response, body []byte) attempt {
	status := answer.StatusCode
	wait, asked := retryAfter(answer.Header, a.now())
	switch {
	case status == http.StatusTooManyRequests && asked && wait > longestWait:
		const sentence = "the model's server allows no request for %s"
		return attempt{wait: wait, again: true, err: curlew.Temporary("llm_busy", sentence, wait.Round(time.Second))}
	case status == http.StatusTooManyRequests:
		return attempt{wait: wait, again: true, err: curlew.Temporary("llm_busy",
			"the model's server has too many requests from this key, or its quota is used up")}
	case status >= 500:
		return attempt{wait: wait, again: true, err: curlew.Temporary("llm_server_failed", "the model's server failed with status %d", status)}
	case status == http.StatusUnauthorized, status == http.StatusForbidden: // what it says may quote the key
		return attempt{err: curlew.Permanent("llm_key_refused",
			"the model's server refuses the key: check llm.key (CURLEW_LLM_KEY) and llm.provider")}
	case status == http.StatusNotFound:
		return attempt{err: curlew.Permanent("llm_unknown_model", "the model's server has no model %q: check llm.model and llm.url", a.Model)}
	case status >= 300 && status < 400:
		return attempt{err: curlew.Permanent("llm_redirected",
			"the model's server redirects to another host, which must not get the key: check llm.url")}
	}
	sentence := said(body, a.Key)
	sentence = cmp.Or(sentence, "it does not say why")
	return attempt{err: curlew.Permanent("llm_refused", "the model's server refuses the request with status %d: %s", status, sentence)}
}

// said is the message of an error in either format, made safe to print.
func said(body []byte, key Key) string {
	var wrapped struct {
		Error json.RawMessage `json:"error"`
	}
	var inner struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(body, &wrapped) != nil {
		return ""
	}
	if json.Unmarshal(wrapped.Error, &inner) != nil {
		_ = json.Unmarshal(wrapped.Error, &inner.Message) // some servers give a text alone
	}
	blank := func(r rune) bool { return !unicode.IsPrint(r) || unicode.IsSpace(r) }
	return text.Clip(strings.Join(strings.FieldsFunc(key.without(inner.Message), blank), " "), 200)
}

// retryAfter reads the header of that name, a number of seconds or a date (RFC 9110,
// section 10.2.3), clamped to a second and a day.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if text == "" {
		return 0, false
	}
	wait := 24 * time.Hour
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		if seconds < wait.Seconds() {
			wait = time.Duration(max(seconds, 0) * float64(time.Second))
		}
	} else if at, err := http.ParseTime(text); err == nil {
		wait = min(at.Sub(now), wait)
	} else {
		return 0, false
	}
	return max(wait, time.Second), true
}
