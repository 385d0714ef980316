package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/config"
)

// Diagnosis is one thing that doctor checked.
type Diagnosis struct {
	Check    string `json:"check"`
	Verdict  string `json:"verdict" enum:"ok,notice,wrong"`
	Sentence string `json:"sentence"`
}

// The verdicts.
const (
	VerdictOK     = "ok"
	VerdictNotice = "notice"
	VerdictWrong  = "wrong"
)

// Examine looks at everything around the configuration, and tries the services that it names. Nothing
// stays of what it tries.
func Examine(ctx context.Context, cfg config.Config) []Diagnosis {
	found := append([]Diagnosis{examineContact(cfg), examineSecrets(cfg)}, tryIntegrations(ctx, cfg)...)
	if why := UnnamedProxy(cfg); why != "" {
		found = append(found, Diagnosis{"proxies", VerdictNotice, why})
	}
	for _, name := range cfg.Unknown() {
		found = append(found, Diagnosis{"configuration", VerdictNotice, name + UnknownVariable})
	}
	if path := cfg.SQLitePath(); path != "" {
		folder := filepath.Dir(path)
		f := examineFolder(folder)
		found = append(found, f)
		if _, err := os.Stat(path); f.Verdict == VerdictWrong {
			return found
		} else if errors.Is(err, os.ErrNotExist) {
			return append(found, Diagnosis{"database", VerdictNotice, "there is no database in " + folder + " yet: \"curlew serve\" makes it"})
		}
	}
	inside := examineDatabase(ctx, cfg)
	switch wrongKey := func(d Diagnosis) bool { return aboutSecrets(d) && d.Verdict == VerdictWrong }; {
	case slices.ContainsFunc(found, wrongKey): // why the rows cannot be read
		inside = slices.DeleteFunc(inside, aboutSecrets)
	case slices.ContainsFunc(inside, aboutSecrets): // the rows know better than the settings
		found = slices.DeleteFunc(found, aboutSecrets)
	}
	return slices.Concat(found, examineFiles(cfg), inside, examineShards(ctx, cfg))
}

func aboutSecrets(d Diagnosis) bool { return d.Check == "secrets" }

// UnknownVariable is what follows the name of a variable that is no setting.
const UnknownVariable = " looks like a setting but is unknown: docs/configuration.md has all names"

// NoContact is what an installation without a contact should know.
const NoContact = "no website can be fetched, only what egress.allow opens of this machine: " +
	"set contact (CURLEW_CONTACT) to an e-mail address or a page about you"

func examineContact(cfg config.Config) Diagnosis {
	if cfg.Contact == "" {
		return Diagnosis{"contact", VerdictNotice, "contact is not set, so " + NoContact}
	}
	return Diagnosis{"contact", VerdictOK, "requests name this contact: " + cfg.Contact}
}

// UnnamedProxy says that everybody comes from the address of a proxy; "" where that is not so. Curlew itself speaks no TLS: who
// is found by https stands behind one that does.
func UnnamedProxy(cfg config.Config) string {
	if !strings.HasPrefix(cfg.Console.URL, "https://") || len(cfg.Accounts.Proxies) > 0 {
		return ""
	}
	return "console.url is https: Curlew is behind a proxy that accounts.proxies (CURLEW_ACCOUNTS_PROXIES) does not list: everybody " +
		"seems to come from its address, and wrong passwords of one stranger keep out all who are new to this installation: " +
		"set it to the address of the proxy, such as 127.0.0.1/32"
}

func examineFolder(folder string) Diagnosis {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return Diagnosis{"data folder", VerdictNotice, folder + " does not exist yet: \"curlew serve\" makes it"}
	case err != nil:
		return Diagnosis{"data folder", VerdictWrong, folder + " cannot be read" + asOwner(folder)}
	case !info.IsDir():
		return Diagnosis{"data folder", VerdictWrong, folder + " is not a folder: name a folder with --data"}
	}
	probe, err := os.CreateTemp(folder, ".doctor-*")
	if errors.Is(err, os.ErrPermission) {
		return Diagnosis{"data folder", VerdictWrong, folder + " cannot be written" + asOwner(folder)}
	}
	if err != nil {
		return Diagnosis{"data folder", VerdictWrong, folder + " cannot be written: check its owner and mode, and whether the disk is full"}
	}
	_ = probe.Close()
	_ = os.Remove(probe.Name())
	free, err := freeBytes(folder)
	switch {
	case err == nil && free < leastFree:
		return Diagnosis{"data folder", VerdictWrong,
			fmt.Sprintf("only %d KiB are free in %s: nothing can be written until there is more", free>>10, folder)}
	case err == nil && free < 64*leastFree:
		return Diagnosis{"data folder", VerdictNotice, fmt.Sprintf("only %d MiB are free in %s", free>>20, folder)}
	}
	return Diagnosis{"data folder", VerdictOK, fmt.Sprintf("%s can be written, %d GiB free", folder, free>>30)}
}

