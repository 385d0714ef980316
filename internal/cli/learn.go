package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"curlew/internal/blueprint"
	"curlew/internal/curlew"
	"curlew/internal/induce"
)

type learnCommand struct {
	targets
	Schema string         `help:"What to look for: ${enum}; custom takes the fields of --known." enum:"event,product,job,article,organization,item,custom" default:"item" placeholder:"SCHEMA"`
	Known  string         `help:"Values known to be on pages: JSON lines {\"file\", \"url\", \"now\", \"fields\": {\"name\": [\"value\"]}}. These pages are targets too." placeholder:"FILE" type:"existingfile"`
	Out    string         `short:"o" help:"Write the blueprint to this file; - is standard output." required:"" placeholder:"FILE"`
	Delay  *time.Duration `help:"Pause between requests to a host; under 1s only for addresses allowed in configuration." placeholder:"1s"`
}

// Run learns a blueprint and says what it finds.
func (c *learnCommand) Run(a *app) error {
	web := &loner{delay: c.Delay}
	defer web.close()
	samples, err := c.samples(a, web)
	if err != nil {
		return err
	}
	b, proof, err := c.learn(samples)
	if err != nil {
		if b == nil && len(proof.Fields) > 0 {
			tellProof(a, proof)
		}
		return unfit(err)
	}
	if err := writeBlueprint(a, c.Out, b); err != nil {
		return err
	}
	if c.Out != "-" {
		tellProof(a, proof)
	}
	return nil
}

func (c *learnCommand) samples(a *app, web *loner) ([]induce.Known, error) {
	var known []knownTarget
	var others []target
	var err error
	if c.Known != "" {
		if known, err = c.known(c.Known); err != nil {
			return nil, err
		}
	}
	if len(known) == 0 || len(c.Targets) > 0 || c.Manifest != "" {
		if others, err = c.list(); err != nil {
			return nil, err
		}
	}
	return (&library{a: a, web: web}).samples(known, others)
}

func (c *learnCommand) learn(samples []induce.Known) (*blueprint.Blueprint, induce.Proof, error) {
	if c.Known != "" {
		return induce.FewShot(curlew.SchemaName(c.Schema), samples)
	}
	if c.Schema == string(blueprint.SchemaCustom) {
		return nil, induce.Proof{}, exitError{curlew.Permanent("wrong_usage", "the schema custom has no fields of its own: give --known"), exitUsage}
	}
	return nil, induce.Proof{}, curlew.Permanent("not_learned", "not yet")
}

// unfit gives expected failures of learning and healing their exit code.
func unfit(err error) error {
	if fault := curlew.AsFault(err); fault.Kind == curlew.KindPermanent && exitCode(err) == exitFailed {
		return exitError{fault, exitUnfit}
	}
	return err
}

// tellProof prints what a blueprint finds again.
func tellProof(a *app, p induce.Proof) {
	if a.JSON {
		writeJSON(a.Out, map[string]any{"proof": p})
		return
	}
	proofLines(a.Out, p)
}

func proofLines(w io.Writer, p induce.Proof) {
	found, known := p.Found()
	fmt.Fprintf(w, "%d pages, %d records", p.Pages, p.Records)
	if known > 0 {
		fmt.Fprintf(w, "; %d of %d known values found again", found, known)
	}
	fmt.Fprintln(w)
	for _, f := range p.Fields {
		fmt.Fprintf(w, "  %s %-16s %d of %d", proofMark(f), printable(f.Field), f.Found, f.Known)
		if f.Rule != "" {
			fmt.Fprintf(w, "  %s", shorten(printable(f.Rule), 70))
		}
		fmt.Fprintln(w)
		if len(f.Missing) > 0 {
			fmt.Fprintf(w, "    not found: %s\n", shorten(printable(strings.Join(f.Missing, "; ")), 100))
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
