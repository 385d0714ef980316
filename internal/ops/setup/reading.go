package setup

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/web/archive"
	"github.com/curlew-data/curlew/internal/web/browser"
	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/work/crawl"
	"github.com/curlew-data/curlew/internal/work/heal"
	"github.com/curlew-data/curlew/internal/work/pages"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// Reading is what a process needs to read websites.
type Reading struct {
	Client  *egress.Client
	Browser *browser.Browser // nil where there is none
	Archive *archive.Archive // nil when nothing is to be archived
	Reader  *pages.PageReader
	Crawl   *crawl.CrawlReader
	blobs   archive.Blobs
}

// tidyArchive drops the oldest archived pages when they are too old or too many,
// and brings home what a crash or an outage left half-way.
func (i *Installation) tidyArchive(ctx context.Context) error {
	if i.Reading == nil || i.Reading.Archive == nil || i != i.Home {
		return nil // all shards share the archive
	}
	r := i.Reading
	if err := r.Archive.Settle(ctx); err != nil {
		return err
	}
	all, err := i.Every(ctx)
	if err != nil {
		return err
	}
	if err := i.erasePersonal(ctx, all); err != nil {
		return err
	}
	keep := archive.Retention{MaxAge: i.Config.Archive.MaxAge, MaxBytes: int64(i.Config.Archive.MaxGiB) << 30}
	_, err = archive.Prune(ctx, r.blobs, keep, time.Now(), func(ctx context.Context, file string) (bool, error) {
		if needed, err := archiveFileNeeded(ctx, all, file); err != nil || needed {
			return true, err
		}
		for _, on := range all {
			if _, err := on.Store.ForgetArchiveFile(ctx, file); err != nil {
				return true, err
			}
		}
		return false, nil
	})
	return err
}

// archiveFileNeeded says whether payloads of an archive file are still needed by pages that were archived elsewhere as revisits of
// them. Pages that are alike may be of orgs on different databases.
func archiveFileNeeded(ctx context.Context, all []*Installation, file string) (bool, error) {
	if len(all) == 1 {
		return all[0].Store.ArchiveFileNeeded(ctx, file)
	}
	for _, from := range all {
		digests, err := from.Store.ArchiveFileDigests(ctx, file)
		if err != nil {
			return false, err
		}
		for _, on := range all {
			if needed, err := on.Store.DigestsNeeded(ctx, digests, file); err != nil || needed {
				return needed, err
			}
		}
	}
	return false, nil
}

// mostErased bounds how many pages are erased at once, mostly for archives on S3: there, each costs writing its file anew.
const mostErased = 200

// erasePersonal erases the copies of pages with contacts of people that are older than such are kept.
func (i *Installation) erasePersonal(ctx context.Context, all []*Installation) error {
	var old []string
	for _, on := range all {
		some, err := on.Store.ExpirePersonal(ctx, time.Now().Add(-i.Config.Archive.PersonalMaxAge), mostErased)
		if err != nil {
			return err
		}
		old = append(old, some...)
	}
	if len(old) == 0 {
		return nil
	}
	refs := make([]archive.Ref, 0, len(old))
	for _, ref := range old {
		refs = append(refs, archive.Ref(ref))
	}
	erased, err := i.Reading.Archive.Erase(ctx, refs...)
	gone := make([]string, 0, len(erased))
	for _, ref := range erased {
		gone = append(gone, string(ref))
	}
	for _, on := range all { // orgs of other shards may refer to the same copies
		err = errors.Join(err, on.Store.Erased(ctx, gone))
	}
	return err
}

// NoArchive is the location of an archive that keeps nothing.
const NoArchive = "none"

