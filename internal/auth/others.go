package auth

import (
	"context"

	"curlew/internal/curlew"
)

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
		err := s.store.EndSession(ctx, who.Org, user.ID, session.ID, s.entry(who, "user.sign-out", string(user.ID), nil))
		if err != nil && !isNotFound(err) {
			return ended, err
		}
		ended++
	}
	return ended, nil
}
