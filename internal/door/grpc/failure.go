package grpc

import (
	"context"
	"errors"

	"connectrpc.com/connect"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/grpc/blueprintv1"
	"github.com/curlew-data/curlew/internal/ops/guard"
)

// codes of the faults that mean something of their own to a caller.
var codes = map[curlew.Code]connect.Code{
	"not_found":            connect.CodeNotFound,
	"bad_id":               connect.CodeNotFound,
	"unauthenticated":      connect.CodeUnauthenticated,
	"signed_out":           connect.CodeUnauthenticated,
	"bad_key":              connect.CodeUnauthenticated,
	"forbidden":            connect.CodePermissionDenied,
	"cross_origin":         connect.CodePermissionDenied,
	"bad_request":          connect.CodeInvalidArgument,
	"unknown_schema":       connect.CodeInvalidArgument,
	"invalid_blueprint":    connect.CodeInvalidArgument,
	"wrong_url":            connect.CodeInvalidArgument,
	"too_many_attempts":    connect.CodeResourceExhausted,
	"too_many_requests":    connect.CodeResourceExhausted,
	"too_many_calls":       connect.CodeResourceExhausted,
	"over_budget":          connect.CodeResourceExhausted,
	"llm_budget_spent":     connect.CodeResourceExhausted,
	"unexpected":           connect.CodeInternal,
	guard.ErrReaderFailed:  connect.CodeInternal,
	"deadline":             connect.CodeDeadlineExceeded,
	"gone":                 connect.CodeCanceled,
	"database_unavailable": connect.CodeUnavailable,
}

// codeOf is the code of gRPC of a fault, by its code or its kind.
func codeOf(f *curlew.Fault) connect.Code {
	if c, ok := codes[f.Code]; ok {
		return c
	}
	switch f.Kind {
	case curlew.KindTemporary:
		return connect.CodeUnavailable
	case curlew.KindRefused:
		return connect.CodePermissionDenied
	default:
		return connect.CodeFailedPrecondition
	}
}

// mostMistakes bounds what is told of a request.
const mostMistakes = 20

// failure puts an error into the form in which all of them are told: a code of gRPC, a
// sentence, and the fault as detail. It never tells a cause.
func (s *service) failure(ctx context.Context, c call, err error) *connect.Error {
	fault := curlew.AsFault(err)
	var problems curlew.Problems
	problem := &blueprintv1.Problem{RequestId: c.request}
	switch {
	case errors.As(err, &problems):
		for _, p := range problems[:min(len(problems), mostMistakes)] {
			problem.Mistakes = append(problem.Mistakes, &blueprintv1.Mistake{Place: bounded("/"+p.Field, shortText),
				Sentence: bounded(p.Sentence, shortText)})
		}
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil:
		fault = curlew.Temporary("deadline", "the call took too long: allow more time, or ask for less")
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		fault = curlew.Temporary("gone", "the caller disconnected")
	case errors.Is(fault, curlew.ErrUnexpected):
		s.Log.Error("a call failed", "request", c.request, "org", c.Org, "error", err)
		fault = curlew.Temporary(curlew.ErrUnexpected, "internal error: try again later, and give the operator the "+
			"request id")
	}
	problem.Code, problem.Kind, problem.Sentence = string(fault.Code), string(fault.Kind), bounded(fault.Sentence, shortText)
	told := connect.NewError(codeOf(fault), errors.New(problem.Sentence))
	if detail, err := connect.NewErrorDetail(problem); err == nil {
		told.AddDetail(detail)
	}
	return told
}
