package console

import (
	"context"
	"crypto/rand"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"curlew/internal/app/auth"
	"curlew/internal/curlew"
)

// patience bounds what asks other sites for pages.
const patience = time.Minute

// lessonDeed is something that a form of the wizard does. What is refused is told on the
// page of the form, so that nothing is lost.
type lessonDeed struct {
	deed
	back screen
}

var lessonDeeds = map[string]lessonDeed{
	"/blueprints/new":                        {deed{"draftBlueprint", auth.EditBlueprints, beginLesson}, newBlueprint},
	"/blueprints/new/{lesson}/choose":        {deed{"", auth.EditBlueprints, chooseWay}, showLesson},
	"/blueprints/new/{lesson}/again":         {deed{"", auth.EditBlueprints, readAgain}, showLesson},
	"/blueprints/new/{lesson}/point":         {deed{"", auth.EditBlueprints, pointAt}, showLesson},
	"/blueprints/new/{lesson}/remove":        {deed{"", auth.EditBlueprints, stepField(RemoveField)}, showLesson},
	"/blueprints/new/{lesson}/restore":       {deed{"", auth.EditBlueprints, stepField(RestoreField)}, showLesson},
	"/blueprints/new/{lesson}/own":           {deed{"draftBlueprint", auth.EditBlueprints, readOwn}, showLesson},
	"/blueprints/new/{lesson}/own/leave":     {deed{"", auth.EditBlueprints, leaveOwn}, showLesson},
	"/blueprints/new/{lesson}/own/point":     {deed{"", auth.EditBlueprints, pointAtOwn}, showOwn},
	"/blueprints/new/{lesson}/own/remove":    {deed{"", auth.EditBlueprints, stepOwnField(RemoveField)}, showOwn},
	"/blueprints/new/{lesson}/own/restore":   {deed{"", auth.EditBlueprints, stepOwnField(RestoreField)}, showOwn},
	"/blueprints/new/{lesson}/test":          {deed{"testBlueprint", auth.EditBlueprints, testLesson}, showTest},
	"/blueprints/new/{lesson}/save/version":  {deed{"addBlueprint", auth.EditBlueprints, saveVersion}, showSave},
	"/blueprints/new/{lesson}/save/watching": {deed{"addWatch", auth.EditWatches, saveWatch}, showSave},
}

// teach does what a form of the wizard asks for.
func (c *Console) teach(w http.ResponseWriter, r *http.Request, d lessonDeed) {
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	v, next, err := c.perform(ctx, r, d.deed)
	if err == nil {
		http.Redirect(w, r, next, http.StatusSeeOther)
		return
	}
	fault := curlew.AsFault(err)
	if v != nil && fault.Code != "not_found" && fault.Code != "unexpected" && fault.Code != "forbidden" {
		if seen, failed := d.back(ctx, v); failed == nil {
			c.writeWith(w, r, http.StatusBadRequest, seen, shorten(clean(fault.Sentence), 600))
			return
		}
	}
	c.fail(w, r, err)
}

// form reads what a form says, or the address.
func (v *visit) form(name string) string {
	if text := strings.TrimSpace(v.PostFormValue(name)); text != "" {
		return text[:min(len(text), mostInstructions)]
	}
	return v.query(name)
}

// beginPage is the first step of the wizard.
type beginPage struct {
	Beginning
	Sources []curlew.Source
	Schemas []curlew.Schema
	Last    string // address of the last archived page
	LastAt  time.Time
}

func (v *visit) beginning() Beginning {
	return Beginning{URL: v.form("url"), Schema: curlew.SchemaName(v.form("schema")), Page: curlew.PageType(v.form("page")), Instructions: v.form("instructions"),
		Source: curlew.SourceID(v.form("source")), Blueprint: curlew.BlueprintID(v.form("blueprint")), Archived: v.form("archived") != ""}
}

func newBlueprint(ctx context.Context, v *visit) (view, error) {
	p := beginPage{Beginning: v.beginning(), Schemas: curlew.Schemas()}
	var err error
	if _, p.Sources, err = sourceNames(ctx, v); err != nil {
		return view{}, err
	}
	if p.Source != "" || p.Blueprint != "" {
		if p.Last, p.LastAt, err = v.rooms.Saving.LastPage(ctx, p.Source, p.Blueprint); err != nil {
			return view{}, err
		}
	}
	return view{"lessonnew", "New blueprint", p}, nil
}

