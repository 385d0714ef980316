package grpc

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/grpc/blueprintv1"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/pages"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// What an answer may hold, so that it stays below what clients take by default.
const (
	shortText    = 2000
	longText     = 64 << 10
	mostBody     = 1800 << 10 // of a page as it came, and the same of the cleaned one
	mostSample   = 20
	mostEntities = 500
	mostRecords  = 3 << 20 // of all records together
)

// bounded is a foreign text as a message can hold it: valid, and not too long.
func bounded(s string, most int) string {
	valid := strings.ToValidUTF8(s, "")
	if short := text.CutBytes(valid, most); short != valid {
		return short + "…"
	}
	return valid
}

func texts(all []string) []string {
	out := make([]string, 0, min(len(all), 100))
	for _, s := range all[:min(len(all), 100)] {
		out = append(out, bounded(s, shortText))
	}
	return out
}

func fetched(r *fetch.Capture) *blueprintv1.FetchHTMLResponse {
	p := r.Page
	m := &blueprintv1.FetchHTMLResponse{FinalUrl: bounded(p.FinalURL, shortText), StatusCode: int32(p.Status), Outcome: string(p.Outcome),
		ContentType: bounded(p.ContentType, shortText),
		Adapter:     string(p.Adapter), FetchedAt: timestamppb.New(p.FetchedAt), TookMillis: p.TookMillis}
	for _, hop := range p.Redirects {
		m.Redirects = append(m.Redirects, bounded(hop.URL, shortText))
	}
	if p.Outcome != curlew.OutcomeFetched {
		m.WhyNot = bounded(whyNot(p), shortText)
	}
	doc := pages.MaterialOf(r, p.FetchedAt).Document()
	m.Html = bounded(string(doc.Body()), mostBody)
	m.Cut = len(doc.Body()) > mostBody
	if doc.IsJSON() || !readable(p.ContentType) {
		return m
	}
	var cut bool
	m.CleanedHtml, cut = clean(doc, mostBody)
	m.Cut = m.Cut || cut
	m.Title = bounded(doc.Title(), shortText)
	m.Language = doc.Language()
	return m
}

// readable says whether a type can be a page with marks; servers that name none mean one.
func readable(contentType string) bool {
	kind := strings.ToLower(contentType)
	return kind == "" || strings.Contains(kind, "html") || strings.Contains(kind, "xml") || strings.HasPrefix(kind, "text/plain")
}

func whyNot(p curlew.Page) string {
	why := string(p.Outcome)
	if p.Block != "" {
		why += " (" + string(p.Block) + ")"
	}
	if p.Why != "" {
		why += ": " + p.Why
	}
	return why
}

// structOf is a value as JSON objects are told in messages.
func structOf(v any) (*structpb.Struct, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	s := &structpb.Struct{}
	return s, protojson.Unmarshal(raw, s)
}

// rulesOf is a blueprint in its one spelling.
func rulesOf(b *blueprint.Blueprint) (*structpb.Struct, error) {
	raw, err := blueprint.Marshal(b)
	if err != nil {
		return nil, err
	}
	s := &structpb.Struct{}
	return s, protojson.Unmarshal(raw, s)
}

// records are the first of some readings, as far as they fit into an answer.
func records(readings []extract.ReadRecord, most int) ([]*blueprintv1.Record, error) {
	var all []*blueprintv1.Record
	size := 0
	for _, r := range readings[:min(len(readings), most)] {
		m, err := recordOf(r.Record)
		if err != nil {
			return nil, err
		}
		if size += proto.Size(m); size > mostRecords {
			break
		}
		all = append(all, m)
	}
	return all, nil
}

