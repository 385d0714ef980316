package console

import (
	"maps"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
)

// What tests outside of the package walk through.
const (
	MostTyped = mostTyped
	NextTimes = nextTimes
)

// Forms are the addresses of all forms, and DeskForms those that do something to a thing
// beyond steering it.
var (
	Forms       = slices.Concat(slices.Sorted(maps.Keys(actions)), slices.Sorted(maps.Keys(forms)), slices.Sorted(maps.Keys(trainingActions)))
	EditForms   = slices.Concat(slices.Sorted(maps.Keys(editActions)), slices.Sorted(maps.Keys(forms)))
	SmallAssets = smallAssets
)

// AssetFile is an asset as it is embedded.
func AssetFile(name string) ([]byte, error) { return assetFiles.ReadFile("assets/" + name) }

// ThroughRows turns a filter into rows and back; false where it does not fit into them.
func ThroughRows(text string) (string, bool) {
	root, fits := filterRows(text, curlew.Schemas())
	if !fits {
		return "", false
	}
	return filterText(root, curlew.Schemas())
}