func beginLesson(ctx context.Context, v *visit) (string, error) {
	b := v.beginning()
	if b.Source == "" && b.Blueprint == "" && b.URL == "" {
		return "", curlew.Permanent("bad_url", "give the address of a page, such as https://example.org/events")
	}
	if b.URL != "" && (webAddress(b.URL) == "" || len(b.URL) > mostURL) {
		return "", curlew.Permanent("bad_url", "give the whole address of a page, such as https://example.org/events")
	}
	if b.Schema != "" && !slices.ContainsFunc(curlew.Schemas(), func(s curlew.Schema) bool { return s.Name == b.Schema }) {
		return "", curlew.Permanent("unknown_schema", "choose one of the schemas")
	}
	id, err := v.rooms.Lessons.Begin(ctx, b)
	return lessonAt(id), err
}

func lessonAt(id string) string { return "/blueprints/new/" + url.PathEscape(id) }

// lessonPage is the second step: what is read, and how to correct it.
type lessonPage struct {
	Lesson
	Chosen  LessonRecord
	Field   string // that is looked at
	Schemas []curlew.Schema
	Before  int // the records beside the chosen one; -1 for none
	After   int
}

func (v *visit) lesson(ctx context.Context) (Lesson, error) {
	return v.rooms.Lessons.Lesson(ctx, v.PathValue("lesson"))
}