// OpenReading opens the way out, the browser and the archive, and lets the jobs of
// this process read.
func (i *Installation) OpenReading(ctx context.Context, location string) error {
	cfg := i.Config
	r := &Reading{Client: i.NewClient()}
	if location != NoArchive {
		var err error
		if r.blobs, err = openBlobs(cfg, location); err != nil {
			return err
		}
		if r.Archive, err = i.openArchive(ctx, r.blobs); err != nil {
			return err
		}
	}
	fetcher := i.newFetcher(r)
	r.Reader = &pages.PageReader{Fetcher: fetcher}
	if r.Archive != nil {
		r.Reader.Archive = r.Archive
	}
	r.Crawl = &crawl.CrawlReader{Reader: r.Reader}
	i.Reading = r
	i.Outbox = i.newOutbox(r.Client, fetcher.UserAgent())
	slicers := map[curlew.RunKind]runs.Slicer{
		curlew.RunDrill: runs.Drill{},
		curlew.RunCrawl: crawl.Crawl{Store: i.Store, Crawl: r.Crawl, Outbox: i.Outbox},
	}
	if r.Archive != nil {
		heal, err := i.Healing()
		if err != nil {
			return err
		}
		i.Onboard.Web, i.Onboard.Outbox, i.Onboard.Teacher = paced{fetcher, i.Delay}, i.Outbox, heal.Teacher
		slicers[curlew.RunWatch], slicers[curlew.RunOnboard], slicers[curlew.RunHeal] = heal.Checker, i.Onboard, heal
	}
	i.Jobs = i.newJobs(slicers)
	return nil
}

// Healing is what heals, and tries in the shadow what people made, in a process that can read. One
// without an archive compares with what is known and with the pages as they are.
func (i *Installation) Healing() (heal.Heal, error) {
	teachers, err := i.Teachers()
	fetcher := i.Reading.Reader.Fetcher
	watching := i.watchSlicer(i.Reading)
	if teachers != nil {
		watching.Models = func(ctx context.Context, w curlew.Watch) extract.ModelReader {
			teacher := teachers.Of(w.Org, w.Source)
			return func(kind curlew.Schema, m extract.Material) ([]curlew.Draft, error) {
				return teacher.Read(ctx, kind, m)
			}
		}
	}
	return heal.Heal{Checker: watching, Teacher: teachers,
		Web: func(w curlew.Watch) pages.PageSource { return paced{fetcher, w.Settings.Delay} }}, err
}

// OpenWay gives a process that reads nothing otherwise a way to websites, at the pace that
// all of them share: what it reads is not archived.
func (i *Installation) OpenWay() {
	if i.Reading != nil {
		return
	}
	r := &Reading{Client: i.NewClient()}
	r.Reader = &pages.PageReader{Fetcher: i.newFetcher(r)}
	i.Reading = r
}

// ReadAlone is a way to websites without an installation: polite, but known to nobody
// else. What it reads is not archived.
func ReadAlone(cfg config.Config, o Options) *Reading {
	r := &Reading{Client: Way(cfg)}
	r.Reader = &pages.PageReader{Fetcher: fetch.New(fetch.Options{Client: r.Client, Hosts: &fetch.Alone{}, Version: o.Release,
		Contact: cfg.Contact, MaxWait: time.Minute,
		MayHurry: func(host string) bool { return allowedHost(cfg.Egress.Allow, host) }, Fallback: r.fallback(cfg, o.Log)})}
	return r
}

// NewClient is a way out within the policy of the installation.
func (i *Installation) NewClient() *egress.Client {
	return Way(i.Config)
}

// Way leads to what people may choose: what the policy of the installation permits. A service that
// the operator named is reached besides, wherever it is, by the client that is made for it alone.
func Way(cfg config.Config, services ...string) *egress.Client {
	policy := egress.Policy{Ports: cfg.Egress.Ports, Services: services}
	for _, r := range cfg.Egress.Allow {
		if r.Port == 0 {
			policy.Allow = append(policy.Allow, r.Prefix)
		} else {
			policy.At = append(policy.At, netip.AddrPortFrom(r.Addr(), r.Port))
		}
	}
	return egress.New(policy)
}

// hosts keeps the turns at hosts and their robots.txt in the first database, for all orgs, and what an org spends with its rows.
func (i *Installation) hosts() fetch.Hosts { return sharedHosts{i.Home.Store, i.Store} }

