package demo

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// vacancy is one job.
type vacancy struct {
	Key, Path, Title, Company, Location, Kind, Snippet, Period string
	Remote                                                     bool
	SalaryMin, SalaryMax                                       int64 // cents
	Posted, Until                                              time.Time
}

func (v vacancy) id() string    { return v.Key }
func (v vacancy) path() string  { return v.Path }
func (v vacancy) title() string { return v.Title }

func (v vacancy) values(base string) curlew.Values {
	shown := curlew.Values{"title": v.Title, "company": v.Company, "location": v.Location, "salary_min": v.SalaryMin,
		"salary_max":    v.SalaryMax,
		"salary_period": v.Period, "currency": "USD", "employment_type": v.Kind, "posted_date": v.Posted.Format(time.DateOnly),
		"valid_through": v.Until.Format(time.DateOnly), "description_snippet": v.Snippet, "url": base + v.Path}
	put(shown, "remote", v.Remote) // the board only says where a job is remote
	return shown
}

const jobsAtFirst = 54

// The site jobs is a job board: the first vacancies in HTML, the others from a JSON
// endpoint behind a "load more" button, times relative to today.
func jobsTale() tale {
	return tale{
		atFirst: jobsAtFirst, arrive: span{2, 3}, change: span{1, 3}, vanish: span{0, 2},
		create: newVacancy, edit: editVacancy,
		over: func(t thing, today time.Time) bool { return t.(vacancy).Until.Before(today) },
		order: func(a, b thing) int {
			x, y := a.(vacancy), b.(vacancy)
			if c := y.Posted.Compare(x.Posted); c != 0 {
				return c
			}
			return strings.Compare(y.Key, x.Key)
		},
	}
}

func newVacancy(d *dice, n int, today time.Time) thing {
	v := vacancy{Key: fmt.Sprint(55120 + n*9), Title: pick(d, names("jobs", "levels")) + pick(d, names("jobs", "titles")),
		Company:  pick(d, names("jobs", "companies")),
		Location: pick(d, names("jobs", "places")),
		Kind:     pick(d, names("jobs", "kinds")), Snippet: sentences(d, "jobs", 2), Remote: d.chance(25), Period: "year"}
	v.Title = thorny(v.Title, n, 12, 9)
	v.SalaryMin = int64(d.between(38, 160)) * 1000_00
	v.SalaryMax = v.SalaryMin + int64(d.between(4, 40))*1000_00
	if d.chance(35) {
		v.Period = "hour"
		v.SalaryMin = int64(d.between(32, 90)) * 50
		v.SalaryMax = v.SalaryMin + int64(d.between(2, 16))*50
	}
	v.Posted = today
	if n < jobsAtFirst {
		v.Posted = today.AddDate(0, 0, -d.between(0, 27))
	}
	v.Until = today.AddDate(0, 0, d.between(3, 60))
	v.Path = "/jobs/" + v.Key + "/" + slug(v.Title)
	return v
}

func editVacancy(d *dice, t thing, _ time.Time) thing {
	v := t.(vacancy)
	switch d.IntN(4) {
	case 0:
		raise := v.SalaryMin / 20 / 50 * 50
		v.SalaryMin, v.SalaryMax = v.SalaryMin+raise, v.SalaryMax+raise
	case 1:
		v.Until = v.Until.AddDate(0, 0, 14)
	case 2:
		v.Snippet = sentences(d, "jobs", 2)
	case 3:
		v.Remote = !v.Remote
	}
	return v
}

func jobsPaths() []path {
	return []path{
		home("/jobs"),
		{"GET /jobs", jobsList},
		{"GET /jobs/{id}/{slug}", jobsDetail},
		{"GET /api/jobs", jobsMore},
	}
}

const jobsPerPage = 20

func jobsList(s scene, r *http.Request) page {
	link := pageLinks("/jobs", "page")
	items, foot := paginate(of[vacancy](s.things), numberOf(r, "page"), jobsPerPage, link)
	if len(items) == 0 {
		return s.lost()
	}
	return s.html("list", view{Heading: "Latest jobs", Path: link(foot.Page), Items: items, Pager: foot, Data: foot.Page * jobsPerPage})
}

func jobsDetail(s scene, r *http.Request) page {
	v, found := find[vacancy](s.things, r.PathValue("id"))
	if !found || v.Path != r.URL.Path {
		return s.lost()
	}
	return s.html("detail", view{Heading: v.Title, Path: v.Path, Item: v})
}

// jobsMore is the endpoint of the button.
func jobsMore(s scene, r *http.Request) page {
	offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
	limit := jobsPerPage
	if asked := r.URL.Query().Get("limit"); asked != "" {
		limit = numberOf(r, "limit")
	}
	if offset < 0 || limit > 50 {
		return refused(http.StatusBadRequest, "offset must not be negative and limit must be at most 50")
	}
	all := of[vacancy](s.things)
	offset = min(offset, len(all))
	found := []any{}
	for _, v := range all[offset:min(offset+limit, len(all))] {
		found = append(found, map[string]any{"id": v.Key, "title": v.Title, "company": map[string]any{"name": v.Company},
			"location": v.Location, "remote": v.Remote, "type": v.Kind,
			"salary":    map[string]any{"min": float64(v.SalaryMin) / 100, "max": float64(v.SalaryMax) / 100, "currency": "USD", "per": v.Period},
			"posted_at": v.Posted.Format(time.DateOnly), "posted_label": s.PostedAgo(v.Posted),
			"expires": v.Until.Format(time.DateOnly), "snippet": v.Snippet, "href": v.Path})
	}
	answer := map[string]any{"jobs": found, "total": len(all), "next_offset": nil, "request_id": s.Token("request", 16)}
	if offset+limit < len(all) {
		answer["next_offset"] = offset + limit
	}
	return jsonPage(answer)
}

// PostedAgo is how long ago a day was, as job boards say it.
func (s scene) PostedAgo(day time.Time) string {
	switch days := int(s.today.Sub(day).Hours() / 24); {
	case days <= 0:
		return "today"
	case days == 1:
		return "yesterday"
	case days%7 == 0 && days > 7:
		return fmt.Sprintf("%d weeks ago", days/7)
	default:
		return fmt.Sprintf("%d days ago", days)
	}
}
