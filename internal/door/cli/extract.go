package cli

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/text"
)

type extractCommand struct {
	targets
	Schema  string         `aliases:"kind" help:"Kind of records: auto, event, product, job, article, organization, item, page, or a file with one of your own." default:"auto" placeholder:"KIND"`
	Tier    string         `help:"Use only this tier: structured, api, bundle or html. Structured data are then not checked against the page, unless --explain asks for it." enum:",structured,api,bundle,html" default:"" placeholder:"TIER"`
	Format  string         `help:"How to print it: ${enum}." enum:"json,jsonl,csv" default:"json" placeholder:"FORMAT"`
	Explain bool           `help:"Show for every field where it came from and whether the page shows it."`
	Signs   bool           `help:"With --by-page: print the evidence for and against every value." hidden:""`
	Delay   *time.Duration `help:"Pause between requests to a host; under 1s only for addresses allowed in configuration." placeholder:"1s"`
}

// Run reads each target and prints what is on it.
func (c *extractCommand) Run(a *program) error {
	all, err := c.list()
	if err != nil {
		return err
	}
	options, err := a.readingAlone()
	if err != nil {
		return err
	}
	options.Tier, options.Signs = curlew.Tier(c.Tier), c.Signs
	if options.Zone, err = c.zone(); err != nil {
		return err
	}
	options.Unverified = options.Tier == curlew.TierStructured && !c.Explain && !c.ByPage
	if c.Schema != "auto" {
		kind, err := a.kindOf(c.Schema)
		if err != nil {
			return err
		}
		options.Schema, options.Own, options.Asserted = kind.Name, kind.Own(), true
	}
	web, err := fetcherFor(c.Delay)
	if err != nil {
		return err
	}
	defer web.close()
	printer := c.printer(a)
	sum := pageSum{}
	err = eachPage(a, all, func(one target) pageReport {
		return extractPage(a, one, web, options)
	}, func(p pageReport) error {
		sum.add(p)
		return printer.page(p)
	})
	if err != nil {
		return err
	}
	if !sum.failed() {
		err = printer.end()
	}
	if err != nil {
		return err
	}
	return sum.verdict(a, "nothing of the kind was found: \"curlew inspect\" shows what the page has")
}

// pageReport is what one page came to: the line that --by-page prints.
type pageReport struct {
	Page    string         `json:"page"`
	Tier    curlew.Tier    `json:"tier,omitempty"`
	Schema  string         `json:"schema,omitempty"`
	Millis  int64          `json:"ms"`
	Fault   *curlew.Fault  `json:"fault"`
	Records []recordReport `json:"records"`
	Notes   []string       `json:"notes,omitempty"`
}

// recordReport is one record as the command line prints it.
type recordReport struct {
	Schema     curlew.SchemaName           `json:"schema"`
	ExternalID string                      `json:"external_id"`
	URL        string                      `json:"url"`
	Confidence float64                     `json:"confidence"`
	Fields     curlew.Values               `json:"fields"`
	Text       string                      `json:"text,omitempty"`
	Node       string                      `json:"node,omitempty"`
	Provenance map[string]curlew.Evidence  `json:"provenance,omitempty"`
	Unsure     []string                    `json:"unsure,omitempty"` // fields of which more than one in a hundred is wrong
	Estimates  map[string]extract.Estimate `json:"estimates,omitempty"`

	kind curlew.Schema
}

func extractPage(a *program, one target, web *pageFetcher, o extract.ExtractOptions) pageReport {
	report := pageReport{Page: one.name, Records: []recordReport{}}
	material, err := a.material(one, web)
	if err != nil {
		report.Fault = curlew.AsFault(err)
		return report
	}
	began := time.Now()
	extraction := extract.Extract(a.Context, material, o)
	report.Millis = time.Since(began).Milliseconds()
	report.take(extraction)
	return report
}

// take puts what was read into the report.
func (p *pageReport) take(e extract.Extraction) {
	p.Tier, p.Schema, p.Notes, p.Fault = e.Tier, string(e.Schema), e.Notes, e.Fault
	for _, r := range e.Readings {
		p.Records = append(p.Records, recordOf(r))
	}
}

