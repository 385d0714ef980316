package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// release is set by the linker when a release is built.
var release = "0.1.0-dev"

// version is the release, and the commit where the build knows it. A program that was installed by its module's path has
// the version of the module.
func version() string {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return release
	}
	if build.Main.Sum != "" {
		return strings.TrimPrefix(build.Main.Version, "v")
	}
	for _, s := range build.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return release + "+" + s.Value[:12]
		}
	}
	return release
}

type versionCommand struct{}

func (versionCommand) Run(a *program) error {
	fmt.Fprintln(a.Out, versionLine(a.JSON))
	return nil
}

func versionLine(asJSON bool) string {
	if asJSON {
		var out strings.Builder
		writeJSON(&out, map[string]string{"version": version(), "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH})
		return strings.TrimSpace(out.String())
	}
	return fmt.Sprintf("curlew %s (%s, %s/%s)", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
