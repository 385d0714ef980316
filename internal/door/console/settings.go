package console

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/text"
)

// settingsPage is the org and how the installation is set up.
type settingsPage struct {
	curlew.Org
	Wrong    curlew.Problems
	Findings []app.Diagnosis
	Groups   []settingGroup
	Orgs     []curlew.Org // of the installation
	Add      orgForm
}

// orgForm is what somebody says of a new org.
type orgForm struct {
	app.AddOrg
	Wrong curlew.Problems
}

// settingGroup are the settings of one part.
type settingGroup struct {
	Title    string
	Settings []app.Setting
	Set      int // how many differ from their defaults
}

func showSettings(ctx context.Context, v *visit) (view, error) {
	org, err := v.app.Org(ctx, v.who)
	if err != nil {
		return view{}, err
	}
	p := settingsPage{Org: org}
	installed, err := v.app.Settings(ctx, v.who)
	if errors.Is(err, curlew.ErrForbidden) {
		return view{"settings", "Settings", p}, nil // the owner of an org sees that one alone
	}
	if err == nil {
		p.Orgs, err = v.app.Orgs(ctx, v.who)
	}
	p.Findings = installed.Findings
	for _, s := range installed.Settings {
		title, _, dotted := strings.Cut(s.Name, ".")
		if !dotted {
			title = "installation"
		}
		i := slices.IndexFunc(p.Groups, func(g settingGroup) bool { return g.Title == title })
		if i < 0 {
			i, p.Groups = len(p.Groups), append(p.Groups, settingGroup{Title: title})
		}
		if p.Groups[i].Settings = append(p.Groups[i].Settings, s); s.Value != s.Default {
			p.Groups[i].Set++
		}
	}
	return view{"settings", "Settings", p}, err
}

func renameOrg(ctx context.Context, v *visit) (answer, error) {
	var c app.EditOrg
	wrong := v.command(&c)
	if len(wrong) == 0 {
		if _, err := v.app.EditOrg(ctx, v.who, c); err == nil {
			return answer{next: "/settings?done=saved"}, nil
		} else if wrong, err = problems(err); err != nil {
			return answer{}, err
		}
	}
	page, err := showSettings(ctx, v)
	if p, ok := page.data.(settingsPage); ok {
		p.Name, p.Wrong = c.Name, wrong
		page.data = p
	}
	return answer{page: page, wrong: true}, err
}

func addOrg(ctx context.Context, v *visit) (answer, error) {
	var add orgForm
	add.Wrong = v.command(&add.AddOrg)
	if len(add.Wrong) == 0 {
		made, err := v.app.AddOrg(ctx, v.who, add.AddOrg)
		if err == nil {
			return answer{page: linkPage("The org is made", made.Owner, "/settings")}, nil
		}
		if add.Wrong, err = problems(err); err != nil {
			return answer{}, err
		}
	}
	page, err := showSettings(ctx, v)
	if p, ok := page.data.(settingsPage); ok {
		p.Add = add
		page.data = p
	}
	return answer{page: page, wrong: true}, err
}

type auditPage struct {
	Entries []auditRow
	Filter  store.AuditFilter
	Next    string
}

type auditRow struct {
	curlew.AuditEntry
	Link string // to the thing
	Also string // the details, as text
}

// thingPages are where things are shown, by the prefixes of their ids.
var thingPages = map[string]string{"src": "/sources/", "ent": "/entities/", "can": "/candidates/", "wat": "/watches/",
	"sub": "/subscriptions/", "del": "/deliveries/", "run": "/runs/"}

