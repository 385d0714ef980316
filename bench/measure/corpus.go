package measure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ErrNoCorpus says what is missing where there is nothing to measure with.
var ErrNoCorpus = errors.New("the corpus is not there: shared/corpus beside the checkout, or the folder that CORPUS names, " +
	"has the real pages that this measures with")

// Corpus finds the folder of real pages: $CORPUS, or what the unpacker beside the
// checkout prints.
func Corpus(ctx context.Context) (string, error) {
	if folder := os.Getenv("CORPUS"); folder != "" {
		return folder, nil
	}
	root, err := Root()
	if err != nil {
		return "", err
	}
	unpack := filepath.Join(root, "..", "shared", "corpus", "unpack")
	if _, err := os.Stat(unpack); err != nil {
		return "", ErrNoCorpus
	}
	said, err := exec.CommandContext(ctx, unpack).Output()
	if err != nil {
		return "", fmt.Errorf("unpack the corpus: %w", err)
	}
	return strings.TrimSpace(string(said)), nil
}
