package console

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/change/filter"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/deliver"
)

// subscriptionForm is a subscription while it is written.
type subscriptionForm struct {
	known curlew.Kinds // of the org

	ID       curlew.SubscriptionID // of one that is there
	Name     string
	Command  app.Subscribe // of a new one; also what an edit says
	To       string        // one receiver a line
	Headers  string
	Template string
	Drop     bool   // the headers that it has
	Scope    string // "", "source:…" or "watch:…"
	When     timetable
	Settle   string
	Quiet    string
	AtMost   string
	AsText   bool
	Rows     *filterPart
	Text     string
	Wrong    curlew.Problems
	Seen     *rehearsed
	Upcoming *coming

	Channels []curlew.Channel
	Kinds    []curlew.ChangeKind
	Scopes   []scopeGroup
	Fields   []fieldGroup
	Tests    []filterTest
	Modes    []groupMode
	Every    []string
	Days     []string
}

// scopeGroup is a source and its watches to choose from.
type scopeGroup struct {
	curlew.Source
	Watches []curlew.Watch
}

type rehearsed struct {
	Checked int
	Matched int
	Rows    []changeRow
	Sample  string
}

// Has says whether a kind is ticked.
func (f subscriptionForm) Has(k curlew.ChangeKind) bool { return slices.Contains(f.Command.Kinds, k) }

// Known says whether rows can offer a field by name.
func (f subscriptionForm) Known(name string) bool {
	return name == "" || slices.ContainsFunc(f.Fields, func(g fieldGroup) bool {
		return slices.ContainsFunc(g.Fields, func(x curlew.Field) bool { return x.Name == name })
	})
}

// Choices are the fields with a closed set of values.
func (f subscriptionForm) Choices() []curlew.Field {
	var all []curlew.Field
	for _, g := range f.Fields {
		for _, x := range g.Fields {
			if len(x.Choices) > 0 {
				all = append(all, x)
			}
		}
	}
	return all
}

// partView is a part of the filter within its form.
type partView struct {
	Form *subscriptionForm
	Part *filterPart
}

// With shows a part.
func (f *subscriptionForm) With(p *filterPart) partView { return partView{f, p} }

// Webhook says whether it delivers by webhook.
func (f subscriptionForm) Webhook() bool {
	return f.Command.Channel == curlew.ChannelWebhook || deliver.ChatHeaders(f.Command.Channel)
}

// Chat says whether it delivers by a chat or a push service.
func (f subscriptionForm) Chat() bool { return deliver.IsChat(f.Command.Channel) }

// offered fills in what can be chosen.
func (f *subscriptionForm) offered(ctx context.Context, v *visit) error {
	f.Channels, f.Kinds, f.Modes, f.Every, f.Days = curlew.Channels(), curlew.ChangeKinds(), groupModes, everyWith(f.When.Every), dayChoices
	f.Fields, f.Tests = fieldGroups(v.kinds), filterTests()
	figures, err := figuresOfPages(ctx, v)
	if err != nil {
		return err
	}
	if len(figures.Fields) > 0 {
		f.Fields = append(f.Fields, figures)
	}
	sources, err := v.read.Sources().List(ctx, Window{Limit: mostNames})
	if err != nil {
		return err
	}
	watches, err := v.read.Watches().List(ctx, store.WatchFilter{}, store.Window{Limit: mostNames})
	for _, s := range sources {
		g := scopeGroup{Source: s}
		for _, w := range watches {
			if w.Source == s.ID {
				g.Watches = append(g.Watches, w)
			}
		}
		f.Scopes = append(f.Scopes, g)
	}
	return err
}

func (f *subscriptionForm) view() view {
	title := "Add a subscription"
	if f.ID != "" {
		title = "Edit a subscription"
	}
	return view{"subscriptionform", title, f}
}

// addSubscription shows an empty form; an address may name what it is for.
func addSubscription(ctx context.Context, v *visit) (view, error) {
	f := &subscriptionForm{known: v.kinds, Command: app.Subscribe{Channel: curlew.ChannelWebhook}, When: timetableOf("")}
	f.When.Clock = "08:00"
	if source := v.query("source"); source != "" {
		f.Scope = "source:" + source
	}
	if watch := v.query("watch"); watch != "" {
		f.Scope = "watch:" + watch
	}
	f.Rows, _ = filterRows("", f.known)
	return f.view(), f.offered(ctx, v)
}

