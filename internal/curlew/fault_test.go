package curlew

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestAFaultIsFoundThroughWrapping(t *testing.T) {
	robots := Refused("robots", "robots.txt forbids %s", "/private")
	wrapped := fmt.Errorf("fetch: %w", robots)
	if got := AsFault(wrapped); got != robots {
		t.Errorf("found %+v", got)
	}
	if !errors.Is(wrapped, Refused("robots", "another sentence")) {
		t.Error("two faults of one kind and code differ")
	}
	if errors.Is(wrapped, Temporary("robots", "")) {
		t.Error("two faults of different kinds are the same")
	}
}

func TestAFaultKeepsItsCause(t *testing.T) {
	original := Temporary("cut", "the answer was cut off")
	fault := original.Because(io.ErrUnexpectedEOF)
	if !errors.Is(fault, io.ErrUnexpectedEOF) || fault.Error() != "the answer was cut off: unexpected EOF" {
		t.Errorf("%v", fault)
	}
	if original.Unwrap() != nil {
		t.Error("the shared fault was changed")
	}
}

func TestAnErrorThatIsNoFaultWasNotExpected(t *testing.T) {
	if f := AsFault(io.EOF); f.Kind != KindTemporary || !errors.Is(f, ErrUnexpected) || !errors.Is(f, io.EOF) {
		t.Errorf("%+v", f)
	}
	if f := AsFault(errors.New("dial tcp 10.0.0.5:5432")); strings.Contains(f.Sentence, "5432") || !strings.Contains(f.Error(), "5432") {
		t.Errorf("an unexpected error is told as %q, and logged as %q", f.Sentence, f.Error())
	}
	if AsFault(nil) != nil {
		t.Error("no error became a fault")
	}
}
