package console

import (
	"cmp"
	"context"
	"crypto/rand"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/sanitize"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/work/teach"
)

// patience bounds what asks other sites for pages.
const patience = time.Minute

// trainingAction is something that a form of the wizard does. What is refused is told on the
// page of the form, so that nothing is lost.
type trainingAction struct {
	action
	back screen
}

var trainingActions = map[string]trainingAction{
	"/blueprints/new":                          {action{auth.EditBlueprints, beginTraining}, newBlueprint},
	"/blueprints/new/{training}/choose":        {action{auth.EditBlueprints, chooseWay}, showTraining},
	"/blueprints/new/{training}/again":         {action{auth.EditBlueprints, readAgain}, showTraining},
	"/blueprints/new/{training}/point":         {action{auth.EditBlueprints, pointAt}, showTraining},
	"/blueprints/new/{training}/answer":        {action{auth.EditBlueprints, answerTraining}, showTraining},
	"/blueprints/new/{training}/remove":        {action{auth.EditBlueprints, dropField(false)}, showTraining},
	"/blueprints/new/{training}/restore":       {action{auth.EditBlueprints, dropField(true)}, showTraining},
	"/blueprints/new/{training}/own":           {action{auth.EditBlueprints, readDetail}, showTraining},
	"/blueprints/new/{training}/own/leave":     {action{auth.EditBlueprints, dropDetail}, showTraining},
	"/blueprints/new/{training}/own/point":     {action{auth.EditBlueprints, pointAtDetail}, showDetail},
	"/blueprints/new/{training}/own/remove":    {action{auth.EditBlueprints, dropDetailField(false)}, showDetail},
	"/blueprints/new/{training}/own/restore":   {action{auth.EditBlueprints, dropDetailField(true)}, showDetail},
	"/blueprints/new/{training}/test":          {action{auth.EditBlueprints, testTraining}, showTest},
	"/blueprints/new/{training}/save/version":  {action{auth.EditBlueprints, saveVersion}, showSave},
	"/blueprints/new/{training}/save/watching": {action{auth.EditWatches, saveWatch}, showSave},
}

// teach does what a form of the wizard asks for.
func (c *Console) teach(w http.ResponseWriter, r *http.Request, d trainingAction) {
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	v, next, err := c.perform(ctx, r, d.action)
	if err == nil {
		http.Redirect(w, r, next, http.StatusSeeOther)
		return
	}
	fault := curlew.AsFault(err)
	if v != nil && !beyondForm(fault) {
		if seen, failed := d.back(ctx, v); failed == nil {
			c.writeWith(w, r, http.StatusBadRequest, seen, text.Clip(clean(fault.Sentence), 600))
			return
		}
	}
	c.fail(w, r, err)
}

// form reads what a form says, or the address.
func (v *visit) form(name string) string {
	return cmp.Or(v.text(name), v.query(name))
}

// beginPage is the first step of the wizard.
type beginPage struct {
	app.BeginTraining
	Sources []curlew.Source
	Schemas []curlew.Schema
	Last    string // address of the last archived page
	LastAt  time.Time
}

func (v *visit) beginning() app.BeginTraining {
	return app.BeginTraining{URL: v.form("url"), Schema: curlew.SchemaName(v.form("schema")), Page: curlew.PageType(v.form("page")),
		Instructions: v.form("instructions"),
		Source:       curlew.SourceID(v.form("source")), Blueprint: curlew.BlueprintID(v.form("blueprint")), Archived: v.form("archived") != ""}
}

func newBlueprint(ctx context.Context, v *visit) (view, error) {
	p := beginPage{BeginTraining: v.beginning(), Schemas: v.kinds}
	var err error
	if _, p.Sources, err = sourceNames(ctx, v); err != nil {
		return view{}, err
	}
	if p.Source != "" || p.Blueprint != "" {
		if p.Last, p.LastAt, err = v.app.LastPage(ctx, v.who, p.Source, p.Blueprint); err != nil {
			return view{}, err
		}
	}
	return view{"trainingnew", "New blueprint", p}, nil
}

func beginTraining(ctx context.Context, v *visit) (string, error) {
	l, err := v.app.BeginTraining(ctx, v.who, v.beginning())
	if err != nil {
		return "", err
	}
	return trainingAt(l.ID), nil
}

func trainingAt(id string) string { return "/blueprints/new/" + url.PathEscape(id) }

// trainingPage is the second step: what is read, and how to correct it.
type trainingPage struct {
	Training
	Chosen  TrainingRecord
	Field   string // that is looked at
	Schemas []curlew.Schema
	Before  int // the records beside the chosen one; -1 for none
	After   int
}

