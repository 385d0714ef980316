package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text"
)

type learnCommand struct {
	targets
	Schema string         `aliases:"kind" help:"Kind of records: event, product, job, article, organization, item, a file with one of your own, or custom, which takes the fields of --known." default:"item" placeholder:"KIND"`
	Known  string         `help:"Values known to be on pages: JSON lines {\"file\", \"url\", \"now\", \"fields\": {\"name\": [\"value\"]}}. These pages are targets too." placeholder:"FILE" type:"existingfile"`
	Out    string         `short:"o" help:"Write the blueprint to this file; - is standard output." required:"" placeholder:"FILE" type:"outfile"`
	Model  bool           `help:"Ask the configured model, also where the pages can be learned without one."`
	Delay  *time.Duration `help:"Pause between requests to a host; under 1s only for addresses allowed in configuration." placeholder:"1s"`

	kind curlew.Schema
}

// Run learns a blueprint and says what it finds.
func (c *learnCommand) Run(a *program) error {
	web, err := fetcherFor(c.Delay)
	if err != nil {
		return err
	}
	defer web.close()
	if c.Known == "" && c.Schema == string(curlew.SchemaCustom) {
		return exitError{curlew.Permanent("wrong_usage", "the schema custom defines no fields: give --known"), exitUsage}
	}
	if err := c.setKind(a); err != nil {
		return err
	}
	samples, err := c.samples(a, web)
	if err != nil {
		return err
	}
	l, err := c.learnOrAsk(a, samples)
	if err != nil {
		if len(l.Proof.Fields) > 0 || l.Model != nil {
			printLearned(a, l)
		}
		return unfit(err)
	}
	if err := writeBlueprint(a, c.Out, l.Blueprint); err != nil {
		return err
	}
	if c.Out != "-" {
		printLearned(a, l)
	}
	return nil
}

// setKind finds what the records are.
func (c *learnCommand) setKind(a *program) (err error) {
	switch c.Schema {
	case string(curlew.SchemaCustom):
		c.kind = curlew.SchemaCustom.Kind()
	case string(curlew.SchemaPage):
		return usage("the text of a page needs no blueprint: watch it with \"curlew add URL --kind page\"")
	default:
		c.kind, err = a.kindOf(c.Schema)
	}
	return err
}

func (c *learnCommand) samples(a *program, web *pageFetcher) ([]induce.LabelledPage, error) {
	var known []knownTarget
	var others []target
	var err error
	if c.Known != "" {
		if known, err = c.known(c.Known, true); err != nil {
			return nil, err
		}
	}
	if len(known) == 0 || len(c.Targets) > 0 || c.Manifest != "" {
		if others, err = c.list(); err != nil {
			return nil, err
		}
	}
	return (&pageCache{a: a, web: web}).samples(known, others)
}

func (c *learnCommand) learn(ctx context.Context, samples []induce.LabelledPage) (*blueprint.Blueprint, induce.Proof, error) {
	if c.Known != "" {
		return induce.FewShot(ctx, c.kind, samples)
	}
	return extract.Learn(ctx, c.kind, samples)
}

// unfit gives expected failures of learning and healing their exit code.
func unfit(err error) error {
	if fault := curlew.AsFault(err); fault.Kind == curlew.KindPermanent && exitCode(err) == exitFailed {
		return exitError{fault, exitUnfit}
	}
	return err
}

// proofLines print what a blueprint finds again.
func proofLines(w io.Writer, p induce.Proof) {
	found, known := p.Found()
	fmt.Fprintf(w, "%s, %s", curlew.Counted(p.Pages, "page"), curlew.Counted(p.Records, "record"))
	if known > 0 {
		fmt.Fprintf(w, "; %d of %d known values found again", found, known)
	}
	fmt.Fprintln(w)
	for _, f := range p.Fields {
		fmt.Fprintf(w, "  %s %-16s %d of %d", proofMark(f), printable(f.Field), f.Found, f.Known)
		if f.Rule != "" {
			fmt.Fprintf(w, "  %s", text.Clip(printable(f.Rule), 70))
		}
		fmt.Fprintln(w)
		if len(f.Missing) > 0 {
			fmt.Fprintf(w, "    not found: %s\n", text.Clip(printable(strings.Join(f.Missing, "; ")), 100))
		}
	}
	for _, note := range p.Notes {
		fmt.Fprintln(w, "  "+printable(note))
	}
}

func proofMark(f induce.FieldProof) string {
	switch {
	case f.Found == f.Known:
		return "✓"
	case f.Found == 0:
		return "✕"
	}
	return "○"
}
