package watch

import (
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

// TestNothingIsGoneFromAListThatIsLongerThanWhatIsRead reads a list of one page.
func TestNothingIsGoneFromAListThatIsLongerThanWhatIsRead(t *testing.T) {
	compiled, err := extract.Compile(blueprint.LeftToReaders(curlew.SchemaItem.Kind(), curlew.PageList, curlew.TierHTML))
	if err != nil {
		t.Fatal(err)
	}
	applied := extract.Applied{Fit: blueprint.FitReport{Fit: blueprint.FitWhole}}
	for _, over := range []string{"", "there are more"} {
		applied.Over = over
		list := ReadList(compiled, []ListPage{{Applied: applied}}, true, "")
		if list.Whole != (over == "") || list.Whole != (list.Why == "") {
			t.Errorf("with %q the list is whole: %t %q", over, list.Whole, list.Why)
		}
	}
}