func recordOf(r curlew.Record) (*blueprintv1.Record, error) {
	values := maps.Clone(r.Fields)
	for name, value := range values {
		if s, ok := value.(string); ok {
			values[name] = bounded(s, longText)
		}
	}
	if values == nil {
		values = curlew.Values{}
	}
	fields, err := structOf(values)
	if err != nil {
		return nil, err
	}
	m := &blueprintv1.Record{Schema: string(r.Schema), ExternalId: bounded(r.ExternalID, shortText), Url: bounded(r.URL, shortText),
		Fields: fields, Evidence: map[string]*blueprintv1.Evidence{}}
	for name, e := range r.Provenance {
		m.Evidence[bounded(name, shortText)] = &blueprintv1.Evidence{Tier: string(e.Tier), Rule: bounded(e.Rule, shortText),
			Node: bounded(e.Node, shortText), Text: bounded(e.Text, shortText), Seen: string(e.Seen)}
	}
	return m, nil
}

// results are how good a sample was found to be.
func results(t onboard.Trial) *blueprintv1.TestResults {
	m := &blueprintv1.TestResults{Score: int32(t.Score), Passed: t.Passed, Reason: bounded(t.Card.Reason, shortText),
		Sample: int32(t.Card.Sample), Feedback: texts(t.Feedback)}
	if t.Card.Judgement != nil {
		m.Fields = grounding(*t.Card.Judgement)
	}
	return m
}

// grounding counts where the judge found the values of each field.
func grounding(j quality.Judgement) []*blueprintv1.FieldGrounding {
	byField := map[string]*blueprintv1.FieldGrounding{}
	for _, h := range j.Records {
		for _, f := range h.Found {
			g := byField[f.Field]
			if g == nil {
				g = &blueprintv1.FieldGrounding{Field: bounded(f.Field, shortText)}
				byField[f.Field] = g
			}
			g.Present++
			switch f.Seen {
			case curlew.SeenVisible:
				g.Visible++
			case curlew.SeenEmbedded:
				g.Embedded++
			case curlew.SeenDerived:
				g.Derived++
			default:
				g.Nowhere++
			}
		}
	}
	var all []*blueprintv1.FieldGrounding
	for _, name := range slices.Sorted(maps.Keys(byField)) {
		all = append(all, byField[name])
	}
	return all
}

func pageType(p curlew.PageType) blueprintv1.PageType {
	for told, own := range pageTypes {
		if own == p {
			return told
		}
	}
	return blueprintv1.PageType_PAGE_TYPE_UNSPECIFIED
}

func generated(g app.Generated) (*blueprintv1.GenerateBlueprintResponse, error) {
	p := g.Best.Proposal
	m := &blueprintv1.GenerateBlueprintResponse{Url: bounded(p.URL, shortText), Schema: string(p.Schema), Tier: string(p.Tier),
		How:      bounded(g.How, shortText),
		PageType: pageType(p.Blueprint.Page), RecordCount: int32(p.Records), Test: results(g.Best)}
	var err error
	if m.Blueprint, err = rulesOf(p.Blueprint); err != nil {
		return nil, err
	}
	shown := p.Sample
	if len(shown) == 0 {
		shown = p.Readings
	}
	if m.Records, err = records(shown, mostSample); err != nil {
		return nil, err
	}
	for n, t := range g.Trials {
		a := &blueprintv1.Attempt{Number: int32(n + 1), Tier: string(t.Tier), What: bounded(t.What, shortText), Score: int32(t.Score),
			Passed:   t.Passed,
			Feedback: texts(t.Feedback), Url: bounded(t.Proposal.URL, shortText), RecordCount: int32(t.Proposal.Records)}
		if b := t.Proposal.Blueprint; b != nil {
			a.PageType, a.Chosen = pageType(b.Page), b == p.Blueprint
		}
		m.Attempts = append(m.Attempts, a)
	}
	if g.Proof != nil {
		m.Proof = proofOf(*g.Proof)
	}
	return m, nil
}

func proofOf(p induce.Proof) *blueprintv1.Proof {
	found, known := p.Found()
	m := &blueprintv1.Proof{Records: int32(p.Records), KnownValues: int32(known), FoundValues: int32(found), Notes: texts(p.Notes)}
	for _, f := range p.Fields {
		m.Fields = append(m.Fields, &blueprintv1.FieldProof{Field: bounded(f.Field, shortText), Known: int32(f.Known), Found: int32(f.Found),
			Before: int32(f.Before),
			Rule:   bounded(f.Rule, shortText), Missing: texts(f.Missing)})
	}
	return m
}

