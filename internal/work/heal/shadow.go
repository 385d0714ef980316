package heal

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/pages"
)

// What a new blueprint must show before it replaces another. All of the rules of
// healing stand here, so that they can be told and argued about in one place.
const (
	// Before the shadow, on what its first page gives: so much of it was known (or so
	// much of the known is given), and of the values that both have so many are the same.
	leastKnownAgain = 0.5
	leastSameValues = 0.85

	// In the shadow: of the known entities that the pages still show, and of those that
	// the old version still reads, so many must be read;
	leastFoundAgain = 0.8
	// of the values of every field that both sides have, so many must be the same or
	// differ because the page does; fewer wrong ones than fewWrong say nothing;
	leastAgreement = 0.8
	fewWrong       = 2
	// and of the fields that most entities had and the pages still say, so many must be
	// read.
	leastFieldsKept = 0.6

	// How many ways are let into the shadow, how many pages of a list and how many detail
	// pages each of them reads there.
	mostShadows   = 3
	shadowPages   = 3
	shadowDetails = 5
)

// Keeper gives the archived copy of what was asked for in the last good look.
type Keeper func(ctx context.Context, ask extract.RequestSpec) (extract.Material, bool)

// shade is what one version reads of some pages.
type shade struct {
	samples []quality.SampleRecord
	listed  []int // samples of which the detail page was not read, although they have one
	pages   int
}

// shadow lets a new version read beside the old one and says whether they agree. It
// asks for few pages, most of which proposing has asked for already.
func (m Repair) shadow(ctx context.Context, p onboard.Proposal) (curlew.Shadow, error) {
	s := curlew.Shadow{Before: curlew.ShadowSide{Tier: m.Old.Blueprint.Tier}, After: curlew.ShadowSide{Tier: p.Tier}}
	compiled, err := extract.Compile(p.Blueprint)
	if err != nil {
		return s, err
	}
	own := func(ctx context.Context, address string) (extract.Material, bool) {
		material, err := p.Search.Material(ctx, extract.RequestSpec{URL: address})
		return material, err == nil
	}
	pages := m.walk(ctx, p.Search, compiled, compiled.First(p.URL))
	fresh := m.read(ctx, compiled, pages, own, nil)
	m.callSlots(fresh)
	beside := pages
	if was := m.Old.First(m.Address); was.Key() != compiled.First(p.URL).Key() {
		beside = m.walk(ctx, p.Search, m.Old, was)
	}
	old := m.read(ctx, m.Old, beside, own, fresh.keys())
	s.Fresh = m.beside(ctx, old, fresh)
	s.Known, s.Values = m.besideKnown(ctx, fresh, pages)
	was := m.archived(ctx, compiled, &s)
	judged := quality.Judge(ctx, fresh.samples, dates.Options{Now: m.Now()})
	if namesKnown(s.Known.Fields, m.Old.Blueprint.Kind().Title) {
		judged = judged.WithNamesKnown()
	}
	s.Judge = judged.Sentence
	s.Before.Score = m.quality(m.seen())
	s.After.Score = m.quality(fresh.records())
	s.Basis = basisOf(s, len(m.Known))
	still := old
	if len(m.Known) > 0 {
		still = m.onlyKnown(old)
	}
	now := m.beside(ctx, still, fresh)
	s.Reasons, s.Misread = objections(s, now)
	if !m.left {
		s.Reasons = slices.Concat(missed(s, now), s.Reasons)
	}
	if why := judged.Worse(was); why != "" {
		s.Reasons = append(s.Reasons, why)
	}
	if len(s.Reasons) == 0 && m.Teacher != nil && ctx.Err() == nil {
		s.Reasons = m.doubts(ctx, fresh, &s)
	}
	s.Agrees = len(s.Reasons) == 0
	return s, ctx.Err()
}

// namesKnown says whether nearly all that was read has the names that things are known by.
func namesKnown(fields []curlew.FieldAgreement, title string) bool {
	return slices.ContainsFunc(fields, func(f curlew.FieldAgreement) bool {
		return f.Field == title && f.Same > 0 && f.Same*10 >= f.Compared()*9
	})
}

// Shadow lets a version that somebody made read beside the present one, at an address of
// its own, by the rules of healing. A first page that cannot be had is an error: without
// it nothing can be said.
func (m Repair) Shadow(ctx context.Context, compiled *extract.Compiled, address string) (s curlew.Shadow, err error) {
	err = guard.Call(ctx, guard.Heal, address, func(ctx context.Context) error {
		s, err = m.readBeside(ctx, compiled, address)
		return err
	})
	return s, err
}

func (m Repair) readBeside(ctx context.Context, compiled *extract.Compiled, address string) (curlew.Shadow, error) {
	b := compiled.Blueprint
	look := m.search(ctx)
	look.Schema = b.Schema
	if _, err := look.Material(ctx, compiled.First(address)); err != nil {
		return curlew.Shadow{}, err
	}
	return m.shadow(ctx, onboard.Proposal{URL: address, Schema: b.Schema, Tier: b.Tier, Blueprint: b, Search: look})
}

// search asks for pages without looking for ways to read them.
func (m Repair) search(ctx context.Context) *onboard.Search {
	return &onboard.Search{Proposing: m.Proposing, Web: pages.Cached(ctx, m.Web), Schema: m.Old.Blueprint.Schema}
}

