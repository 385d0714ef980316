package heal

import (
	"context"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// learnDetails learns detail pages anew, around what is known and they still show, where the list is read as before. What is
// learned is proved in the shadow, as any other way; where it alone would lose something, the rules of before stay beside it.
func (m Repair) learnDetails(ctx context.Context, out *Repaired, note noting) error {
	kind := m.Old.Blueprint.Kind()
	m.Options.Schema, m.Options.Own = kind.Name, &kind
	m.Options.Asserted, m.Recall = true, m.recall()
	list := *m.Old.Blueprint
	list.Follow = nil
	p, _ := m.search(ctx).Try(ctx, onboard.Way{Address: m.Address, Blueprint: &list})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if p.Blueprint == nil || len(p.Blueprint.Follow) == 0 {
		note(false, "the detail pages say nothing that the list does not say")
		return notHealed(out.Report, nil)
	}
	learned := p.Blueprint.Follow
	for _, follow := range [][]blueprint.Follow{learned, slices.Concat(m.Old.Blueprint.Follow, learned)} {
		b := *m.Old.Blueprint
		b.Follow, p.Blueprint = follow, &b
		shadow, err := m.shadow(ctx, p)
		if err != nil {
			return err
		}
		out.Report.Shadow = &shadow
		if shadow.Agrees && regains(shadow, out.Report.Details) {
			out.Report.How = "learned around the known values of the detail pages"
			note(true, "the comparison with the old version agrees: %s", shadow.Basis)
			m.take(p, out, note)
			return nil
		}
		lost, _ := lostFields(shadow.Known)
		reasons := append(shadow.Reasons, "of "+strings.Join(out.Report.Details, ", ")+" too little is read again")
		if len(lost) > 0 {
			reasons = append(reasons, "the pages still say "+strings.Join(lost, ", "))
		}
		note(false, "new rules for the detail pages do not agree: %s", strings.Join(reasons, "; "))
	}
	return notHealed(out.Report, nil)
}

// regains says whether most of the known things have one of some fields again, and no field is lost that the pages still say.
func regains(s curlew.Shadow, fields []string) bool {
	lost, _ := lostFields(s.Known)
	return len(lost) == 0 && slices.ContainsFunc(s.Known.Fields, func(f curlew.FieldAgreement) bool {
		return slices.Contains(fields, f.Field) && f.Compared() > f.Missed+f.Gone
	})
}
