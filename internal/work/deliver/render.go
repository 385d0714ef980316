package deliver

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Render writes a message as its channel would send it, for people to look at: the JSON
// of a webhook or of Slack, subject and text of an e-mail, or the text of a chat, by its template.
func Render(channel curlew.Channel, m Message, template string) (string, error) {
	var body []byte
	var err error
	if IsChat(channel) {
		return noteOf(m, template).whole(), nil
	}
	switch channel {
	case curlew.ChannelEmail:
		return "Subject: " + subject(m) + "\n\n" + pageOf(m).plainText(), nil
	case curlew.ChannelSlack:
		body, err = slackBody(m)
	default:
		body, err = m.Body()
	}
	if err != nil {
		return "", err
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, body, "", "  "); err != nil {
		return "", curlew.Permanent("bad_message", "the message is not JSON").Because(err)
	}
	return indented.String(), nil
}

// Heading is a header of a webhook, for people to look at.
type Heading struct{ Name, Value string }

// Head are the headers that a webhook carries besides the usual ones, for a message that
// was signed at a time, or is yet to be sent. Signatures and headers of the receiver's
// own are only named: both may let somebody in.
func Head(channel curlew.Channel, target json.RawMessage, m Message, signed *time.Time) []Heading {
	if channel != curlew.ChannelWebhook {
		return nil
	}
	stamp := "the time of sending"
	if signed != nil {
		stamp = strconv.FormatInt(signed.Unix(), 10)
	}
	all := []Heading{{headerID, m.ID}, {headerTimestamp, stamp}, {headerSignature, hidden}, {"Content-Type", "application/json"}}
	if t, err := decodeTarget[WebhookTarget](target); err == nil {
		for _, name := range slices.Sorted(maps.Keys(t.Headers)) {
			all = append(all, Heading{name, hidden})
		}
	}
	return all
}
