package auth

import (
	"context"

	"github.com/curlew-data/curlew/internal/curlew"
)

// open are the orgs of a person that let them in, and whether any keeps them out.
func (s *Authenticator) open(ctx context.Context, id curlew.UserID) (in []curlew.Membership, out bool, err error) {
	all, err := s.store.Memberships(ctx, id)
	for _, m := range all {
		if m.DisabledAt == nil {
			in = append(in, m)
		}
	}
	return in, len(in) < len(all), err
}