func editSubscription(ctx context.Context, v *visit) (view, error) {
	s, err := v.app.Subscription(ctx, v.who, subscriptionAt(v))
	if err != nil {
		return view{}, err
	}
	f := &subscriptionForm{known: v.kinds, ID: s.ID, Text: s.Filter, When: timetableOf(s.Digest), Name: s.Name,
		Settle: s.Settle, Quiet: s.Quiet,
		Command: app.Subscribe{Channel: s.Channel, Source: s.Source, Watch: s.Watch, SubscriptionFields: app.SubscriptionFields{Kinds: s.Kinds}}}
	if s.AtMost > 0 {
		f.AtMost = strconv.Itoa(s.AtMost)
	}
	f.scoped()
	f.To, f.Template = receivers(s.Subscription), deliver.TemplateOf(s.Channel, s.Target)
	rows, fits := filterRows(s.Filter, f.known)
	if f.Rows = rows; !fits {
		f.AsText = true
		f.Rows, _ = filterRows("", f.known)
	}
	return f.view(), f.offered(ctx, v)
}

func (f *subscriptionForm) scoped() {
	switch {
	case f.Command.Watch != "":
		f.Scope = "watch:" + string(f.Command.Watch)
	case f.Command.Source != "":
		f.Scope = "source:" + string(f.Command.Source)
	}
}

// receivers are those of a target, as far as they may be shown: what is hidden in part
// is not offered, and stays when nobody writes another.
func receivers(s curlew.Subscription) string {
	var target struct {
		URL string   `json:"url"`
		To  []string `json:"to"`
	}
	if json.Unmarshal(s.Target, &target) != nil || strings.Contains(target.URL, "•") || s.Channel == curlew.ChannelSlack {
		return ""
	}
	if target.URL != "" {
		return target.URL
	}
	return strings.Join(target.To, "\n")
}

