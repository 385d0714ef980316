package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/induce"
)

type healCommand struct {
	targets
	Blueprint string         `help:"The blueprint that stopped fitting." required:"" placeholder:"FILE" type:"existingfile"`
	Known     string         `help:"Values known from before: JSON lines {\"now\", \"fields\": {\"name\": [\"value\"]}}." required:"" placeholder:"FILE" type:"existingfile"`
	Out       string         `short:"o" help:"Write the new blueprint to this file; - is standard output." required:"" placeholder:"FILE" type:"outfile"`
	Archived  string         `help:"A manifest of the pages as they were when the blueprint fitted: its records there are compared with the new ones." placeholder:"FILE" type:"existingfile"`
	Proof     string         `help:"Write the proof to this file instead of FILE.proof.json next to the blueprint." placeholder:"FILE" type:"outfile"`
	Delay     *time.Duration `help:"Pause between requests to a host; under 1s only for addresses allowed in configuration." placeholder:"1s"`
}

// Run heals a blueprint and prints the proof.
func (c *healCommand) Run(a *program) error {
	old, err := readBlueprint(c.Blueprint)
	if err != nil {
		return err
	}
	known, err := c.known(c.Known, false)
	if err != nil {
		return err
	}
	all, err := c.list()
	if err != nil {
		return err
	}
	web, err := fetcherFor(c.Delay)
	if err != nil {
		return err
	}
	defer web.close()
	var pages []induce.DatedPage
	cache := &pageCache{a: a, web: web}
	for _, one := range all {
		doc, err := cache.read(one)
		if err != nil {
			return err
		}
		pages = append(pages, induce.DatedPage{Document: doc, Now: one.now})
	}
	var past []induce.PastRecord
	for _, k := range known {
		past = append(past, induce.PastRecord{URL: k.address, Now: k.now, Fields: k.fields})
	}
	archived, err := c.archived(cache)
	if err != nil {
		return err
	}
	healed, err := extract.Heal(a.Context, induce.Case{Old: old, Past: past, Pages: pages, Archived: archived})
	healed, err = a.healByModel(old, past, pages, healed, err)
	if err != nil {
		tellHealing(a, healed, c.Out)
		return unfit(err)
	}
	if err := writeBlueprint(a, c.Out, healed.Blueprint); err != nil {
		return err
	}
	tellHealing(a, healed, c.Out)
	if err := c.keepProof(a, healed); err != nil {
		return err
	}
	if len(past) > 0 && healed.Proof.Lost >= len(past) {
		return unfit(curlew.Permanent("not_healed", "no record that was known was found again: what was written to %s is provisional, and "+
			"a person should see what it reads", c.Out))
	}
	return nil
}

// archived reads the pages as they were when the old blueprint fitted.
func (c *healCommand) archived(cache *pageCache) ([]induce.DatedPage, error) {
	if c.Archived == "" {
		return nil, nil
	}
	all, err := (&targets{Manifest: c.Archived, Now: c.Now}).list()
	if err != nil {
		return nil, err
	}
	var pages []induce.DatedPage
	for _, one := range all {
		doc, err := cache.read(one)
		if err != nil {
			return nil, err
		}
		pages = append(pages, induce.DatedPage{Document: doc, Now: one.now})
	}
	return pages, nil
}

// keepProof writes the proof beside the blueprint.
func (c *healCommand) keepProof(a *program, h induce.HealResult) error {
	path := c.Proof
	if path == "" {
		if c.Out == "-" {
			return nil
		}
		path = c.Out + ".proof.json"
	}
	text, err := json.MarshalIndent(map[string]any{"how": h.How, "proof": h.Proof}, "", "  ")
	if err != nil {
		return fmt.Errorf("write the proof: %w", err)
	}
	return a.writeTo(path, func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
}

// tellHealing prints the proof, unless the blueprint itself goes to standard output.
func tellHealing(a *program, h induce.HealResult, out string) {
	switch {
	case out == "-" && h.Blueprint != nil:
	case a.JSON:
		writeJSON(a.Out, map[string]any{"healed": h.Blueprint != nil, "how": h.How, "proof": h.Proof})
	default:
		if h.Blueprint != nil {
			fmt.Fprintln(a.Out, "healed: "+h.How)
		}
		proofLines(a.Out, h.Proof)
	}
}
