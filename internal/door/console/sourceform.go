package console

import (
	"context"
	"strconv"

	"curlew/internal/curlew"
	"curlew/internal/data/store"
)

// sourceForm is what is known of a source while it is written.
type sourceForm struct {
	ID    curlew.SourceID
	Wish  SourceWish
	URLs  string
	Wrong Mistakes
}

func (f *sourceForm) view() view { return view{"sourceform", "Edit a source", f} }

func sourceAt(v *visit) curlew.SourceID { return curlew.SourceID(v.PathValue("id")) }

func editSource(ctx context.Context, v *visit) (view, error) {
	s, err := v.rooms.Sources.Source(ctx, sourceAt(v))
	f := &sourceForm{ID: s.ID, URLs: amountText(s.MinURLs), Wish: SourceWish{Name: s.Name, Category: s.Rules.Category, Zone: s.Rules.Zone, Instructions: s.Rules.Instructions}}
	return f.view(), err
}

func sendSource(ctx context.Context, v *visit) (answer, error) {
	f := &sourceForm{ID: sourceAt(v), URLs: v.text("urls", 20), Wish: SourceWish{Name: v.text("name", mostName), Category: v.text("category", 100), Zone: v.text("pagezone", 60),
		Instructions: v.text("instructions", mostInstructions)}}
	if _, err := v.rooms.Sources.Source(ctx, f.ID); err != nil {
		return answer{}, err
	}
	f.Wrong = tooLong(map[string]string{"name": f.Wish.Name, "category": f.Wish.Category, "instructions": f.Wish.Instructions},
		map[string]int{"name": mostName, "category": 100, "instructions": mostInstructions})
	if f.Wish.Name == "" {
		f.Wrong = append(f.Wrong, Mistake{"name", "give it a name"})
	}
	if f.Wish.Zone != "" && !knownZone(f.Wish.Zone) {
		f.Wrong = append(f.Wrong, Mistake{"pagezone", "nobody knows this time zone: write it as Europe/Warsaw"})
	}
	least, wrong := v.whole("urls", "the number of URLs", 0, 10_000_000)
	f.Wish.MinURLs = least
	f.Wrong = append(f.Wrong, wrong...)
	if len(f.Wrong) > 0 {
		return answer{page: f.view(), wrong: true}, nil
	}
	err := v.rooms.Desk.Sources.AmendSource(ctx, f.ID, f.Wish)
	if err == nil {
		return answer{next: "/sources/" + string(f.ID) + "?done=saved"}, nil
	}
	if f.Wrong, err = mistakes(err); err != nil {
		return answer{}, err
	}
	return answer{page: f.view(), wrong: true}, nil
}

func steerSource(s Step) func(context.Context, *visit) (string, error) {
	return func(ctx context.Context, v *visit) (string, error) {
		return "/sources/" + string(sourceAt(v)) + "?done=" + string(s), v.rooms.Desk.Sources.SteerSource(ctx, sourceAt(v), s)
	}
}

// healSource learns a source anew, or one watch of it that the form names.
func healSource(ctx context.Context, v *visit) (string, error) {
	run, err := v.rooms.Desk.Sources.Heal(ctx, sourceAt(v), curlew.WatchID(v.text("watch", 60)))
	return "/runs/" + string(run) + "?done=heal", err
}

func askPauseSource(ctx context.Context, v *visit) (view, error) {
	s, err := v.rooms.Sources.Source(ctx, sourceAt(v))
	return asks("Pause this source?", question{What: s.Name, Yes: "Yes, pause it", Back: "/sources/" + string(s.ID), Lost: []string{
		"None of its watches is visited until somebody resumes it.", "When it is resumed it is on probation again, and has to earn its trust anew."}}), err
}

func askArchive(ctx context.Context, v *visit) (view, error) {
	s, err := v.rooms.Sources.Source(ctx, sourceAt(v))
	return asks("Archive this source?", question{What: s.Name, Yes: "Yes, archive it", Back: "/sources/" + string(s.ID), Danger: true, Lost: []string{
		"None of its watches is visited any more, and nothing of it is healed.", "Its entities, their history and its archived pages stay, and its feeds still answer.",
		"It can be taken back later, on probation."}}), err
}

func askHeal(ctx context.Context, v *visit) (view, error) {
	s, err := v.rooms.Sources.Source(ctx, sourceAt(v))
	q := question{What: s.Name, Yes: "Yes, heal it now", Back: "/sources/" + string(s.ID), Lost: []string{
		"The last archived page is learned anew. A new blueprint is taken only if it proves that it finds what is known.", "What still fits is kept, and nothing that was found is lost."}}
	if watch := v.query("watch"); watch != "" {
		q.Fields = []hiddenField{{"watch", watch}}
	}
	return asks("Heal this source now?", q), err
}

// rollbackPage offers the versions that a source can go back to.
type rollbackPage struct {
	curlew.Source
	Blueprints []curlew.Blueprint
}

func askRollback(ctx context.Context, v *visit) (view, error) {
	s, err := v.rooms.Sources.Source(ctx, sourceAt(v))
	if err != nil {
		return view{}, err
	}
	p := rollbackPage{Source: s}
	p.Blueprints, err = v.app.Blueprints(ctx, v.who, store.BlueprintFilter{Source: s.ID}, store.Window{Limit: 200})
	return view{"rollback", "Go back to an earlier blueprint", p}, err
}

func rollbackSource(ctx context.Context, v *visit) (string, error) {
	version, err := strconv.Atoi(v.text("version", 10))
	if err != nil || version < 1 {
		return "", curlew.Permanent("bad_version", "choose a version to go back to")
	}
	return "/sources/" + string(sourceAt(v)) + "?done=rollback", v.rooms.Desk.Sources.Rollback(ctx, sourceAt(v), version, v.PostFormValue("shadow") != "")
}