// asOwner says as whom a command is to be run that may not read or write a folder.
func asOwner(folder string) string {
	me, whose := fmt.Sprint("user ", os.Geteuid()), ""
	if u, err := user.Current(); err == nil {
		me = u.Username
	}
	if info, err := os.Stat(folder); err == nil {
		if kept, ok := info.Sys().(*syscall.Stat_t); ok {
			whose = fmt.Sprint(kept.Uid)
			if u, err := user.LookupId(whose); err == nil {
				whose = u.Username
			}
		}
	}
	if whose == "" {
		return " by " + me + ": run the command as the user of the service, or as root"
	}
	return fmt.Sprintf(" by %s: it belongs to %s; run the command as that user (sudo -u %[2]s curlew ...), or as root", me, whose)
}

// examineFiles says which files of the database others on this machine can read.
func examineFiles(cfg config.Config) (found []Diagnosis) {
	if cfg.SQLitePath() == "" {
		return nil
	}
	for _, name := range database.Files(cfg.SQLitePath()) {
		if info, err := os.Stat(name); err == nil && info.Mode().Perm()&0o077 != 0 {
			found = append(found, Diagnosis{"database file", VerdictNotice,
				fmt.Sprintf("%s can be read by other users of this machine (mode %04o): chmod 600 it", name, info.Mode().Perm())})
		}
	}
	return found
}

func examineDatabase(ctx context.Context, cfg config.Config) []Diagnosis {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	db, err := database.Open(ctx, database.Options{URL: DatabaseURL(cfg)})
	if err != nil {
		return []Diagnosis{{"database", VerdictWrong, curlew.AsFault(err).Sentence + " (" + cfg.Database.URL.String() + ")"}}
	}
	defer db.Close()
	pending, err := db.Outstanding(ctx, Tables()...)
	if err != nil {
		return []Diagnosis{{"database", VerdictWrong, curlew.AsFault(err).Sentence}}
	}
	server, err := db.Server(ctx)
	if err != nil {
		return []Diagnosis{{"database", VerdictWrong, curlew.AsFault(err).Sentence}}
	}
	found := []Diagnosis{{"database", VerdictOK, fmt.Sprintf("%s (%s) answers and is up to date", db.Redacted(), server)}}
	if len(pending) > 0 {
		found[0] = Diagnosis{"database", VerdictNotice, fmt.Sprintf(
			"%s (%s) answers and lacks %s, which take %s: \"curlew migrate\" or the next start applies them", db.Redacted(), server,
			curlew.Counted(len(pending), "migration"), database.Estimate(pending))}
	}
	if len(pending) == 0 {
		s := store.New(db, curlew.SystemMinter())
		found = append(append(found, examineWatches(ctx, s)), examineMoves(ctx, s)...)
		if err := tryKey(ctx, cfg, s); err != nil {
			found = append(found, Diagnosis{"secrets", VerdictWrong, curlew.AsFault(err).Sentence})
		} else {
			found = append(found, tryEndpoints(ctx, cfg, s)...)
		}
	}
	return append(found, examineClock(ctx, db))
}

// examineWatches says whether all watches go on.
func examineWatches(ctx context.Context, s *store.Store) Diagnosis {
	orgs, err := s.Orgs(ctx)
	stopped, last := 0, curlew.Watch{}
	for _, org := range orgs {
		watches, wrong := s.Org(org.ID).Watches().List(ctx, store.WatchFilter{Status: curlew.WatchError}, store.Window{Limit: 10_000})
		err = errors.Join(err, wrong)
		for _, w := range watches {
			stopped, last = stopped+1, w
		}
	}
	switch {
	case err != nil:
		return Diagnosis{"watches", VerdictWrong, curlew.AsFault(err).Sentence}
	case stopped > 0:
		return Diagnosis{"watches", VerdictNotice, fmt.Sprintf("%s stopped after failures, as %s: %s (\"curlew watches list --status error\")",
			curlew.Counted(stopped, "watch"), last.Name, last.LastError)}
	}
	return Diagnosis{"watches", VerdictOK, "none has stopped after failures"}
}

// skewed is the difference of clocks that people would notice in logs; leases
// live by the database's clock alone.
const skewed = 5 * time.Second

func examineClock(ctx context.Context, db *database.DB) Diagnosis {
	before := time.Now()
	theirs, err := db.Now(ctx)
	if err != nil {
		return Diagnosis{"clock", VerdictWrong, "the time of the database cannot be read"}
	}
	if skew := theirs.Sub(before).Abs(); skew > skewed {
		return Diagnosis{"clock", VerdictNotice, fmt.Sprintf("the clocks of this machine and of the database differ by %s: check NTP on both",
			curlew.Duration(skew).Brief())}
	}
	return Diagnosis{"clock", VerdictOK, "this machine and the database agree on the time"}
}