// readSubscription reads the form.
func readSubscription(v *visit) *subscriptionForm {
	f := &subscriptionForm{known: v.kinds, When: readTimetable(v), To: v.text("to"),
		Headers: v.text("headers"), Template: v.text("template"), Drop: v.ticked("drop"),
		Scope: v.text("scope"), Settle: v.text("settle"), Quiet: v.text("quiet"), AtMost: v.text("at_most"),
		AsText: v.PostFormValue("as") == "text", Text: v.text("filter"), Rows: readRows(v)}
	f.Command.Kinds, f.Wrong = []curlew.ChangeKind{}, v.command(&f.Command)
	if f.Name = v.text("name"); f.Name == "" && v.PathValue("id") == "" {
		f.Command.Name = nil // the channel is the name of a new one
	}
	if f.Command.Channel == curlew.ChannelEmail {
		f.Command.To = strings.FieldsFunc(f.To, func(r rune) bool { return r == '\n' || r == ',' || r == ';' || r == ' ' })
	}
	for _, kind := range v.PostForm["kind"] { // also one that there is not: who asked for it does not want all of them
		f.Command.Kinds = append(f.Command.Kinds, curlew.ChangeKind(kind))
	}
	switch kind, id, _ := strings.Cut(f.Scope, ":"); kind {
	case "source":
		f.Command.Source = curlew.SourceID(id)
	case "watch":
		f.Command.Watch = curlew.WatchID(id)
	}
	if f.Drop {
		f.Command.Headers = map[string]string{}
	}
	for _, line := range linesOf(f.Headers) {
		name, value, _ := strings.Cut(line, ":")
		if f.Command.Headers == nil {
			f.Command.Headers = map[string]string{}
		}
		f.Command.Headers[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return f
}

// settle checks what the form says; what is wrong stands beside it afterwards.
func (f *subscriptionForm) settle(v *visit) {
	digest, wrong := f.When.text()
	f.Wrong = append(f.Wrong, wrong...)
	f.Command.Digest = &digest
	if f.Upcoming, wrong = comingOf(digest, "", v.clock); wrong != nil {
		f.Wrong = append(f.Wrong, wrong...)
	}
	f.settleFilter()
}

// settleFilter reads the filter, from rows or from text.
func (f *subscriptionForm) settleFilter() {
	if !f.AsText {
		text, ok := filterText(f.Rows, f.known)
		if !ok {
			f.Wrong.Add("rows", "a condition is invalid: see the message next to it")
			return
		}
		f.Text = text
	}
	f.Command.Filter = &f.Text
}

// turn changes between rows and text.
func (f *subscriptionForm) turn(toText bool) {
	if f.settleFilter(); len(f.Wrong) > 0 {
		return
	}
	if toText {
		f.AsText = true
		return
	}
	if _, err := filter.Compile(f.Text, f.known...); err != nil {
		f.Wrong.Add("filter", curlew.AsFault(err).Sentence)
		return
	}
	rows, fits := filterRows(f.Text, f.known)
	if !fits {
		f.Wrong.Add("filter", "this filter has more conditions, or is nested more deeply, than rows can show: leave "+
			"it as text")
		return
	}
	f.AsText, f.Rows = false, rows
}

// sendSubscription does what a button of the form asks for.
func sendSubscription(ctx context.Context, v *visit) (answer, error) {
	f := readSubscription(v)
	f.ID = curlew.SubscriptionID(v.PathValue("id"))
	if f.ID != "" { // the channel stays
		s, err := v.read.Subscriptions().Get(ctx, f.ID)
		if err != nil {
			return answer{}, err
		}
		f.Command.Channel = s.Channel
	}
	if err := f.offered(ctx, v); err != nil {
		return answer{}, err
	}
	switch do := v.text("do"); {
	case do == "text" || do == "rows":
		f.turn(do == "text")
		return answer{page: f.view(), wrong: len(f.Wrong) > 0}, nil
	case do == "save":
		return f.save(ctx, v)
	case strings.Contains(do, ":"):
		f.Rows.change(do)
		return answer{page: f.view()}, nil
	}
	if f.settle(v); len(f.Wrong) == 0 {
		if err := f.rehearse(ctx, v); err != nil {
			return answer{}, err
		}
	}
	return answer{page: f.view(), wrong: len(f.Wrong) > 0}, nil
}

// rehearse shows what would have been told.
func (f *subscriptionForm) rehearse(ctx context.Context, v *visit) error {
	c := f.Command
	seen, err := v.app.PreviewSubscription(ctx, v.who,
		app.PreviewSubscription{Kinds: c.Kinds, Filter: *c.Filter, Source: c.Source, Watch: c.Watch,
			Channel: c.Channel, Name: f.Name, Digest: *c.Digest != "", Template: f.Template})
	if err != nil {
		f.Wrong, err = problems(err)
		return err
	}
	f.Seen = &rehearsed{Checked: seen.Checked, Matched: len(seen.Changes), Sample: plainLines(seen.Sample)}
	names, _, err := sourceNames(ctx, v)
	for _, c := range seen.Changes[:min(len(seen.Changes), 20)] {
		f.Seen.Rows = append(f.Seen.Rows, readChange(c, names, v.kinds))
	}
	return err
}

// plainLines cleans a text that keeps its lines.
func plainLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = clean(lines[i])
	}
	return strings.Join(lines, "\n")
}

func (f *subscriptionForm) save(ctx context.Context, v *visit) (answer, error) {
	if f.settle(v); len(f.Wrong) > 0 {
		return answer{page: f.view(), wrong: true}, nil
	}
	made, err := f.keep(ctx, v)
	id, secret := made.ID, made.Secret
	if err != nil {
		if f.Wrong, err = problems(err); err != nil {
			return answer{}, err
		}
		return answer{page: f.view(), wrong: true}, nil
	}
	if secret != "" {
		return answer{page: view{"once", "The subscription is kept",
			once{Title: "The secret of the webhook", Secret: secret, Next: "/subscriptions/" + string(id),
				Why: "Receivers use it to verify that messages come from here. It is shown only once: copy it into your receiver now. A new one " +
					"can be made at any time."}}}, nil
	}
	return answer{next: "/subscriptions/" + string(id) + "?done=saved"}, nil
}

// keep adds a subscription, or changes the one that the form is about.
func (f *subscriptionForm) keep(ctx context.Context, v *visit) (app.Subscribed, error) {
	if f.ID == "" {
		return v.app.Subscribe(ctx, v.who, f.Command)
	}
	c := app.EditSubscription{ID: f.ID, To: f.Command.To, Headers: f.Command.Headers, Whole: true,
		SubscriptionFields: f.Command.SubscriptionFields}
	if f.Command.Source != "" {
		c.Source = &f.Command.Source
	}
	if f.Command.Watch != "" {
		c.Watch = &f.Command.Watch
	}
	return v.app.EditSubscription(ctx, v.who, c)
}

// once is something that is shown this once.
type once struct{ Title, Secret, Why, Next string }
