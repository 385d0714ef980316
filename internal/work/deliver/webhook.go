package deliver

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/instrument"
	"github.com/curlew-data/curlew/internal/web/egress"
)

// postTime is how long an endpoint may take, from the lookup to the end of its answer.
const postTime = 15 * time.Second

// Webhook posts signed JSON as Standard Webhooks describes it. It follows no
// redirects: what was signed for one place is not sent to another.
type Webhook struct {
	Client    *egress.Client
	UserAgent string
	Now       func() time.Time
	Time      time.Duration // 0 means 15 s
}

// Send posts the message.
func (w Webhook) Send(ctx context.Context, raw json.RawMessage, m Message) (Answer, error) {
	t, err := decodeTarget[WebhookTarget](raw)
	if err != nil {
		return Answer{}, err
	}
	if err := (Rules{PlainHTTP: true}).checkWebhook(t); err != nil { // it may have been saved under other rules
		return Answer{}, err
	}
	body, err := m.Body()
	if err != nil {
		return Answer{}, err
	}
	header, err := Sign(m.ID, body, t.Secrets, w.Now())
	if err != nil {
		return Answer{}, err
	}
	if parent := instrument.Traceparent(ctx); parent != "" {
		header.Set("Traceparent", parent)
	}
	for name, value := range t.Headers {
		header.Set(name, value)
	}
	return post{w.Client, w.UserAgent, w.Now, w.Time}.send(ctx, t.URL, header, body)
}

// post is what webhooks and chats have in common.
type post struct {
	client    *egress.Client
	userAgent string
	now       func() time.Time
	time      time.Duration
}

func (p post) send(ctx context.Context, url string, header http.Header, body []byte) (Answer, error) {
	return p.ask(ctx, http.MethodPost, url, header, body)
}

// ask sends by another method; JSON, where the header says nothing else.
func (p post) ask(ctx context.Context, method, url string, header http.Header, body []byte) (Answer, error) {
	if header.Get("Content-Type") == "" {
		header.Set("Content-Type", "application/json")
	}
	if p.userAgent != "" {
		header.Set("User-Agent", p.userAgent)
	}
	if p.time <= 0 {
		p.time = postTime
	}
	started := p.now()
	response, err := p.client.Do(ctx, egress.Request{
		Method: method, URL: url, Header: header, Body: body,
		Budget: egress.Budget{Body: maxAnswer, Time: p.time},
	})
	if err != nil {
		return Answer{Took: p.now().Sub(started)}, withoutURL(ctx, err, url)
	}
	answer := Answer{
		Status: response.Status, Text: tidyLines(response.Body), Took: response.Took,
		RetryAfter: retryAfter(response.Header.Get("Retry-After"), p.now()),
	}
	return answer, judge(response)
}

// withoutURL keeps what may be a secret out of what is stored and shown.
func withoutURL(ctx context.Context, err error, url string) error {
	if givenUp(ctx, err) {
		return err
	}
	f := *curlew.AsFault(err)
	f.Sentence = strings.ReplaceAll(f.Sentence, url, redactURL(url, false))
	return &f
}

// judge says what a status means.
func judge(r *egress.Response) error {
	status := strings.TrimSpace(strconv.Itoa(r.Status) + " " + http.StatusText(r.Status))
	switch {
	case r.Status >= 200 && r.Status < 300:
		return nil
	case r.Status == http.StatusGone:
		return curlew.Permanent(errGone, "the endpoint answered %s", status)
	case r.Status >= 300 && r.Status < 400:
		return curlew.Permanent("redirected", "the endpoint answered %s; redirects are not followed, so give the final address", status)
	case r.Status == http.StatusRequestTimeout || r.Status == http.StatusTooEarly || r.Status == http.StatusTooManyRequests || r.Status >= 500:
		return curlew.Temporary("bad_answer", "the endpoint answered %s", status)
	}
	return curlew.Permanent("refused_there", "the endpoint answered %s", status)
}

// retryAfter reads the header in both of its forms (RFC 9110, 10.2.3) and clamps it.
func retryAfter(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	if value == "" {
		return 0
	}
	wait := mostRetryAfter
	if at, err := http.ParseTime(value); err == nil {
		wait = at.Sub(now)
	} else if digits := strings.TrimLeft(value, "+-"); digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0
	} else if strings.HasPrefix(value, "-") {
		wait = 0
	} else if seconds, err := strconv.ParseInt(digits, 10, 32); err == nil {
		wait = time.Duration(seconds) * time.Second
	}
	return min(max(wait, leastRetryAfter), mostRetryAfter)
}