func listAudit(ctx context.Context, v *visit) (view, error) {
	p := auditPage{Filter: store.AuditFilter{Before: v.sequence(), Limit: perPage + 1, Actor: strings.TrimSpace(v.query("actor")),
		Action: strings.TrimSpace(v.query("action")), Thing: strings.TrimSpace(v.query("thing"))}}
	all, err := v.app.Audit(ctx, v.who, p.Filter)
	rows := make([]auditRow, 0, len(all))
	for _, e := range all {
		row := auditRow{AuditEntry: e}
		prefix, _, _ := strings.Cut(e.Thing, "_")
		if at, known := thingPages[prefix]; known {
			row.Link = at + e.Thing
		}
		var details map[string]any
		if json.Unmarshal(e.Details, &details) == nil && len(details) > 0 {
			row.Also = text.Clip(clean(string(e.Details)), 200)
		}
		rows = append(rows, row)
	}
	p.Entries, p.Next = paged(v, rows, func(r auditRow) string { return strconv.FormatInt(r.Sequence, 10) })
	return view{"audit", "Audit log", p}, err
}

// usagePage is what an org used in a month.
type usagePage struct {
	app.Usage
	Month  time.Time
	Months []app.MonthCost
	Chart  bars
	Rows   []useRow
	Budget int64
	Left   int64
	Share  int // of the budget that is used, in percent
	Calls  int64
	Active int64 // entities, now
}

type useRow struct {
	app.ModelUse
	Where string
	Share int // of the most expensive one, in percent
}

// chartMonths is how far the chart of costs looks back.
const chartMonths = 12

func showUsage(ctx context.Context, v *visit) (view, error) {
	now := v.clock.UTC()
	p := usagePage{Month: time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)}
	if text := v.query("month"); text != "" {
		month, err := time.Parse("2006-01", text)
		if err != nil || month.After(now) || month.Year() < 2000 {
			return view{}, curlew.Permanent("bad_month", "write the month as 2026-11")
		}
		p.Month = month
	}
	var err error
	if p.Months, err = v.app.ModelCosts(ctx, v.who, chartMonths); err != nil {
		return view{}, err
	}
	if p.Usage, err = v.app.Usage(ctx, v.who, p.Month, p.Month.AddDate(0, 1, 0)); err != nil {
		return view{}, err
	}
	names, _, err := sourceNames(ctx, v)
	p.sum(names)
	return view{"usage", "Usage and costs", p}, err
}

func (p *usagePage) sum(names map[curlew.SourceID]string) {
	p.Chart, p.Active = monthly(p.Months), p.Entities[curlew.EntityActive]
	if len(p.Months) > 0 {
		p.Budget = p.Months[0].Budget
	}
	most := int64(1)
	for _, m := range p.Models {
		p.Calls += m.Calls
		most = max(most, m.Cost)
	}
	for _, m := range p.Models {
		where := names[m.Source]
		if m.Source == "" {
			where = "no source in particular"
		}
		p.Rows = append(p.Rows, useRow{m, where, int(100 * m.Cost / most)})
	}
	slices.SortStableFunc(p.Rows, func(a, b useRow) int { return int(max(-1, min(1, b.Cost-a.Cost))) })
	p.Left = max(0, p.Budget-p.Cost)
	if p.Budget > 0 {
		p.Share = int(min(100, 100*p.Cost/p.Budget))
	}
}

// monthly makes a chart of costs by month, the oldest first.
func monthly(months []app.MonthCost) bars {
	var columns []column
	for _, m := range slices.Backward(months) {
		columns = append(columns, column{Label: monthWords("January 2006", m.Month) + ": " + dollars(m.Cost), Count: m.Cost})
	}
	c := drawBars(columns)
	if n := len(months); n > 0 {
		c.From, c.To = monthWords("Jan 2006", months[n-1].Month), monthWords("Jan 2006", months[0].Month)
	}
	c.Sentence = fmt.Sprintf("%s in %s, at most %s in one", dollars(c.Sum), curlew.Counted(len(months), "month"), dollars(c.Most))
	return c
}

// monthWords is a month as people read it.
func monthWords(layout, month string) string {
	at, err := time.Parse("2006-01", month)
	if err != nil {
		return month
	}
	return at.Format(layout)
}

// dollars is an amount for people: cents where that is enough.
func dollars(micros int64) string {
	if micros%10_000 == 0 || micros >= 1_000_000 {
		return fmt.Sprintf("$%.2f", float64(micros)/1e6)
	}
	return fmt.Sprintf("$%.4f", float64(micros)/1e6)
}
