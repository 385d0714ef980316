package console_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/door/console"
	"github.com/curlew-data/curlew/internal/ops/config"
)

func TestNoInstallationIsBelowAPathOfItsOwnPages(t *testing.T) {
	for _, at := range slices.Concat(console.Screens(), console.Forms) {
		first, _, _ := strings.Cut(strings.TrimPrefix(at, "/"), "/")
		if first != "" && first != "{$}" && !slices.Contains(config.OwnPaths, first) {
			t.Errorf("console.url may end in /%s, which is a path of the console", first)
		}
	}
}
