package dom

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// corpus finds the folder of conformance suites: $CORPUS, or what the unpacker
// beside the checkout prints. Without it there is nothing to compare with.
func corpus(t testing.TB) string {
	t.Helper()
	folder := os.Getenv("CORPUS")
	if folder == "" {
		out, err := exec.Command("../../../shared/corpus/unpack").Output()
		if err != nil {
			t.Skip("no corpus here: set CORPUS to its folder to run the conformance suites")
		}
		folder = strings.TrimSpace(string(out))
	}
	return folder
}

// eachPage reads the pages of the corpus, each but a few of the largest suite.
func eachPage(t testing.TB, do func(path string, body []byte)) {
	t.Helper()
	count := 0
	err := filepath.WalkDir(corpus(t), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.Contains(filepath.Ext(path), ".htm") {
			return err
		}
		if count++; strings.Contains(path, "swde") && count%8 != 0 {
			return nil
		}
		body, err := os.ReadFile(path)
		if err == nil {
			do(path, body)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheScannerAgreesWithTheParserOnRealPages(t *testing.T) {
	agreed, total := 0, 0
	eachPage(t, func(path string, body []byte) {
		total++
		d := New(body, "https://example.org/")
		if problem := disagreement(d); problem != "" {
			t.Logf("%s: %s", filepath.Base(path), problem)
			return
		}
		agreed++
	})
	t.Logf("dom-scanner: %d/%d pages whose scripts the scanner finds as the parser does", agreed, total)
	if agreed < total*995/1000 {
		t.Errorf("only %d of %d", agreed, total)
	}
}

func TestTheLeanTreeIsTheWholeTreeOnRealPages(t *testing.T) {
	lean, total := 0, 0
	eachPage(t, func(path string, body []byte) {
		d := New(body, "https://example.org/")
		want, err := html.Parse(bytes.NewReader(d.Body()))
		if err != nil {
			return
		}
		total++
		if tree := parseLean(d.Body(), d.survey().bulk); tree != nil {
			lean++
		}
		if rendered(d.Tree()) != rendered(want) {
			t.Errorf("%s: the tree differs", path)
		}
	})
	t.Logf("dom-lean: %d/%d pages parsed without the contents of long scripts", lean, total)
	if lean < total*98/100 {
		t.Errorf("only %d of %d", lean, total)
	}
}

func rendered(n *html.Node) string {
	var out bytes.Buffer
	if err := html.Render(&out, n); err != nil {
		return err.Error()
	}
	return out.String()
}
