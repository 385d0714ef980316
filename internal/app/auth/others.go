package auth

import (
	"context"

	"curlew/internal/curlew"
)

// Disable keeps somebody out of the org without removing them: their sessions in it end,
// they cannot come in, and the keys that they made for it let nobody in.
func (s *Service) Disable(ctx context.Context, who Identity, id curlew.UserID) (curlew.Membership, error) {
	if err := Allow(who, EditPeople); err != nil {
		return curlew.Membership{}, err
	}
	if id == who.User {
		return curlew.Membership{}, curlew.Refused("yourself", "you cannot disable yourself: another owner can")
	}
	now := s.Now()
	return s.store.SetDisabled(ctx, who.Org, id, &now, s.Entry(who, "user.disable", string(id), nil))
}

// Enable lets somebody in again, and the keys that they made with them.
func (s *Service) Enable(ctx context.Context, who Identity, id curlew.UserID) (curlew.Membership, error) {
	if err := Allow(who, EditPeople); err != nil {
		return curlew.Membership{}, err
	}
	return s.store.SetDisabled(ctx, who.Org, id, nil, s.Entry(who, "user.enable", string(id), nil))
}

// open are the orgs of a person that let them in, and whether any keeps them out.
func (s *Service) open(ctx context.Context, id curlew.UserID) (in []curlew.Membership, out bool, err error) {
	all, err := s.store.Memberships(ctx, id)
	for _, m := range all {
		if m.DisabledAt == nil {
			in = append(in, m)
		}
	}
	return in, len(in) < len(all), err
}

// SignOutMember ends the sessions of somebody in the org, wherever they are signed in,
// and says how many those were. Sessions in which the person works in another org are
// not this org's to end.
func (s *Service) SignOutMember(ctx context.Context, who Identity, id curlew.UserID) (int, error) {
	if err := Allow(who, EditPeople); err != nil {
		return 0, err
	}
	user, _, err := s.Member(ctx, who, string(id))
	if err != nil {
		return 0, err
	}
	sessions, err := s.store.Sessions(ctx, user.ID)
	if err != nil {
		return 0, err
	}
	ended := 0
	for _, session := range sessions {
		if session.Org != who.Org {
			continue
		}
		err := s.store.EndSession(ctx, who.Org, user.ID, session.ID, s.Entry(who, "user.sign-out", string(user.ID), nil))
		if err != nil && !isNotFound(err) {
			return ended, err
		}
		ended++
	}
	return ended, nil
}
