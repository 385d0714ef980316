package demo

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"curlew/internal/curlew"
)

// jobs is a job board: the first vacancies in HTML, the others from a JSON
// endpoint behind a "load more" button, times relative to today.
type jobs struct{}

func (jobs) card() card {
	return card{
		name: "jobs", title: "Northbound Jobs", schema: "job", lang: "en", zone: "America/New_York",
		shows: "A job board: salary ranges, “posted 3 days ago”, a load-more button on a JSON endpoint, detail pages.",
		home:  "/jobs",
		listed: []string{"title", "company", "location", "remote", "salary_min", "salary_max", "salary_period", "currency",
			"employment_type", "posted_date", "description_snippet", "url"},
		detailed: []string{"valid_through"},
		designs:  3, sections: []string{"Find jobs", "Companies", "Salaries", "Career advice", "Post a job"},
		robots: "Disallow: /apply/\nDisallow: /resume\n",
		server: "nginx/1.25.3", gzip: true,
	}
}

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
	shown := curlew.Values{"title": v.Title, "company": v.Company, "location": v.Location, "salary_min": v.SalaryMin, "salary_max": v.SalaryMax,
		"salary_period": v.Period, "currency": "USD", "employment_type": v.Kind, "posted_date": v.Posted.Format(time.DateOnly),
		"valid_through": v.Until.Format(time.DateOnly), "description_snippet": v.Snippet, "url": base + v.Path}
	put(shown, "remote", v.Remote) // the board only says where a job is remote
	return shown
}

const jobsAtFirst = 54

var (
	jobTitles = []string{"Backend Engineer (Go)", "Registered Nurse", "Warehouse Associate", "Data Analyst", "Line Cook",
		"Electrician", "Product Designer", "Accountant", "Bus Driver", "Site Reliability Engineer", "Dental Hygienist",
		"Teacher, 4th Grade", "Sales & Support Lead"}
	jobLevels    = []string{"", "Senior ", "Junior ", "Lead ", ""}
	jobCompanies = []string{"Maple & Sons", "Graniteworks", "Blue Heron Health", "Tidewater Logistics", "O’Malley’s Kitchen",
		"Quill Software", "Public Schools of Easton", "Ferrum Energy"}
	jobPlaces = []string{"Portland, ME", "Burlington, VT", "Albany, NY", "Boston, MA", "Concord, NH", "Hartford, CT"}
	jobKinds  = []string{"Full-time", "Part-time", "Contract", "Temporary"}
)

func (jobs) tale() tale {
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
	v := vacancy{Key: fmt.Sprint(55120 + n*9), Title: pick(d, jobLevels) + pick(d, jobTitles), Company: pick(d, jobCompanies),
		Location: pick(d, jobPlaces),
		Kind:     pick(d, jobKinds), Snippet: sentences(d, "jobs", 2), Remote: d.chance(25), Period: "year"}
	if n%12 == 9 {
		v.Title = thorny[n/12%len(thorny)]
	}
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

func (jobs) paths() []path {
	return []path{
		{"GET /{$}", func(s scene, _ *http.Request) page { return redirect(s.base + "/jobs") }},
		{"GET /jobs", jobsList},
		{"GET /jobs/{id}/{slug}", jobsDetail},
		{"GET /api/jobs", jobsMore},
	}
}

const jobsPerPage = 20

func jobsList(s scene, r *http.Request) page {
	link := func(n int) string {
		if n == 1 {
			return "/jobs"
		}
		return fmt.Sprintf("/jobs?page=%d", n)
	}
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
