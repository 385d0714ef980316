package curlew

import (
	"errors"
	"fmt"
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

// Fault is an expected failure. Only the room that owns jobs turns its kind
// into a retry, only the API into a status, only the CLI into an exit code.
type Fault struct {
	Kind     FaultKind `json:"kind"`
	Code     string    `json:"code"`     // stable, for programs: "lease_lost"
	Sentence string    `json:"sentence"` // for a person: what is wrong and what to do
	cause    error
}

// Temporary makes a fault that may pass by itself.
func Temporary(code, format string, args ...any) *Fault {
	return newFault(KindTemporary, code, format, args)
}

// Permanent makes a fault that stays until somebody changes something.
func Permanent(code, format string, args ...any) *Fault {
	return newFault(KindPermanent, code, format, args)
}

// Refused makes a fault that is a decision of ours.
func Refused(code, format string, args ...any) *Fault {
	return newFault(KindRefused, code, format, args)
}

func newFault(kind FaultKind, code, format string, args []any) *Fault {
	return &Fault{Kind: kind, Code: code, Sentence: fmt.Sprintf(format, args...)}
}

// Because keeps the error that led to the fault, for logs and errors.Is.
func (f *Fault) Because(cause error) *Fault {
	g := *f
	g.cause = cause
	return &g
}

// Error gives the sentence, followed by the cause where one is kept.
func (f *Fault) Error() string {
	if f.cause == nil || f.Code == "unexpected" { // whose sentence tells the cause
		return f.Sentence
	}
	return f.Sentence + ": " + f.cause.Error()
}

// Unwrap gives the cause.
func (f *Fault) Unwrap() error { return f.cause }

// Is makes errors.Is match two faults of the same kind and code.
func (f *Fault) Is(target error) bool {
	g, ok := target.(*Fault)
	return ok && g.Kind == f.Kind && g.Code == f.Code
}

// AsFault finds the fault in err. An error that is no fault was not expected:
// it comes back as a temporary fault with the code "unexpected".
func AsFault(err error) *Fault {
	if err == nil {
		return nil
	}
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	f = Temporary("unexpected", "something unexpected went wrong: %s", err)
	f.cause = err
	return f
}

// NotFound says that there is no such thing in this org.
func NotFound(noun, id string) *Fault {
	return Permanent("not_found", "there is no %s %q here", noun, id)
}
