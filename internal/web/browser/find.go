package browser

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// names are what Chromium is called where it is installed.
var names = []string{"chromium", "chromium-browser", "google-chrome-stable", "google-chrome"}

// find gives the path of Chromium.
func find(path string) (string, error) {
	wanted := names
	if path != "" {
		wanted = []string{path}
	}
	for _, name := range wanted {
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	missing := curlew.Permanent("browser_missing",
		"there is no Chromium on this machine: install it with “apt install chromium”")
	if path != "" {
		return "", missing.Because(fmt.Errorf("%q cannot be run", path))
	}
	return "", missing
}

// Available says which Chromium would be used, or that there is none.
func Available(path string) (version string, err error) {
	found, err := find(path)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, found, "--version")
	cmd.Env = environment("/tmp")
	output, err := cmd.Output()
	if err != nil {
		return "", curlew.Permanent("browser_missing",
			"%s does not run; reinstall it with “apt install --reinstall chromium”", found).Because(err)
	}
	return strings.TrimSpace(string(output)), nil
}
