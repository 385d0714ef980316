package deliver

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
)

// LeavePath is where the links to unsubscribe lead; the id of the subscription and the token of the receiver follow.
const LeavePath = "/unsubscribe/"

// leaveToken is what the link of one receiver carries.
func leaveToken(key, address string) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(address))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

// Leaving is the receiver of e-mail that a token is of; "" where it is of none.
func Leaving(s curlew.Subscription, token string) (address string, err error) {
	if s.Channel != curlew.ChannelEmail || s.LeaveKey == "" {
		return "", nil
	}
	t, err := decodeTarget[EmailTarget](s.Target)
	for _, to := range t.To {
		if hmac.Equal([]byte(leaveToken(s.LeaveKey, to)), []byte(token)) {
			return to, err
		}
	}
	return "", err
}

// Leave takes a receiver of e-mail out. A subscription without any is disabled.
func Leave(s *curlew.Subscription, address string) error {
	t, err := decodeTarget[EmailTarget](s.Target)
	if err != nil {
		return err
	}
	t.To = slices.DeleteFunc(t.To, func(to string) bool { return to == address })
	if len(t.To) == 0 {
		t.To = []string{}
		s.Status, s.Health.DisabledWhy = curlew.SubscriptionDisabled, "its last receiver has unsubscribed: name another one before it is resumed"
	}
	s.Target, err = json.Marshal(t)
	return err
}