type sharedHosts struct {
	*store.Store
	own *store.Store
}

// Spend counts requests of an org.
func (h sharedHosts) Spend(ctx context.Context, org curlew.OrgID, day string, n int64, budgets ...curlew.DayBudget) error {
	return h.own.Spend(ctx, org, day, n, budgets...)
}

// newFetcher asks websites for this process, at the pace that all of them share.
func (i *Installation) newFetcher(r *Reading) *fetch.Fetcher {
	cfg := i.Config
	return fetch.New(fetch.Options{Client: r.Client, Hosts: i.hosts(), Version: i.Release, Contact: cfg.Contact,
		MaxWait: cfg.Fetch.MaxWait, MayHurry: func(host string) bool { return allowedHost(cfg.Egress.Allow, host) },
		Fallback: r.fallback(cfg, i.Log), Now: i.Now})
}

// fallback lists the adapters after the direct one, in the order of trying.
func (r *Reading) fallback(cfg config.Config, log *slog.Logger) []fetch.Adapter {
	var adapters []fetch.Adapter
	if cfg.Fetch.Browser != "off" {
		if _, err := browser.Available(cfg.Fetch.Browser); err == nil {
			r.Browser = browser.New(browser.Options{Path: cfg.Fetch.Browser, Dial: r.Client.DialContext, Log: log})
			adapters = append(adapters, fetch.BrowserAdapter{Browser: r.Browser})
		}
	}
	if cfg.Fetch.Proxy != "" {
		adapters = append(adapters, fetch.Proxy{Client: Way(cfg, cfg.Fetch.Proxy), Template: cfg.Fetch.Proxy})
	}
	return adapters
}

func openBlobs(cfg config.Config, location string) (archive.Blobs, error) {
	endpoint := ""
	if u, err := url.Parse(location); err == nil {
		endpoint = u.Query().Get("endpoint")
	}
	if location == "" {
		location = archiveFolder(cfg)
	}
	return archive.OpenBlobs(location, archive.BlobOptions{Spool: filepath.Join(cfg.Data, "spool"), Transport: Way(cfg, endpoint).Transport(),
		AccessKey: os.Getenv("AWS_ACCESS_KEY_ID"), SecretKey: os.Getenv("AWS_SECRET_ACCESS_KEY")})
}

func (i *Installation) openArchive(ctx context.Context, blobs archive.Blobs) (*archive.Archive, error) {
	known := func(ctx context.Context, digest string) (archive.Entry, bool, error) {
		page, found, err := i.Store.ArchivedPayload(ctx, digest)
		if err != nil || !found {
			return archive.Entry{}, false, err
		}
		ref, err := archive.ParseRef(page.ArchiveRef)
		return archive.Entry{Ref: ref, URL: page.FinalURL, At: page.FetchedAt, Digest: digest}, err == nil, nil
	}
	return archive.Open(ctx, archive.Options{Blobs: blobs, Known: known, Software: "Curlew/" + i.Version})
}

// allowedHost says whether the configuration names a host's address: only such a
// host may be asked faster than once a second.
func allowedHost(allow []config.Reach, host string) bool {
	if strings.EqualFold(host, "localhost") {
		host = "127.0.0.1"
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(allow, func(r config.Reach) bool { return r.Contains(address.Unmap()) })
}

// Close lets go of the ways out; what the archive still has to write is written.
func (r *Reading) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if r.Archive != nil {
		_ = r.Archive.Close(ctx) // what is left undone, the next Open does
	}
	if r.Browser != nil {
		_ = r.Browser.Close()
	}
	r.Client.Close()
}

// Archived reads the copy of a page.
func (i *Installation) Archived(ctx context.Context, page curlew.Page) (*archive.Exchange, error) {
	ref, err := archive.ParseRef(page.ArchiveRef)
	if err != nil {
		return nil, err
	}
	return i.Reading.Archive.Read(ctx, ref)
}