var fits = map[blueprint.Fit]blueprintv1.TestBlueprintResponse_Fit{
	blueprint.FitWhole: blueprintv1.TestBlueprintResponse_FIT_FITS, blueprint.FitPartly: blueprintv1.TestBlueprintResponse_FIT_PARTLY,
	blueprint.FitNot: blueprintv1.TestBlueprintResponse_FIT_DOES_NOT_FIT, blueprint.FitEmpty: blueprintv1.TestBlueprintResponse_FIT_EMPTY}

func tested(t app.Tested) (*blueprintv1.TestBlueprintResponse, error) {
	a := t.Applied
	m := &blueprintv1.TestBlueprintResponse{Fit: fits[a.Fit.Fit], LostFields: texts(a.Fit.Fields), Reasons: texts(a.Fit.Reasons),
		Url: bounded(t.URL, shortText), Test: results(t.Trial)}
	if why := emptyWords[a.Empty]; a.Fit.Fit == blueprint.FitEmpty && why != "" {
		m.Reasons = append(m.Reasons, why)
	}
	if a.Fault != nil || a.Fit.Fit == blueprint.FitEmpty && a.Empty == induce.Broken {
		m.Fit = blueprintv1.TestBlueprintResponse_FIT_DOES_NOT_FIT
	}
	if a.Fault != nil {
		t.Faults = append([]*curlew.Fault{a.Fault}, t.Faults...)
	}
	for _, note := range []string{a.Cut, a.Over} {
		if note != "" {
			m.Reasons = append(m.Reasons, bounded(note, shortText))
		}
	}
	for _, f := range t.Faults {
		m.Errors = append(m.Errors, &blueprintv1.Problem{Code: string(f.Code), Kind: string(f.Kind), Sentence: bounded(f.Sentence, shortText)})
	}
	for _, note := range texts(a.Notes) {
		m.Errors = append(m.Errors, &blueprintv1.Problem{Code: "unreadable_value", Kind: string(curlew.KindPermanent), Sentence: note})
	}
	whole := slices.DeleteFunc(slices.Clone(a.Readings),
		func(r extract.ReadRecord) bool { return !r.Record.Whole() })
	m.EntityCount, m.Partial = int32(len(whole)), int32(len(a.Readings)-len(whole))
	var err error
	m.Entities, err = records(whole, mostEntities)
	return m, err
}

// emptyWords say why a page gives no records.
var emptyWords = map[induce.Emptiness]string{
	induce.NothingToday: "the list is there and empty: probably nothing today",
	induce.Blocked:      "it blocks crawlers",
	induce.Broken:       "their container is missing: RepairBlueprint may help",
}

func repaired(r app.Repaired) (*blueprintv1.RepairBlueprintResponse, error) {
	m := &blueprintv1.RepairBlueprintResponse{Url: bounded(r.URL, shortText), How: bounded(r.How, shortText), Diff: texts(r.Changes),
		Reasons: texts(r.Reasons), Proof: proofOf(r.Proof),
		RecordCount: int32(len(r.Readings)), Outcome: blueprintv1.RepairBlueprintResponse_OUTCOME_NOT_REPAIRED}
	m.Proof.KnownEntities, m.Proof.FoundEntities, m.Proof.DifferentValues = int32(r.Report.Known), int32(r.Report.Found),
		int32(r.Report.Differ)
	var err error
	switch {
	case r.Kept:
		m.Outcome = blueprintv1.RepairBlueprintResponse_OUTCOME_KEPT
	case r.Blueprint != nil:
		m.Outcome = blueprintv1.RepairBlueprintResponse_OUTCOME_REPAIRED
		if m.Blueprint, err = rulesOf(r.Blueprint); err != nil {
			return nil, err
		}
	}
	m.Records, err = records(r.Readings, mostSample)
	return m, err
}
