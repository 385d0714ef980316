package cli

import (
	"context"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"

	"curlew/internal/archive"
	"curlew/internal/browser"
	"curlew/internal/config"
	"curlew/internal/curlew"
	"curlew/internal/egress"
	"curlew/internal/fetch"
	"curlew/internal/jobs"
	"curlew/internal/pipeline"
	"curlew/internal/store"
)

// reading is what a process needs to read websites.
type reading struct {
	client  *egress.Client
	browser *browser.Browser
	archive *archive.Archive // nil when nothing is to be archived
	blobs   archive.Blobs
	reader  *pipeline.Reader
}

// tidyArchive drops the oldest archived pages when they are too old or too many,
// and brings home what a crash or an outage left half-way.
func (i *installation) tidyArchive(ctx context.Context) error {
	if i.reading == nil || i.reading.archive == nil {
		return nil
	}
	r := i.reading
	if err := r.archive.Settle(ctx); err != nil {
		return err
	}
	keep := archive.Retention{MaxAge: i.cfg.Archive.MaxAge, MaxBytes: int64(i.cfg.Archive.MaxGiB) << 30}
	_, err := archive.Prune(ctx, r.blobs, keep, time.Now(), func(ctx context.Context, file string) (bool, error) {
		needed, err := i.store.ArchiveFileNeeded(ctx, file)
		if err != nil || needed {
			return true, err
		}
		_, err = i.store.ForgetArchiveFile(ctx, file)
		return false, err
	})
	return err
}

// noArchive is the location of an archive that keeps nothing.
const noArchive = "none"

// openReading opens the way out, the browser and the archive, and lets the jobs of
// this process read.
func (i *installation) openReading(ctx context.Context, a *app, location string) error {
	cfg := i.cfg
	r := &reading{client: egress.New(egress.Policy{Allow: cfg.Egress.Allow, Ports: cfg.Egress.Ports})}
	if location != noArchive {
		var err error
		if r.blobs, err = openBlobs(cfg, location, r.client); err != nil {
			return err
		}
		if r.archive, err = openArchive(ctx, r.blobs, i.store); err != nil {
			return err
		}
	}
	fetcher := i.newFetcher(a, r)
	r.reader = &pipeline.Reader{Fetcher: fetcher}
	if r.archive != nil {
		r.reader.Archive = r.archive
	}
	i.reading = r
	i.outbox = i.newOutbox(a, r.client, fetcher.UserAgent())
	slicers := map[curlew.RunKind]jobs.Slicer{
		curlew.RunDrill: jobs.Drill{},
		curlew.RunCrawl: jobs.Crawl{Store: i.store, Crawl: &pipeline.Crawl{Reader: r.reader}},
	}
	if r.archive != nil {
		watching := i.watchSlicer(a, r)
		slicers[curlew.RunWatch] = watching
		teachers, err := i.teachers(r.client)
		if err != nil {
			return err
		}
		i.onboard.Web, i.onboard.Outbox, i.onboard.Teacher = paced{fetcher, a.delay}, i.outbox, teachers
		slicers[curlew.RunOnboard] = i.onboard
		slicers[curlew.RunHeal] = jobs.Heal{Watch: watching, Teacher: teachers,
			Web: func(w curlew.Watch) pipeline.Web { return paced{fetcher, w.Settings.Delay} }}
	}
	i.jobs = i.newJobs(a, slicers)
	return nil
}

// newFetcher asks websites for this process, at the pace that all of them share.
func (i *installation) newFetcher(a *app, r *reading) *fetch.Fetcher {
	cfg := i.cfg
	return fetch.New(fetch.Options{Client: r.client, Hosts: i.store, Version: release, Contact: cfg.Contact,
		MaxWait: cfg.Fetch.MaxWait, MayHurry: func(host string) bool { return allowedHost(cfg.Egress.Allow, host) },
		Fallback: r.fallback(cfg, a), Now: a.clock()})
}

// fallback lists the adapters after the direct one, in the order of trying.
func (r *reading) fallback(cfg config.Config, a *app) []fetch.Adapter {
	var adapters []fetch.Adapter
	if cfg.Fetch.Browser != "off" {
		if _, err := browser.Available(cfg.Fetch.Browser); err == nil {
			r.browser = browser.New(browser.Options{Path: cfg.Fetch.Browser, Dial: r.client.DialContext, Log: a.log})
			adapters = append(adapters, fetch.Browser{Browser: r.browser})
		}
	}
	if cfg.Fetch.Proxy != "" {
		adapters = append(adapters, fetch.Proxy{Client: r.client, Template: cfg.Fetch.Proxy})
	}
	return adapters
}

func openBlobs(cfg config.Config, location string, client *egress.Client) (archive.Blobs, error) {
	if location == "" {
		location = filepath.Join(cfg.Data, "archive")
	}
	return archive.OpenBlobs(location, archive.BlobOptions{Spool: filepath.Join(cfg.Data, "spool"), Transport: client.Transport(),
		AccessKey: os.Getenv("AWS_ACCESS_KEY_ID"), SecretKey: os.Getenv("AWS_SECRET_ACCESS_KEY")})
}

func openArchive(ctx context.Context, blobs archive.Blobs, s *store.Store) (*archive.Archive, error) {
	known := func(ctx context.Context, digest string) (archive.Entry, bool, error) {
		page, found, err := s.ArchivedPayload(ctx, digest)
		if err != nil || !found {
			return archive.Entry{}, false, err
		}
		ref, err := archive.ParseRef(page.ArchiveRef)
		return archive.Entry{Ref: ref, URL: page.FinalURL, At: page.FetchedAt, Digest: digest}, err == nil, nil
	}
	return archive.Open(ctx, archive.Options{Blobs: blobs, Known: known, Software: "Curlew/" + version()})
}

// allowedHost says whether the configuration names a host's address: only such a
// host may be asked faster than once a second.
func allowedHost(allow []netip.Prefix, host string) bool {
	if strings.EqualFold(host, "localhost") {
		host = "127.0.0.1"
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	for _, prefix := range allow {
		if prefix.Contains(address.Unmap()) {
			return true
		}
	}
	return false
}

func (r *reading) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if r.archive != nil {
		_ = r.archive.Close(ctx) // what is left undone, the next Open does
	}
	if r.browser != nil {
		_ = r.browser.Close()
	}
	r.client.Close()
}

// openToRead opens the installation for a command that reads by itself, and makes
// its data folder where there is none.
func (a *app) openToRead(ctx context.Context, location string) (*installation, error) {
	cfg, err := a.load()
	if err != nil {
		return nil, err
	}
	if err := makeDataFolder(cfg); err != nil {
		return nil, err
	}
	i, err := openInstallation(ctx, cfg, a)
	if err != nil {
		return nil, err
	}
	if location == "" {
		location = cfg.Archive.Location
	}
	if err := i.openReading(ctx, a, location); err != nil {
		i.close()
		return nil, err
	}
	return i, nil
}
