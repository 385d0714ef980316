package deliver

import (
	"bytes"
	"encoding/json"

	"curlew/internal/curlew"
)

// Render writes a message as its channel would send it, for people to look at: the JSON
// of a webhook or of Slack, or subject and text of an e-mail.
func Render(channel curlew.Channel, m Message) (string, error) {
	var body []byte
	var err error
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
