package deliver

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
)

// UnsubscribePath is where the links to unsubscribe lead; the id of the subscription and the token of the receiver follow.
const UnsubscribePath = "/unsubscribe/"

// unsubscribeToken is what the link of one receiver carries.
func unsubscribeToken(key, address string) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(address))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

// ReceiverOf is the receiver of e-mail that a token is of. One who has unsubscribed is known, and has no address any more.
func ReceiverOf(s curlew.Subscription, token string) (address string, known bool, err error) {
	if s.Channel != curlew.ChannelEmail || s.UnsubscribeKey == "" {
		return "", false, nil
	}
	t, err := decodeTarget[EmailTarget](s.Target)
	for _, to := range t.To {
		if hmac.Equal([]byte(unsubscribeToken(s.UnsubscribeKey, to)), []byte(token)) {
			return to, true, err
		}
	}
	return "", slices.Contains(t.Unsubscribed, token), err
}

// Unsubscribe takes a receiver of e-mail out. A subscription without any is disabled.
func Unsubscribe(s *curlew.Subscription, address string) error {
	t, err := decodeTarget[EmailTarget](s.Target)
	if err != nil {
		return err
	}
	if !slices.Contains(t.To, address) {
		return nil
	}
	t.To = slices.DeleteFunc(t.To, func(to string) bool { return sameMailbox(to, address) })
	t.Unsubscribed = append(t.Unsubscribed, unsubscribeToken(s.UnsubscribeKey, address))
	t.Unsubscribed = t.Unsubscribed[max(0, len(t.Unsubscribed)-maxTo):]
	if len(t.To) == 0 {
		t.To = []string{}
		s.Status, s.Health.DisabledWhy = curlew.SubscriptionDisabled, "its last receiver has unsubscribed: name another one before it is resumed"
	}
	s.Target, err = json.Marshal(t)
	return err
}
