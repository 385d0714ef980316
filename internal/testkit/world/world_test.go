package world

import (
	"strings"
	"testing"
)

func TestAWorldHoldsOneOfEverything(t *testing.T) {
	w := Open(t, Options{})
	has := w.Add("acme", "The Lantern")
	for _, prefix := range []string{"src", "can", "bp", "wat", "run", "pag", "rec", "ent", "chg", "pub", "sub", "del", "usr", "ses", "key"} {
		t.Run(prefix, func(t *testing.T) {
			if !strings.HasPrefix(has[prefix], prefix+"_") {
				t.Errorf("there is no %s: %q", prefix, has[prefix])
			}
		})
	}
	if training := w.Teach("acme", "The Lantern"); !strings.HasPrefix(training, "les_") {
		t.Errorf("the training is %q", training)
	}
}