// number reads a number that an address or a form says.
func (v *visit) number(name string) int {
	n, err := strconv.Atoi(v.form(name))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

func showLesson(ctx context.Context, v *visit) (view, error) {
	l, err := v.lesson(ctx)
	if err != nil {
		return view{}, err
	}
	p := lessonPage{Lesson: l, Field: v.form("field"), Schemas: curlew.Schemas(), Before: -1, After: -1}
	if n := min(v.number("record"), len(l.Records)-1); n >= 0 {
		p.Chosen, p.Before = l.Records[n], n-1
		if n+1 < len(l.Records) {
			p.After = n + 1
		}
	}
	return view{"lesson", "Check what is read", p}, nil
}

func chooseWay(ctx context.Context, v *visit) (string, error) {
	id := v.PathValue("lesson")
	return lessonAt(id) + "?done=again", v.rooms.Teaching.Choose(ctx, id, v.PostFormValue("way"))
}

func readAgain(ctx context.Context, v *visit) (string, error) {
	id, page := v.PathValue("lesson"), curlew.PageType(v.PostFormValue("page"))
	if page != curlew.PageList && page != curlew.PageSingle {
		return "", curlew.Permanent("bad_page_type", "say whether the page is a list or about a single thing")
	}
	schema := curlew.SchemaName(v.PostFormValue("schema"))
	if _, err := curlew.SchemaByName(schema); err != nil {
		return "", err
	}
	return lessonAt(id) + "?done=again", v.rooms.Teaching.Again(ctx, id, schema, page)
}

func pointAt(ctx context.Context, v *visit) (string, error) {
	id := v.PathValue("lesson")
	p, err := v.pick()
	if err != nil {
		return "", err
	}
	return lessonAt(id) + "?record=" + strconv.Itoa(p.Record) + "&field=" + url.QueryEscape(p.Field) + "&done=taught", v.rooms.Teaching.Point(ctx, id, p)
}

// pick is what a form says about a place of a page.
func (v *visit) pick() (Pick, error) {
	place, err := strconv.Atoi(v.PostFormValue("place"))
	if err != nil {
		return Pick{}, curlew.Permanent("no_such_place", "click a value in the copy of the page first, or choose one from the table")
	}
	p := Pick{Place: place, Field: v.form("field"), Record: v.number("record"), Text: v.PostFormValue("text")}
	if own := strings.TrimSpace(v.PostFormValue("own")); own != "" {
		p.Field = "slots." + strings.TrimPrefix(own, "slots.")
	}
	return p, nil
}

func stepField(step FieldStep) func(context.Context, *visit) (string, error) {
	return func(ctx context.Context, v *visit) (string, error) {
		id := v.PathValue("lesson")
		return lessonAt(id) + "?record=" + strconv.Itoa(v.number("record")) + "&done=taught", v.rooms.Teaching.Field(ctx, id, v.PostFormValue("field"), step)
	}
}

// piecesPage lets a person choose a value from a table instead of clicking at it.
type piecesPage struct {
	Lesson
	Field  string
	Record int
	Chosen LessonRecord
	Pieces []Piece
}

func showPieces(ctx context.Context, v *visit) (view, error) {
	l, err := v.lesson(ctx)
	if err != nil {
		return view{}, err
	}
	return pieces(ctx, v, l)
}

func pieces(ctx context.Context, v *visit, l Lesson) (_ view, err error) {
	p := piecesPage{Lesson: l, Field: v.query("field"), Record: v.number("record")}
	if p.Record < len(l.Records) {
		p.Chosen = l.Records[p.Record]
	}
	p.Pieces, err = v.rooms.Lessons.Pieces(ctx, l.ID, l.OwnPage, p.Record)
	return view{"lessonpick", "Choose a value", p}, err
}

func showTest(ctx context.Context, v *visit) (view, error) {
	l, err := v.lesson(ctx)
	return view{"lessontest", "Test on another page", l}, err
}

func testLesson(ctx context.Context, v *visit) (string, error) {
	id, address := v.PathValue("lesson"), v.form("url")
	if webAddress(address) == "" || len(address) > mostURL {
		return "", curlew.Permanent("bad_url", "give the whole address of another page of this kind")
	}
	return lessonAt(id) + "/test?done=tested", v.rooms.Teaching.Test(ctx, id, address)
}

// savePage is the last step.
type savePage struct {
	Lesson
	Name    string
	Sources []curlew.Source // of the same site
	Own     *curlew.Source  // that the lesson is about
}

func showSave(ctx context.Context, v *visit) (view, error) {
	l, err := v.lesson(ctx)
	if err != nil {
		return view{}, err
	}
	p := savePage{Lesson: l}
	if webAddress(l.URL) != "" {
		p.Name = hostOf(l.URL)
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
	return view{"lessonsave", "Keep it", p}, err
}

func saveVersion(ctx context.Context, v *visit) (string, error) {
	source := curlew.SourceID(v.PostFormValue("source"))
	if source == "" {
		return "", curlew.Permanent("no_source", "choose the source that is to be read this way")
	}
	id, err := v.rooms.Saving.AsVersion(ctx, v.PathValue("lesson"), source)
	return "/blueprints/" + string(id) + "?done=version", err
}

func saveWatch(ctx context.Context, v *visit) (string, error) {
	w := NewWatch{URL: v.form("url"), Name: shorten(v.form("name"), mostName), Schedule: v.form("schedule")}
	if own := strings.TrimSpace(v.PostFormValue("cron")); own != "" {
		w.Schedule = own
	}
	if webAddress(w.URL) == "" || len(w.URL) > mostURL {
		return "", curlew.Permanent("bad_url", "give the whole address of the page to watch")
	}
	id, err := v.rooms.Saving.AsWatch(ctx, v.PathValue("lesson"), w)
	return "/watches/" + string(id) + "?done=watch", err
}

// copyAt is where the copy of a page is.
const copyAt = "/blueprints/new/{lesson}/page"

// copies are the pages of a lesson besides the first.
var copies = []string{"test", "own", "own2", "testown"}

// copyDocument is the document around a copy. All that is in it is ours.
var copyDocument = template.Must(template.New("copy").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Copy of a page</title>
<link rel="stylesheet" href="/assets/inert.css?v={{.Version}}" nonce="{{.Nonce}}"><script src="/assets/pickerframe.js?v={{.Version}}" nonce="{{.Nonce}}" defer></script></head>
<body data-places="{{.Places}}">{{.Body}}{{if .Cut}}<p class="k-cut">The copy ends here: the page is too long.</p>{{end}}</body></html>`))

// showCopy serves the copy of a page to a frame. It runs in no origin, loads nothing but
// our style and our script, and can neither send forms nor lead anywhere.
func (c *Console) showCopy(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), within)
	defer cancel()
	v, err := c.visit(r)
	var copied Copy
	if err == nil {
		which := "page"
		if of := r.URL.Query().Get("of"); slices.Contains(copies, of) {
			which = of
		}
		copied, err = v.rooms.Lessons.Copy(ctx, r.PathValue("lesson"), which)
	}
	if err != nil {
		c.fail(w, r, err)
		return
	}
	h, nonce := w.Header(), rand.Text()
	guard(h)
	h.Set("Content-Security-Policy", "sandbox allow-scripts; default-src 'none'; script-src 'nonce-"+nonce+"'; style-src 'nonce-"+nonce+
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	// The body is written by the room inert: its own elements, with the page's text escaped.
	_ = copyDocument.Execute(w, map[string]any{"Version": c.version, "Nonce": nonce, "Places": copied.Places, "Cut": copied.Cut, "Body": template.HTML(copied.HTML)})
}
