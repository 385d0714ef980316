package heal

import (
	"context"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// chooseTaught takes what the teacher wrote, if it agrees with what is known.
func (m Repair) chooseTaught(
	ctx context.Context, look *onboard.Search, out *Repaired, note noting,
) (onboard.Proposal, bool) {
	p, err := m.teach(ctx, look)
	if err != nil {
		note(false, "a model was asked: %s", curlew.AsFault(err).Sentence)
		return p, false
	}
	m.keepSlotNames(&p)
	chosen, ok := m.choose(ctx, []onboard.Proposal{p}, out, note)
	if ok {
		out.Report.How = "written by a model, and compared with the page"
	}
	return chosen, ok
}

// teach asks the teacher for a blueprint in place of the one that stopped fitting.
func (m Repair) teach(ctx context.Context, look *onboard.Search) (onboard.Proposal, error) {
	var past []induce.PastRecord
	for _, e := range m.Known {
		past = append(past, induce.PastRecord{URL: e.URL, Now: e.LastSeenAt, Fields: m.knownTexts(e)})
	}
	b, err := m.Teacher.Heal(ctx, m.Old.Blueprint, past, m.Page)
	if err != nil {
		return onboard.Proposal{}, err
	}
	look.Paged(ctx, b, look.Home.Document())
	p, ok := look.Try(ctx, onboard.Way{Address: m.Address, Blueprint: b})
	if !ok {
		return p, curlew.Permanent("not_healed", "the rules that the model wrote give no records")
	}
	p.Report = look.Report
	return p, nil
}