// doubts are what a model has against what the new version reads. Where that is what was
// known before, what is known counts, and not the model's word.
func (m Repair) doubts(ctx context.Context, is shade, s *curlew.Shadow) []string {
	sample := is.deep()
	opinion := onboard.SecondOpinion(ctx, m.Teacher, sample)
	by := m.byName()
	opinion.Doubted = slices.DeleteFunc(opinion.Doubted, func(x quality.DoubtedValue) bool {
		at, ok := by.find(sample[x.Record].Record)
		borne := ok && sameValue(m.Known[at].Fields[x.Field], sample[x.Record].Record.Fields[x.Field])
		if borne {
			opinion.Dismissed++
		}
		return borne
	})
	judged := quality.Judge(ctx, sample, dates.Options{Now: m.Now()}).WithOpinion(opinion)
	s.Model = opinion.Note
	if opinion.Answered {
		s.Model = fmt.Sprintf("a model was asked about %d records: %d doubts, %d dismissed", len(sample), len(opinion.Doubted),
			opinion.Dismissed)
	}
	if judged.Doubted() {
		return []string{"a model objects: " + judged.Sentence}
	}
	return nil
}

// archived lets both versions read the pages of the last good check. It gives what the
// judge says about the old one there; nil when nothing is archived.
func (m Repair) archived(ctx context.Context, compiled *extract.Compiled, s *curlew.Shadow) *quality.Judgement {
	if m.Before == nil {
		return nil
	}
	own := func(ctx context.Context, address string) (extract.Material, bool) {
		if m.Archive == nil {
			return extract.Material{}, false
		}
		return m.Archive(ctx, extract.RequestSpec{URL: address})
	}
	old := m.read(ctx, m.Old, []extract.Material{*m.Before}, own, nil)
	is := m.read(ctx, compiled, []extract.Material{*m.Before}, own, old.keys())
	beside := m.beside(ctx, old, is)
	s.Archived = &beside
	if len(old.samples) == 0 {
		return nil
	}
	judged := quality.Judge(ctx, old.samples, dates.Options{Now: m.Before.Now})
	return &judged
}

// basisOf says what the new version was held against.
func basisOf(s curlew.Shadow, known int) string {
	basis := fmt.Sprintf("Both versions read %s: the old one %s, the new one %d, both %d.", curlew.Counted(s.Fresh.Pages, "fresh page"),
		curlew.Counted(s.Fresh.Old, "entity"), s.Fresh.New, s.Fresh.Both)
	if s.Fresh.Both == 0 {
		basis = fmt.Sprintf("The old version reads nothing any more that the new one reads on %s, so the new one was compared with the %d "+
			"known entities, of which %d are shown there",
			curlew.Counted(s.Fresh.Pages, "fresh page"), known, s.Known.Old)
		switch {
		case s.Archived == nil:
			return basis + "; no page of the last good check is archived."
		case s.Archived.Both == 0:
			return basis + fmt.Sprintf("; of the archived page of the last good check the old version reads %s and the new one none of them, as "+
				"is usual after a redesign.", curlew.Counted(s.Archived.Old, "entity"))
		}
		basis += "."
	}
	if s.Archived != nil && s.Archived.Both > 0 {
		basis += fmt.Sprintf(" On the archived page of the last good check they have %d of %d in common.", s.Archived.Both, s.Archived.Old)
	}
	return basis
}

// missed are the reasons not to agree that lie in what the new version does not read. Of what the old one still
// reads, only what is known counts, where anything is, and nothing where it misses most of what is known: a
// blueprint that no longer fits reads anything.
func missed(s curlew.Shadow, still curlew.Beside) (all []string) {
	if s.Fresh.New == 0 {
		return nil
	}
	for _, b := range []struct {
		curlew.Beside
		what string
	}{{s.Known, "are known and that the pages show"}, {still, "the old version still reads"}} {
		if b.Old*2 >= s.Known.Old && float64(b.Both) < leastFoundAgain*float64(b.Old) {
			all = append(all, fmt.Sprintf("of %d entities that %s, the new version reads %d, and misses %s", b.Old, b.what, b.Both,
				strings.Join(b.OldOnly[:min(3, len(b.OldOnly))], ", ")))
		}
	}
	return all
}

// objections are why the versions do not agree in what they both read, and the fields that are read otherwise.
func objections(s curlew.Shadow, still curlew.Beside) (all, fields []string) {
	if s.Fresh.New == 0 {
		return []string{"the new version reads nothing"}, nil
	}
	compared := map[string]curlew.Beside{"than is known": s.Known, "than by the old version": still}
	if s.Archived != nil {
		compared["than by the old version on the archived page"] = *s.Archived
	}
	for _, than := range slices.Sorted(maps.Keys(compared)) {
		for _, f := range compared[than].Fields {
			if f.Wrong > fewWrong && f.Agreement() < leastAgreement {
				all = append(all, misread(f, than))
				if !slices.Contains(fields, f.Field) {
					fields = append(fields, f.Field)
				}
			}
		}
	}
	if lost, of := lostFields(s.Known); float64(of-len(lost)) < leastFieldsKept*float64(of) {
		all = append(all, fmt.Sprintf("of %d fields that the pages still say, %d are no longer read: %s", of, len(lost),
			strings.Join(lost, ", ")))
	}
	return all, fields
}

// misread says how a field is read otherwise, without a reason.
func misread(f curlew.FieldAgreement, than string) string {
	text := fmt.Sprintf("%s is read otherwise %s for %d of %d", f.Field, than, f.Wrong, f.Compared())
	if len(f.Examples) > 0 {
		text += fmt.Sprintf(", e.g. %q for %q: %s", f.Examples[0].New, f.Examples[0].Old, f.Examples[0].Why)
	}
	return text
}

// lostFields are the fields that most entities had and the pages still say, and that are
// not read any more, of how many.
func lostFields(b curlew.Beside) (lost []string, of int) {
	for _, f := range b.Fields {
		switch had := f.Compared() + f.Missed; {
		case had == 0 || f.Gone+f.Gained > had:
		case f.Missed > f.Compared():
			of++
			lost = append(lost, f.Field)
		default:
			of++
		}
	}
	return lost, of
}
