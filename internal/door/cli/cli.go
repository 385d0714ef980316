// Package cli is the command line: it turns words into calls, and wires the
// packages together. Each command is one file.
//
// Like package ops and what tests share, it may import all others; but for cmd/curlew, none may import it.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"reflect"
	"slices"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/web/llm"
	"github.com/mattn/go-isatty"
)

// The exit codes, as the contract of the command line has them.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = 2
	exitUnfit   = 3 // does not fit, not feasible, not healed
	exitRefused = 4 // robots, policy, budget
)

// Environment is all that a command may touch of the world around it.
type Environment struct {
	Context  context.Context // ends when the program is asked to
	In       io.Reader
	Out, Err io.Writer
	Environ  []string
	Terminal bool // a person looks at Err
}

// System is the environment of a real process: it ends with SIGINT and SIGTERM,
// and a second signal ends it at once. A child process of this one, which reads a
// dangerous file, does only that.
func System() Environment {
	extract.ServeReaders(os.Args[1:])
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return Environment{Context: ctx, In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Environ: os.Environ(),
		Terminal: isatty.IsTerminal(os.Stderr.Fd())}
}

// commands is the grammar of the command line.
type commands struct {
	Config string `help:"Read settings from this YAML file." placeholder:"FILE" type:"path"`
	JSON   bool   `help:"Print JSON instead of text."`
	Org    string `help:"The org to work in." default:"default" placeholder:"NAME"`

	ShowVersion kong.VersionFlag `name:"version" help:"Print the version."`

	Serve         serveCommand         `cmd:"" help:"Run API and workers in one process, on SQLite by default."`
	API           apiCommand           `cmd:"" name:"api" help:"Run the API alone, on Postgres."`
	MCP           mcpCommand           `cmd:"" name:"mcp" help:"Serve agents by the Model Context Protocol, over standard input and output or HTTP."`
	Worker        workerCommand        `cmd:"" help:"Run a worker alone, on Postgres."`
	Demo          demoCommand          `cmd:"" help:"Run Curlew together with a sample web on loopback."`
	Extract       extractCommand       `cmd:"" help:"Read entities from pages, without a database."`
	Inspect       inspectCommand       `cmd:"" help:"Judge whether and how a site can be read."`
	Learn         learnCommand         `cmd:"" help:"Learn from pages how to read them: write a blueprint."`
	Apply         applyCommand         `cmd:"" help:"Read pages by a blueprint."`
	Heal          healCommand          `cmd:"" help:"Repair a blueprint that stopped fitting, with proof."`
	Fetch         fetchCommand         `cmd:"" help:"Fetch pages, politely, and show the outcome."`
	Crawl         crawlCommand         `cmd:"" help:"Crawl a site within a budget; continues after an interruption."`
	Parse         parseCommand         `cmd:"" help:"The parsers alone: JSON lines in, JSON lines out."`
	Match         matchCommand         `cmd:"" help:"Judge whether two records are the same thing: JSON lines in, JSON lines out."`
	Add           addCommand           `cmd:"" help:"Propose a site from its address: it is analysed, learned, tested and deployed."`
	Import        importCommand        `cmd:"" help:"Propose all sites of a list: addresses, CSV, OPML, JSON, a backup of changedetection.io, a spider of Scrapy."`
	Watch         watchCommand         `cmd:"" help:"Watch one page: add it, check it again and again, and print what changed until Ctrl-C."`
	Candidates    candidatesCommand    `cmd:"" help:"Candidates for sources: follow, approve, reject, retry."`
	Watches       watchesCommand       `cmd:"" help:"The pages that are watched: add, list, follow and steer."`
	Sources       sourcesCommand       `cmd:"" help:"The sites that are read."`
	Score         scoreCommand         `cmd:"" help:"How good a source's records are, in eight dimensions."`
	Heals         healsCommand         `cmd:"" help:"How sources were healed after redesigns, with proof."`
	Audit         auditCommand         `cmd:"" help:"Compare the entities of a source with a curated truth."`
	Usage         usageCommand         `cmd:"" help:"What asking models cost, by purpose and source."`
	Blueprints    blueprintsCommand    `cmd:"" help:"How pages are read: versions, differences, going back."`
	Entities      entitiesCommand      `cmd:"" help:"Entities: values, evidence, history."`
	Changes       changesCommand       `cmd:"" help:"What changed."`
	Publications  publicationsCommand  `cmd:"" help:"What was published, and why."`
	Subscriptions subscriptionsCommand `cmd:"" help:"Subscriptions: who is notified of which changes."`
	Deliveries    deliveriesCommand    `cmd:"" help:"Deliveries: list, inspect and resend."`
	Export        exportCommand        `cmd:"" help:"Write entities or changes as CSV, Excel, JSON, calendar or feed."`
	Feeds         feedsCommand         `cmd:"" help:"Feed addresses of sources, watches and subscriptions: show, renew, revoke."`
	Replay        replayCommand        `cmd:"" help:"Read the archived pages of a watch again by its present blueprint, without requests."`
	Runs          runsCommand          `cmd:"" help:"List, follow and steer runs."`
	Users         usersCommand         `cmd:"" help:"Who may sign in, and what they may do."`
	Orgs          orgsCommand          `cmd:"" help:"The orgs of the installation, which the operator makes."`
	Keys          keysCommand          `cmd:"" help:"API keys of programs."`
	Words         wordsCommand         `cmd:"" help:"Your dictionary of words on pages and their values."`
	Kinds         kindsCommand         `cmd:"" help:"Kinds of records: names, fields, identity."`
	Doctor        doctorCommand        `cmd:"" help:"Show the effective configuration and the problems of this installation."`
	Fsck          fsckCommand          `cmd:"" help:"Check the invariants of the database."`
	Backup        backupCommand        `cmd:"" help:"Write database and archive to one file, while the server runs."`
	Restore       restoreCommand       `cmd:"" help:"Fill an empty installation with a backup, on either database."`
	Migrate       migrateCommand       `cmd:"" help:"Migrate the database; serve does this automatically."`
	Version       versionCommand       `cmd:"" help:"Print the version."`
	Completion    completionCommand    `cmd:"" help:"Print the completion script of a shell."`
	Complete      completeCommand      `cmd:"" name:"__complete" hidden:"" help:"Complete a command line."`
}