func (v *visit) training(ctx context.Context) (Training, error) {
	l, err := v.app.Training(v.Context(), v.who, v.PathValue("training"))
	if err != nil {
		return Training{}, err
	}
	return trainingOf(ctx, l)
}

// number reads a number that an address or a form says.
func (v *visit) number(name string) int {
	n, err := strconv.Atoi(v.form(name))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

func showTraining(ctx context.Context, v *visit) (view, error) {
	l, err := v.training(ctx)
	if err != nil {
		return view{}, err
	}
	p := trainingPage{Training: l, Field: v.form("field"), Schemas: v.kinds, Before: -1, After: -1}
	if n := min(v.number("record"), len(l.Records)-1); n >= 0 {
		p.Chosen, p.Before = l.Records[n], n-1
		if n+1 < len(l.Records) {
			p.After = n + 1
		}
	}
	return view{"training", "Check what is read", p}, nil
}

func chooseWay(ctx context.Context, v *visit) (string, error) {
	id := v.PathValue("training")
	c := app.ChooseReading{Training: id, Reading: v.PostFormValue("way")}
	return trainingAt(id) + "?done=again", v.app.ChooseReading(v.Context(), v.who, c)
}

func readAgain(_ context.Context, v *visit) (string, error) {
	c := app.ReadTrainingAgain{Training: v.PathValue("training")}
	v.command(&c)
	return trainingAt(c.Training) + "?done=again", v.app.ReadTrainingAgain(v.Context(), v.who, c)
}

func pointAt(ctx context.Context, v *visit) (string, error) {
	id := v.PathValue("training")
	p, err := v.pick()
	if err != nil {
		return "", err
	}
	return trainingAt(id) + "?record=" + strconv.Itoa(p.Record) + "&field=" + url.QueryEscape(p.Field) + "&done=taught",
		v.app.PointAtValue(v.Context(), v.who, app.PointAtValue{Training: id, Selection: p})
}

// answerTraining says what a word means, and goes back to where it was asked.
func answerTraining(ctx context.Context, v *visit) (string, error) {
	id := v.PathValue("training")
	q, err := v.app.AnswerTraining(ctx, v.who, app.AnswerTraining{Training: id, Value: v.form("value")})
	if q.Detail {
		return trainingAt(id) + "/own?done=taught", err
	}
	return trainingAt(id) + "?record=" + strconv.Itoa(q.Record) + "&field=" + url.QueryEscape(q.Field) + "&done=taught", err
}

// pick is what a form says about a place of a page.
func (v *visit) pick() (teach.Selection, error) {
	place, err := strconv.Atoi(v.PostFormValue("place"))
	if err != nil {
		return teach.Selection{}, curlew.Permanent("no_such_place", "click a value in the copy of the page first, or choose one from the table")
	}
	p := teach.Selection{Place: place, Field: v.form("field"), Record: v.number("record"), Text: v.PostFormValue("text")}
	if own := strings.TrimSpace(v.PostFormValue("own")); own != "" {
		p.Field = "slots." + strings.TrimPrefix(own, "slots.")
	}
	return p, nil
}

func dropField(undo bool) func(context.Context, *visit) (string, error) {
	return func(_ context.Context, v *visit) (string, error) {
		id := v.PathValue("training")
		return trainingAt(id) + "?record=" + strconv.Itoa(v.number("record")) + "&done=taught",
			v.app.DropField(v.Context(), v.who, app.DropField{Training: id, Field: v.PostFormValue("field"), Undo: undo})
	}
}

// piecesPage lets a person choose a value from a table instead of clicking at it.
type piecesPage struct {
	Training
	Field  string
	Record int
	Chosen TrainingRecord
	Pieces []sanitize.Element
}

func showPieces(ctx context.Context, v *visit) (view, error) {
	l, err := v.app.Training(v.Context(), v.who, v.PathValue("training"))
	if err != nil {
		return view{}, err
	}
	seen, err := trainingOf(ctx, l)
	if err != nil {
		return view{}, err
	}
	return pieces(ctx, v, l, seen, teach.ThePage), nil
}

func pieces(ctx context.Context, v *visit, l *teach.Training, seen Training, page string) view {
	p := piecesPage{Training: seen, Field: v.query("field"), Record: v.number("record")}
	if p.Record < len(seen.Records) {
		p.Chosen = seen.Records[p.Record]
	}
	p.Pieces = l.Pieces(ctx, page, p.Record)
	return view{"trainingpick", "Choose a value", p}
}

func showTest(ctx context.Context, v *visit) (view, error) {
	l, err := v.training(ctx)
	return view{"trainingtest", "Test on another page", l}, err
}

func testTraining(ctx context.Context, v *visit) (string, error) {
	c := app.TestTraining{Training: v.PathValue("training"), URL: v.form("url")}
	return trainingAt(c.Training) + "/test?done=tested", v.app.TestTraining(ctx, v.who, c)
}

// savePage is the last step.
type savePage struct {
	Training
	Name    string
	Sources []curlew.Source // of the same site
	Own     *curlew.Source  // that the training is about
	Watch   curlew.Watch    // that reads the page now; one without an id for none
}

func showSave(ctx context.Context, v *visit) (view, error) {
	l, err := v.training(ctx)
	if err != nil {
		return view{}, err
	}
	p := savePage{Training: l}
	if webAddress(l.URL) != "" {
		p.Name = cmp.Or(l.Title, hostOf(l.URL))
	}
	_, sources, err := sourceNames(ctx, v)
	for _, s := range sources {
		if s.ID == l.Source || hostOf(s.BaseURL) == hostOf(l.URL) {
			p.Sources = append(p.Sources, s)
		}
		if s.ID == l.Source {
			p.Own = &s
		}
	}
	for _, s := range p.Sources {
		if w, failed := v.app.TrainingWatch(ctx, v.who, l.ID, s.ID); failed == nil && w.ID != "" {
			p.Watch = w
		}
	}
	return view{"trainingsave", "Keep it", p}, err
}

func saveVersion(ctx context.Context, v *visit) (string, error) {
	source := curlew.SourceID(v.PostFormValue("source"))
	b, err := v.app.SaveTraining(ctx, v.who, app.SaveTraining{Training: v.PathValue("training"), Source: source})
	return "/blueprints/" + string(b.ID) + "?done=version", err
}

func saveWatch(ctx context.Context, v *visit) (string, error) {
	var c app.AddWatch
	v.command(&c) // it has no numbers that could be wrong
	if c.Name != nil && *c.Name == "" {
		c.Name = nil
	}
	if own := v.text("cron"); own != "" {
		c.Schedule = &own
	}
	w, err := v.app.WatchTraining(ctx, v.who, v.PathValue("training"), c)
	return "/watches/" + string(w.ID) + "?done=watch", err
}

// copyAt is where the copy of a page is.
const copyAt = "/blueprints/new/{training}/page"

// copies are the pages of a training besides the first.
var copies = []string{"test", "own", "own2", "testown"}

// copyDocument is the document around a copy. All that is in it is ours.
var copyDocument = template.Must(template.New("copy").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta ` +
	`name="color-scheme" content="light dark"><title>Copy of a page</title>
<link rel="stylesheet" href="/assets/pagecopy.css?v={{.Version}}" nonce="{{.Nonce}}">{{if .Places}}<script ` +
	`src="/assets/pickerframe.js?v={{.Version}}" nonce="{{.Nonce}}" defer></script>{{end}}</head>
<body {{if .Places}}data-places="{{.Places}}"{{else}}class="k-named"{{end}}>{{.Body}}{{if .Cut}}<p class="k-cut">The copy ends ` +
	`here: the page is too long.</p>{{end}}</body></html>`))

// showCopy serves the copy of a page to a frame. It runs in no origin, loads nothing but
// our style and our script, and can neither send forms nor lead anywhere.
func (c *Console) showCopy(w http.ResponseWriter, r *http.Request) {
	copied, err := c.copyOf(r)
	if err != nil {
		c.fail(w, r, err)
		return
	}
	c.serveCopy(w, copied.SanitizedPage, copied.Places)
}

// serveCopy writes the document of a copy, in which so many places can be pointed at; 0 for
// one that is only looked at.
func (c *Console) serveCopy(w http.ResponseWriter, copied sanitize.SanitizedPage, places int) {
	h, nonce := w.Header(), rand.Text()
	guard(h)
	sandbox := "sandbox"
	if places > 0 {
		sandbox += " allow-scripts"
	}
	h.Set("Content-Security-Policy", sandbox+"; default-src 'none'; script-src 'nonce-"+nonce+"'; style-src 'nonce-"+nonce+
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	// The body is written by the package sanitize: its own elements, with the page's text escaped.
	_ = copyDocument.Execute(w, map[string]any{"Version": c.version, "Nonce": nonce, "Places": places, "Cut": copied.Cut,
		"Body": template.HTML(copied.HTML)})
}

// copyOf is the sanitized copy of the page of a training that a request names.
func (c *Console) copyOf(r *http.Request) (none teach.Picture, err error) {
	v, err := c.visit(r)
	if err != nil {
		return none, err
	}
	which := teach.ThePage
	if of := v.query("of"); slices.Contains(copies, of) {
		which = of
	}
	l, err := v.app.Training(v.Context(), v.who, r.PathValue("training"))
	if err != nil {
		return none, err
	}
	if !l.Has(which) {
		return none, curlew.NotFound("page", which)
	}
	return l.Picture(v.Context(), which)
}
