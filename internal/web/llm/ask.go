package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// maxAnswer bounds the body of an answer: the longest that models give is far below.
const maxAnswer = 2 << 20

// longestWait is how long a busy server is waited for; one that wants more is left
// alone, and the caller is told for how long.
const longestWait = time.Minute

// attempt is one request and what came of it.
type attempt struct {
	text  string
	usage curlew.ModelUsage
	err   error
	again bool          // the same may succeed later
	wait  time.Duration // as the server asked for; 0 when it did not
}

// Answer gives the model's answer to a conversation in which turns alternate: the
// first is ours, the next was the model's. An answer that is not at its end has the
// outcome curlew.ModelCut. The usage is that of the last attempt.
func (a *AccountClient) Answer(ctx context.Context, system string, turns []string) (string, curlew.ModelUsage, error) {
	texts := a.Key.withoutAll(append([]string{system}, turns...))
	body, err := json.Marshal(a.wire.request(a.Settings, texts[0], texts[1:]))
	if err != nil {
		return "", curlew.ModelUsage{}, err
	}
	for try := 1; ; try++ {
		made := a.attempt(ctx, body, strings.Join(texts, ""))
		if made.err == nil || !made.again || try >= a.Tries || made.wait > longestWait {
			return made.text, made.usage, made.err
		}
		pause := max(made.wait, time.Second<<(try-1))
		if err := a.Client.wait(ctx, pause); err != nil {
			return "", made.usage, err
		}
	}
}

// settling is how much longer than an attempt its reservation holds, for writing down
// what came of it.
const settling = time.Minute

// attempt asks once, within the budget, and has it metered.
func (a *AccountClient) attempt(ctx context.Context, body []byte, sent string) attempt {
	input := tokensOf(len(sent))
	var reserved curlew.ReservationID
	if a.budget != nil {
		var err error
		reserved, err = a.budget.Reserve(ctx, a.account.Org, curlew.ModelReservation{
			Source: a.account.Source, Purpose: a.account.Purpose, Provider: string(a.Provider), Model: a.Model, InputTokens: input,
			AskMicros: a.cost(input, 0), MostMicros: a.cost(mostTokensOf(len(sent)), int64(a.MaxTokens)), For: a.Timeout + settling,
		})
		if err != nil {
			return attempt{err: err}
		}
	}
	began := a.now()
	made := a.send(ctx, body, input)
	u := &made.usage
	u.Provider, u.Model, u.Purpose = string(a.Provider), a.Model, a.account.Purpose
	u.InputTokens, u.OutputTokens = plausible(u.InputTokens), plausible(u.OutputTokens)
	u.CostMicros, u.Took = a.cost(u.InputTokens, u.OutputTokens), a.now().Sub(began)
	if made.err != nil {
		u.Outcome = curlew.ModelFailed
	}
	if a.meter == nil {
		return made
	}
	call := curlew.ModelCall{Org: a.account.Org, Source: a.account.Source, ModelUsage: *u, At: began, Reservation: reserved}
	if made.err != nil {
		call.Fault = curlew.AsFault(made.err)
	}
	if err := a.meter.Record(context.WithoutCancel(ctx), call); err != nil { // a call is counted also when its caller went away
		return attempt{usage: *u, err: err}
	}
	return made
}

// send makes the request and reads the answer.
func (a *AccountClient) send(ctx context.Context, body []byte, input int64) attempt {
	limited, cancel := context.WithTimeout(ctx, a.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(limited, http.MethodPost, a.wire.address(a.BaseURL), bytes.NewReader(body))
	if err != nil {
		return attempt{err: curlew.Permanent(ErrNotConfigured, "llm.url is not an address that can be asked")}
	}
	request.Header = a.wire.header(a.Key)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "Curlew")
	answer, err := a.doer.Do(request)
	if err != nil {
		return a.unsent(ctx, limited, err, input)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	paid := curlew.ModelUsage{InputTokens: input, Estimated: true} // as far as anybody can know
	switch {
	case answer.StatusCode != http.StatusOK:
		return a.refusal(answer, content)
	case err != nil:
		lost := a.unsent(ctx, limited, err, input)
		lost.usage = paid
		return lost
	case len(content) > maxAnswer:
		const sentence = "the model's server answered with more than %d MiB"
		return attempt{usage: paid, err: curlew.Permanent("llm_answer_too_large", sentence, maxAnswer>>20)}
	}
	return a.read(content, paid)
}

// read takes the text and the counts out of an answer.
func (a *AccountClient) read(content []byte, paid curlew.ModelUsage) attempt {
	r, ok := a.wire.reply(content)
	if !ok {
		return attempt{usage: paid, err: curlew.Permanent("llm_bad_answer",
			"the model's server does not answer as %s does: check llm.provider and llm.url", a.Provider)}
	}
	made := attempt{text: r.text, usage: curlew.ModelUsage{InputTokens: r.input, OutputTokens: r.output, Outcome: curlew.ModelAnswered}}
	if r.input <= 0 {
		made.usage.InputTokens, made.usage.Estimated = paid.InputTokens, true
	}
	if r.output <= 0 {
		made.usage.OutputTokens, made.usage.Estimated = tokensOf(len(r.text)), true
	}
	switch {
	case r.refused:
		made.text, made.err = "", curlew.Permanent("llm_declined", "the model declined to answer")
	case r.cut:
		made.usage.Outcome = curlew.ModelCut
	case r.text == "":
		made.err = curlew.Permanent("llm_bad_answer", "the model's answer is empty")
	}
	return made
}

// unsent says why there is no answer. A request that may have arrived counts as paid.
func (a *AccountClient) unsent(ctx, limited context.Context, err error, input int64) attempt {
	var fault *curlew.Fault
	paid := curlew.ModelUsage{InputTokens: input, Estimated: true}
	switch {
	case ctx.Err() != nil:
		return attempt{usage: paid, err: context.Cause(ctx)}
	case limited.Err() != nil:
		return attempt{usage: paid, err: curlew.Temporary("llm_timeout", "the model did not answer within %s (llm.timeout)", a.Timeout)}
	case errors.As(err, &fault): // the dialer's own: nothing was sent
		return attempt{err: fault, again: fault.Kind == curlew.KindTemporary}
	}
	broken := curlew.Temporary("llm_connection_lost", "the connection to the model's server was lost")
	return attempt{usage: paid, again: true, err: broken.Because(errors.New(a.Key.without(err.Error())))}
}
