package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"curlew/internal/config"
	"curlew/internal/curlew"
	"curlew/internal/database"
)

type doctorCommand struct{}

// finding is one thing that doctor looked at.
type finding struct {
	Check    string `json:"check"`
	Verdict  string `json:"verdict"` // ok, notice, wrong
	Sentence string `json:"sentence"`
}

const (
	verdictOK     = "ok"
	verdictNotice = "notice"
	verdictWrong  = "wrong"
)

func (doctorCommand) Run(a *app) error {
	cfg, err := config.Load(config.Inputs{File: a.Config, Environ: a.Environ, Flags: a.settings})
	var findings []finding
	if err != nil {
		findings = append(findings, finding{"configuration", verdictWrong, err.Error()})
	} else {
		findings = append(findings, finding{"configuration", verdictOK, "every setting has an allowed value"})
		findings = append(findings, examine(a.Context, cfg)...)
	}
	if a.JSON {
		writeJSON(a.Out, map[string]any{"settings": cfg.Settings(), "findings": findings})
	} else {
		printDoctor(a, cfg, findings)
	}
	for _, f := range findings {
		if f.Verdict == verdictWrong {
			return curlew.Permanent("unhealthy", "something is wrong with this installation: see above")
		}
	}
	return nil
}

// examine looks at everything around the configuration, changing nothing.
func examine(ctx context.Context, cfg config.Config) []finding {
	found := []finding{examineContact(cfg)}
	if path := cfg.SQLitePath(); path != "" {
		folder := filepath.Dir(path)
		f := examineFolder(folder)
		found = append(found, f)
		if _, err := os.Stat(path); f.Verdict == verdictWrong {
			return found
		} else if errors.Is(err, os.ErrNotExist) {
			return append(found, finding{"database", verdictNotice, "there is no database in " + folder + " yet: \"curlew serve\" makes it"})
		}
	}
	return append(found, examineDatabase(ctx, cfg)...)
}

func examineContact(cfg config.Config) finding {
	if cfg.Contact == "" {
		return finding{"contact", verdictNotice, "contact is not set, so only loopback can be fetched: set CURLEW_CONTACT to an e-mail address or a page about you"}
	}
	return finding{"contact", verdictOK, "sites that are read are told of " + cfg.Contact}
}

func examineFolder(folder string) finding {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return finding{"data folder", verdictNotice, folder + " does not exist yet: \"curlew serve\" makes it"}
	case err != nil:
		return finding{"data folder", verdictWrong, folder + " cannot be read: check its owner and mode"}
	case !info.IsDir():
		return finding{"data folder", verdictWrong, folder + " is not a folder: name a folder with --data"}
	}
	probe, err := os.CreateTemp(folder, ".doctor-*")
	if err != nil {
		return finding{"data folder", verdictWrong, folder + " cannot be written: check its owner and mode, and whether the disk is full"}
	}
	_ = probe.Close()
	_ = os.Remove(probe.Name())
	free, err := freeBytes(folder)
	if err == nil && free < 64*leastFree {
		return finding{"data folder", verdictNotice, fmt.Sprintf("only %d MiB are free in %s", free>>20, folder)}
	}
	return finding{"data folder", verdictOK, fmt.Sprintf("%s can be written, %d GiB free", folder, free>>30)}
}

func examineDatabase(ctx context.Context, cfg config.Config) []finding {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	db, err := database.Open(ctx, database.Options{URL: databaseURL(cfg)})
	if err != nil {
		return []finding{{"database", verdictWrong, curlew.AsFault(err).Sentence + " (" + cfg.Database.URL.String() + ")"}}
	}
	defer db.Close()
	pending, err := db.Outstanding(ctx, rooms()...)
	if err != nil {
		return []finding{{"database", verdictWrong, curlew.AsFault(err).Sentence}}
	}
	found := []finding{{"database", verdictOK, fmt.Sprintf("%s answers and is up to date", db.Redacted())}}
	if len(pending) > 0 {
		found[0] = finding{"database", verdictNotice, fmt.Sprintf("%s answers and lacks %d migrations: \"curlew migrate\" or the next start applies them", db.Redacted(), len(pending))}
	}
	return append(found, examineClock(ctx, db))
}

// skewed is the difference of clocks that people would notice in logs; leases
// live by the database's clock alone.
const skewed = 5 * time.Second

func examineClock(ctx context.Context, db *database.DB) finding {
	before := time.Now()
	theirs, err := db.Now(ctx)
	if err != nil {
		return finding{"clock", verdictWrong, "the database does not tell its time"}
	}
	if skew := theirs.Sub(before).Abs(); skew > skewed {
		return finding{"clock", verdictNotice, fmt.Sprintf("the clocks of this machine and of the database differ by %s: check NTP on both", brief(skew))}
	}
	return finding{"clock", verdictOK, "this machine and the database agree on the time"}
}

func printDoctor(a *app, cfg config.Config, findings []finding) {
	var rows [][]string
	for _, s := range cfg.Settings() {
		value := s.Value
		if value == "" {
			value = "–"
		}
		rows = append(rows, []string{s.Name, value, s.Origin.String(), s.Env, "--" + s.Flag})
	}
	table(a.Out, []string{"setting", "value", "from", "variable", "flag"}, rows)
	fmt.Fprintln(a.Out)
	marks := map[string]string{verdictOK: "✓", verdictNotice: "•", verdictWrong: "✗"}
	for _, f := range findings {
		fmt.Fprintf(a.Out, "%s %s: %s\n", marks[f.Verdict], f.Check, f.Sentence)
	}
}
