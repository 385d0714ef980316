package curlew

import (
	"errors"
	"fmt"
	"strings"
)

// FaultKind says what can be done about a failure.
type FaultKind string

const (
	// Temporary failures may pass by themselves: try again later.
	KindTemporary FaultKind = "temporary"
	// Permanent failures stay until somebody changes something.
	KindPermanent FaultKind = "permanent"
	// Refused means that Curlew decided not to: robots, policy, budget.
	KindRefused FaultKind = "refused"
)

// Code names a failure for programs and never changes.
type Code string

// Error makes a code an error, so that errors.Is(err, code) finds the faults that have it.
func (c Code) Error() string { return string(c) }

// The codes that more than one package asks for.
const (
	ErrNotFound            Code = "not_found"
	ErrForbidden           Code = "forbidden"
	ErrUnauthenticated     Code = "unauthenticated"
	ErrTooManyRequests     Code = "too_many_requests"
	ErrBadID               Code = "bad_id"
	ErrExistsAlready       Code = "exists_already"
	ErrHasAccount          Code = "has_account"
	ErrRunActive           Code = "run_active"
	ErrProposedAlready     Code = "proposed_already"
	ErrWatchedAlready      Code = "watched_already"
	ErrNotFeasible         Code = "not_feasible"
	ErrWouldLoseData       Code = "would_lose_data"
	ErrTimeout             Code = "timeout"
	ErrTLSFailed           Code = "tls_failed"
	ErrOverBudget          Code = "over_budget"
	ErrDiskFull            Code = "disk_full"
	ErrDiskError           Code = "disk_error"
	ErrDatabaseUnavailable Code = "database_unavailable"
	// ErrUnexpected is the code of what AsFault makes of an error that is no fault.
	ErrUnexpected Code = "unexpected"
)

// Fault is an expected failure. Only work/runs turns its kind into a retry,
// only the API into a status, only the CLI into an exit code.
type Fault struct {
	Kind     FaultKind `json:"kind"`
	Code     Code      `json:"code"`         // stable, for programs: "lease_lost"
	Sentence string    `json:"sentence"`     // for a person: what is wrong and what to do
	ID       string    `json:"id,omitempty"` // of what is in the way, where programs go on with that
	cause    error
}

// Temporary makes a fault that may pass by itself.
func Temporary(code Code, format string, args ...any) *Fault {
	return newFault(KindTemporary, code, format, args)
}

// Permanent makes a fault that stays until somebody changes something.
func Permanent(code Code, format string, args ...any) *Fault {
	return newFault(KindPermanent, code, format, args)
}

// Refused makes a fault that is a decision of ours.
func Refused(code Code, format string, args ...any) *Fault {
	return newFault(KindRefused, code, format, args)
}

func newFault(kind FaultKind, code Code, format string, args []any) *Fault {
	return &Fault{Kind: kind, Code: code, Sentence: fmt.Sprintf(format, args...)}
}

// Because keeps the error that led to the fault, for logs and errors.Is.
func (f *Fault) Because(cause error) *Fault {
	g := *f
	g.cause = cause
	return &g
}

// About names what is in the way.
func (f *Fault) About(id string) *Fault {
	g := *f
	g.ID = id
	return &g
}

// Error gives the sentence, followed by the cause where one is kept.
func (f *Fault) Error() string {
	if f.cause == nil || strings.Contains(f.Sentence, f.cause.Error()) {
		return f.Sentence
	}
	return f.Sentence + ": " + f.cause.Error()
}

// Unwrap gives the cause.
func (f *Fault) Unwrap() error {
	if f == nil {
		return nil
	}
	return f.cause
}

// Is makes errors.Is match a fault with its code, and with another fault of
// the same kind and code. No fault matches nothing.
func (f *Fault) Is(target error) bool {
	if f == nil {
		return false
	}
	if code, ok := target.(Code); ok {
		return f.Code == code
	}
	g, ok := target.(*Fault)
	return ok && g.Kind == f.Kind && g.Code == f.Code
}

// AsFault finds the fault in err. An error that is no fault was not expected:
// it comes back as a temporary fault with the code "unexpected". What it says may name files, hosts and ports, which
// are not for everybody who reads the sentence: it is the cause.
func AsFault(err error) *Fault {
	if err == nil {
		return nil
	}
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	f = Temporary(ErrUnexpected, "something unexpected went wrong")
	f.cause = err
	return f
}

// NotFound says that there is no such thing in this org.
func NotFound(noun, id string) *Fault {
	if id == "" {
		return Permanent(ErrNotFound, "%s not found", noun)
	}
	return Permanent(ErrNotFound, "%s %q not found", noun, id)
}

// IgnoreNotFound forgives that there is no such row: many sources never were candidates.
func IgnoreNotFound(err error) error {
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}
