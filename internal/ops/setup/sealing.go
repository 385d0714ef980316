package setup

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/owner"
)

// keyFile is where an installation on SQLite keeps the key of its secrets unless one is configured.
func keyFile(cfg config.Config) string {
	return filepath.Join(filepath.Dir(cfg.SQLitePath()), "secret.key")
}

// seal encrypts the secrets in the database with the configured key, or on SQLite with one that is made
// beside it; former keys are only read with. On Postgres, which several machines share, there is none unless it is configured.
func seal(ctx context.Context, cfg config.Config, s *store.Store, former ...string) error {
	keys := cfg.Secrets.Keys()
	if path := cfg.SQLitePath(); path != "" {
		_, err := os.Stat(keyFile(cfg))
		missing := errors.Is(err, fs.ErrNotExist)
		if missing && len(keys)+len(former) == 0 {
			if err := s.CheckSecrets(ctx, store.NewSealer(nil)); err != nil {
				return err // a new key would not read what the lost one encrypted
			}
		}
		if len(keys) == 0 || !missing {
			own, err := ownKey(keyFile(cfg))
			if err == nil && len(keys) == 0 {
				err = weakKey(cfg, own)
			}
			if err != nil {
				return err
			}
			if len(keys) == 0 {
				keys = []string{own}
			}
			former = append(former, own)
		}
	}
	return s.SealWith(ctx, store.NewSealer(keys, former...))
}

// ownKey reads the key of a file, which is made where it is missing.
func ownKey(path string) (string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeKey(path); err == nil {
			text, err = os.ReadFile(path) // perhaps another process was faster
		}
	}
	key := strings.TrimSpace(string(text))
	switch {
	case err != nil:
		return "", curlew.Permanent("no_secret_key", "the key in %s cannot be read or made: check its owner and mode", path).Because(err)
	case key == "":
		return "", curlew.Permanent("no_secret_key", "%s is empty: put the key back from a backup", path)
	}
	return key, nil
}

// shortestKey is that of secrets.key, too.
const shortestKey = 32

// weakKey says that a key is too short to encrypt with.
func weakKey(cfg config.Config, key string) error {
	if len(key) >= shortestKey {
		return nil
	}
	return curlew.Permanent("weak_secret_key", "the key in %s has %s, fewer than %d: put the key back from a backup, or set secrets.key "+
		"(CURLEW_SECRETS_KEY) to a long random text; what was encrypted with the short one is read all the same",
		keyFile(cfg), curlew.Counted(len(key), "character"), shortestKey)
}

// makeKey makes the file whole or not at all.
func makeKey(path string) error {
	part, err := os.CreateTemp(filepath.Dir(path), "secret-*")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	owner.Inherit(part)
	_, err = part.WriteString(rand.Text() + rand.Text() + "\n")
	if err := errors.Join(err, part.Sync(), part.Close()); err != nil {
		return err
	}
	if err := os.Link(part.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// examineSecrets says whether secrets in the database are encrypted.
func examineSecrets(cfg config.Config) Diagnosis {
	if len(cfg.Secrets.Keys()) > 0 {
		return Diagnosis{"secrets", VerdictOK, "secrets of subscriptions are encrypted with secrets.key"}
	}
	if cfg.SQLitePath() == "" {
		return Diagnosis{"secrets", VerdictNotice, "secrets of subscriptions are kept as they are: set secrets.key (CURLEW_SECRETS_KEY) " +
			"to a long random text, the same for all processes"}
	}
	info, err := os.Stat(keyFile(cfg))
	text, unread := os.ReadFile(keyFile(cfg))
	switch key := strings.TrimSpace(string(text)); {
	case errors.Is(err, fs.ErrNotExist):
		return Diagnosis{"secrets", VerdictNotice, "there is no " + keyFile(cfg) + " yet: the first start makes it"}
	case errors.Is(unread, fs.ErrPermission):
		return Diagnosis{"secrets", VerdictWrong, keyFile(cfg) + " cannot be read" + asOwner(dataFolder(cfg))}
	case unread != nil || key == "":
		return Diagnosis{"secrets", VerdictWrong, keyFile(cfg) + " is empty or cannot be read: put it back from a backup"}
	case weakKey(cfg, key) != nil:
		return Diagnosis{"secrets", VerdictWrong, curlew.AsFault(weakKey(cfg, key)).Sentence}
	case info.Mode().Perm()&0o077 != 0:
		return Diagnosis{"secrets", VerdictNotice, fmt.Sprintf("%s can be read by other users of this machine (mode %04o): chmod 600 it",
			keyFile(cfg), info.Mode().Perm())}
	}
	return Diagnosis{"secrets", VerdictOK, "secrets of subscriptions are encrypted with the key in " + keyFile(cfg)}
}

// tryKey says whether the secrets in the database can be read, and lets a store read them.
func tryKey(ctx context.Context, cfg config.Config, s *store.Store) error {
	keys := cfg.Secrets.Keys()
	if cfg.SQLitePath() != "" {
		if text, err := os.ReadFile(keyFile(cfg)); err == nil {
			keys = append(keys, strings.TrimSpace(string(text)))
		}
	}
	sealer := store.NewSealer(keys)
	s.ReadWith(sealer)
	return s.CheckSecrets(ctx, sealer)
}