// How much garbage is left lying while many pages are read: up to four times what
// is used, and not much more than a limit in all. Runs keep more than extracting does.
const (
	gcPercent  = 400
	gcLimit    = 100 << 20
	gcLimitRun = 120 << 20
)

// collectSeldom is for commands that read many pages, which make much garbage.
func collectSeldom(limit int64) {
	debug.SetGCPercent(gcPercent)
	debug.SetMemoryLimit(limit)
}

// eachPage looks at all targets, several at a time, and reports them in order.
func eachPage[R any](a *program, all []target, look func(target) R, report func(R) error) error {
	if len(all) > 1 {
		collectSeldom(gcLimit)
	}
	workers := min(len(all), runtime.GOMAXPROCS(0))
	slots := make(chan struct{}, workers*4) // how far the readers may be ahead of the printer
	results := make([]chan R, len(all))
	for i := range results {
		results[i] = make(chan R, 1)
	}
	next := make(chan int)
	for range workers {
		go func() {
			for i := range next {
				results[i] <- look(all[i])
			}
		}()
	}
	go func() {
		defer close(next)
		for i := range all {
			select {
			case slots <- struct{}{}:
			case <-a.Context.Done():
				return
			}
			next <- i
		}
	}()
	for i := range results {
		select {
		case p := <-results[i]:
			<-slots
			if err := report(p); err != nil {
				return err
			}
		case <-a.Context.Done():
			return a.Context.Err()
		}
	}
	return nil
}

// pageSum adds up what became of all pages.
type pageSum struct {
	pages, records int
	faults         []*curlew.Fault
}

func (s *pageSum) add(p pageReport) {
	s.pages++
	s.records += len(p.Records)
	if p.Fault != nil {
		s.faults = append(s.faults, p.Fault)
	}
}

// failed tells that pages could not be read, and no other had a record.
func (s *pageSum) failed() bool {
	return len(s.faults) > 0 && (len(s.faults) == s.pages || s.records == 0)
}

// verdict is the error of the whole command. One page of many that cannot be read
// is told, and does not spoil the others.
func (s *pageSum) verdict(a *program, nothing string) error {
	if s.failed() {
		return s.faults[0]
	}
	for _, fault := range s.faults {
		fmt.Fprintln(a.Err, "curlew: "+printable(fault.Sentence))
	}
	if s.records == 0 {
		return exitError{curlew.Permanent("nothing_found", "%s", nothing), exitUnfit}
	}
	return nil
}

// explanation prints a record with its evidence for a person.
func explanation(w io.Writer, r recordReport) {
	fmt.Fprintf(w, "%s  %s  confidence %.2f\n", r.Schema, printable(r.ExternalID), r.Confidence)
	for _, name := range r.Fields.Order(r.kind) {
		e := r.Provenance[name]
		fmt.Fprintf(w, "  %-14s %s\n", name, text.Clip(printable(valueText(r.Fields[name])), 100))
		if e.Unsure() {
			fmt.Fprintf(w, "  %-14s ?  not sure: right in %.0f of 100 such cases\n", "", 100*e.Confidence)
		}
		if e.Rule != "" {
			fmt.Fprintf(w, "  %-14s %s  %s · %s%s\n", "", seenMark(e.Seen), curlew.ReadFrom(e.Tier), printable(e.Rule), seenWord(e))
		}
		for _, rival := range e.Rivals {
			fmt.Fprintf(w, "  %-14s ⚠  %s · %s says %q\n", "", curlew.ReadFrom(rival.Tier), printable(rival.Rule),
				text.Clip(printable(rival.Value), 60))
		}
	}
	fmt.Fprintln(w)
}

func seenMark(s curlew.Seen) string {
	switch s {
	case curlew.SeenVisible:
		return "✓"
	case curlew.SeenNowhere:
		return "✕"
	}
	return "○"
}

func seenWord(e curlew.Evidence) string {
	word := map[curlew.Seen]string{curlew.SeenVisible: "shown on the page", curlew.SeenEmbedded: "in the page's data only",
		curlew.SeenDerived: "derived from the page"}[e.Seen]
	if word == "" {
		return ""
	}
	if e.Text != "" {
		word += fmt.Sprintf(", from %q", text.Clip(printable(e.Text), 60))
	}
	return " · " + word
}
