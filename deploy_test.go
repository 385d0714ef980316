package curlew_test

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/ops/config"
	"go.yaml.in/yaml/v3"
)

func deployFiles(t *testing.T, pattern string) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: %v, %v", pattern, paths, err)
	}
	all := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[path] = string(text)
	}
	return all
}

func TestFilesForInstallationNameOnlySettingsThatExist(t *testing.T) {
	known := map[string]bool{}
	for _, s := range config.Default().Settings() {
		known[s.Env] = true
	}
	named := 0
	for path, text := range deployFiles(t, "deploy/[Cck]*") {
		for _, variable := range regexp.MustCompile(`\bCURLEW_[A-Z0-9_]+`).FindAllString(text, -1) {
			if named++; !known[variable] {
				t.Errorf("%s names %s, which is no setting", path, variable)
			}
		}
	}
	if named < 8 {
		t.Errorf("only %d settings are named", named)
	}
	if _, err := config.Load(config.Inputs{File: "deploy/curlew.yaml"}); err != nil {
		t.Error(err)
	}
}

// probe is how Kubernetes asks a container how it is.
type probe struct {
	HTTPGet struct{ Path, Port string } `yaml:"httpGet"`
}

func TestComposeFilesStartCommandsThatThereAre(t *testing.T) {
	for path, text := range deployFiles(t, "deploy/compose*.yaml") {
		var file struct {
			Services map[string]struct {
				Image    string
				Command  []string
				ReadOnly bool `yaml:"read_only"`
				Tmpfs    []string
			}
		}
		if err := yaml.Unmarshal([]byte(text), &file); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		for name, service := range file.Services {
			if service.Image != "curlew" {
				continue
			}
			if command := strings.Join(service.Command, " "); !slices.Contains([]string{"", "serve", "api", "worker"}, command) {
				t.Errorf("%s: %s runs %q", path, name, command)
			}
			if service.ReadOnly && !slices.Contains(service.Tmpfs, "/tmp") { // Chromium and doctor write there
				t.Errorf("%s: %s cannot write to /tmp", path, name)
			}
		}
	}
}

func TestKubernetesProbesWhatTheProcessesServe(t *testing.T) {
	decoder := yaml.NewDecoder(bytes.NewReader([]byte(deployFiles(t, "deploy/kubernetes.yaml")["deploy/kubernetes.yaml"])))
	probed := 0
	for {
		var object struct {
			Kind string
			Spec struct {
				Template struct {
					Spec struct {
						Containers []struct {
							Args           []string
							Ports          []struct{ Name string }
							LivenessProbe  probe `yaml:"livenessProbe"`
							ReadinessProbe probe `yaml:"readinessProbe"`
						}
					}
				}
			}
		}
		if err := decoder.Decode(&object); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		for _, c := range object.Spec.Template.Spec.Containers {
			if command := strings.Join(c.Args, " "); !slices.Contains([]string{"serve", "api", "worker"}, command) {
				t.Errorf("%q is run", command)
			}
			for want, asked := range map[string]probe{"/healthz/live": c.LivenessProbe, "/healthz/ready": c.ReadinessProbe} {
				if probed++; asked.HTTPGet.Path != want || asked.HTTPGet.Port != c.Ports[0].Name {
					t.Errorf("%v is probed by %+v", c.Args, asked)
				}
			}
		}
	}
	if image := deployFiles(t, "deploy/Containerfile")["deploy/Containerfile"]; probed != 4 || !strings.Contains(image, "CURLEW_LISTEN=0.0.0.0:7480") {
		t.Errorf("%d probes, of an image that listens elsewhere: %s", probed, image)
	}
}

// What docs/installation.md says about places and proxies is what the files do.
func TestTheInstallationIsAsDescribed(t *testing.T) {
	page, err := os.ReadFile("docs/installation.md")
	if err != nil {
		t.Fatal(err)
	}
	packaged := strings.Join(slices.Collect(maps.Values(deployFiles(t, "deploy/curlew.*"))), "\n") +
		strings.Join(slices.Collect(maps.Values(deployFiles(t, "deploy/debian/*"))), "\n")
	for _, place := range []string{"/etc/curlew/curlew.yaml", "/etc/curlew/environment", "/var/lib/curlew"} {
		t.Run(place, func(t *testing.T) {
			if !strings.Contains(string(page), "`"+place+"`") || !strings.Contains(packaged, place) {
				t.Errorf("%s is described or used alone", place)
			}
		})
	}
	for path, text := range deployFiles(t, "deploy/[ck][ou][mb]*.yaml") {
		for _, setting := range []string{"CURLEW_CONSOLE_URL", "CURLEW_ACCOUNTS_PROXIES"} {
			t.Run(setting, func(t *testing.T) {
				if !strings.Contains(text, setting) || !strings.Contains(string(page), setting) {
					t.Errorf("%s says nothing of %s behind a proxy", path, setting)
				}
			})
		}
	}
}
