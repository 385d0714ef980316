package tenancy

import (
	"curlew/internal/change/schedule"
	"curlew/internal/curlew"
)

// isSite says whether a site is that of an address, however that is written.
func isSite(site, address string) bool {
	own, err := curlew.SiteOf(address)
	return err == nil && own == site
}

// rhythm is a schedule in its one spelling, unless it is too short for this installation.
func (t tenant) rhythm(text string) (string, error) {
	s, err := schedule.Parse(text)
	if err == nil {
		err = s.Check(t.i.Config.Watch.Shortest)
	}
	if err != nil {
		return "", err
	}
	return s.String(), nil
}