// program is what a command gets to work with.
type program struct {
	Environment
	*commands
	settings  map[string]string // given as flags
	parser    *kong.Kong
	log       *slog.Logger
	now       func() time.Time // of the pages that are read: the sample web has days of its own
	delay     *curlew.Duration // between requests; nil means the pace: the sample web need not be spared
	kinds     curlew.Kinds     // of the org, where one was opened
	demoLogin *demoLogin       // who may look at a demonstration; nil for nobody
	asked     func(string)     // told what an onboarding of this process asks for; nil for nobody
}

// clock is the time of the pages that are read.
func (a *program) clock() func() time.Time {
	if a.now != nil {
		return a.now
	}
	return time.Now
}

const description = `Curlew turns websites into structured, self-healing, change-tracked feeds.

Every setting can be given as a flag, as an environment variable or in a file:
"curlew doctor" lists them all with their effective values.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 does not fit, 4 refused.`

// Main runs one command line and returns the exit code.
func Main(args []string, env Environment) int {
	var grammar commands
	flags := newSettingFlags()
	exited := -1
	parser, err := kong.New(&grammar, kong.Name("curlew"), kong.Description(description), kong.Writers(env.Out, env.Err),
		kong.Exit(func(code int) { exited = code }), kong.Embed(flags.target()),
		kong.TypeMapper(reflect.TypeFor[time.Duration](), kong.MapperFunc(decodeDuration)),
		kong.NamedMapper("outfile", kong.MapperFunc(decodeOutFile)), kong.NamedMapper("outfolder", kong.MapperFunc(decodeOutFolder)),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}), kong.UsageOnError(),
		kong.Vars{"version": versionLine(slices.Contains(args, "--json"))})
	if err != nil {
		panic(err) // the grammar above is wrong
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	if exited >= 0 { // --help, --version
		return exited
	}
	var wrong curlew.Problems
	var mistake *kong.ParseError
	switch {
	case errors.As(err, &wrong) && errors.As(err, &mistake): // of a value, as all interfaces word it
		return complain(env, grammar.JSON, wrong, exitUsage, mistake.Context.Flags()...)
	case err != nil:
		return complain(env, grammar.JSON, curlew.Permanent("wrong_usage", "%s (see curlew --help)", plainMistake(err)), exitUsage)
	}
	a := &program{Environment: env, commands: &grammar, settings: flags.given(), parser: parser, log: slog.New(slog.DiscardHandler)}
	if err := parsed.Run(a); err != nil {
		a.detail(err)
		if wasInterrupted(a.Context, err) {
			err = errInterrupted
		}
		return complain(env, grammar.JSON, err, exitCode(err), parsed.Flags()...)
	}
	return exitDone
}

// errInterrupted is what a command comes to that a person stopped, where it has nothing else to say of it.
var errInterrupted = curlew.Temporary("interrupted", "interrupted")

// wasInterrupted says whether a command failed because a person stopped it.
func wasInterrupted(ctx context.Context, err error) bool {
	ended := errors.Is(err, context.Canceled) || errors.Is(err, context.Cause(ctx))
	return ctx.Err() != nil && ended && !errors.Is(err, errInterrupted) // which says more, where a command knows more
}

// exitError gives an error an exit code of its own.
type exitError struct {
	error
	code int
}

// Unwrap is what went wrong.
func (e exitError) Unwrap() error { return e.error }

func exitCode(err error) int {
	var own exitError
	if errors.As(err, &own) {
		return own.code
	}
	var fault *curlew.Fault
	switch {
	case errors.As(err, new(curlew.Problems)):
		return exitUsage
	case !errors.As(err, &fault):
		return exitFailed
	case fault.Kind == curlew.KindRefused:
		return exitRefused
	case errors.Is(err, llm.ErrNotConfigured):
		return exitUsage
	case errors.Is(err, curlew.ErrNotFeasible):
		return exitUnfit
	}
	return exitFailed
}

// complain tells a person, or a program, what went wrong. People read of the flags of the command, where it has them.
func complain(env Environment, asJSON bool, err error, code int, flags ...*kong.Flag) int {
	said := *curlew.AsFault(err)
	if errors.Is(&said, curlew.ErrUnexpected) {
		said.Sentence += " (--log-level debug shows more)"
	}
	if asJSON {
		writeJSON(env.Err, map[string]any{"error": said})
		return code
	}
	text := said.Sentence
	if wrong := (curlew.Problems{}); errors.As(err, &wrong) {
		text = flagged(flags, wrong).Error()
	}
	if !errors.As(err, new(*curlew.Fault)) { // of a file or an address that a person named
		text = err.Error()
	}
	fmt.Fprintln(env.Err, "curlew: "+text)
	return code
}

// detail logs why a command failed, which may name tables and statements: for who asked to see that.
func (a *program) detail(err error) {
	if cfg, wrong := a.load(); wrong == nil && !a.log.Enabled(a.Context, slog.LevelError) { // it has no log of its own
		a.log = newLogger(a.Err, a.Terminal, cfg.Log)
	}
	a.log.Debug("the command failed", "error", err)
}
