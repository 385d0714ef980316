package deliver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/web/egress"
)

// The limits of Slack's blocks: a message has at most 50, a section 3000 characters,
// a header 150.
const (
	maxBlocks  = 50
	maxSection = 3000
	maxHeading = 150
)

// Slack posts to an incoming webhook. Scraped text cannot mention anybody, link
// anywhere or format what follows.
type Slack struct {
	Client    *egress.Client
	UserAgent string
	Now       func() time.Time
	Time      time.Duration // 0 means 15 s
}

// Send posts the message.
func (s Slack) Send(ctx context.Context, raw json.RawMessage, m Message) (Answer, error) {
	t, err := decodeTarget[SlackTarget](raw)
	if err != nil {
		return Answer{}, err
	}
	if err := (Rules{PlainHTTP: true}).checkURL(t.URL); err != nil {
		return Answer{}, err
	}
	body, err := slackBody(m)
	if err != nil {
		return Answer{}, err
	}
	return post{s.Client, s.UserAgent, s.Now, s.Time}.send(ctx, t.URL, http.Header{}, body)
}

type slackMessage struct {
	Text        string       `json:"text"` // what notifications show
	Blocks      []slackBlock `json:"blocks"`
	UnfurlLinks bool         `json:"unfurl_links"`
	UnfurlMedia bool         `json:"unfurl_media"`
}

type slackBlock struct {
	Type     string      `json:"type"`
	Text     *slackText  `json:"text,omitempty"`
	Elements []slackText `json:"elements,omitempty"`
}

type slackText struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Verbatim bool   `json:"verbatim,omitempty"` // nothing in it becomes a link or a mention by itself
}

func mrkdwn(text string) slackText { return slackText{"mrkdwn", text, true} }

func section(text string) slackBlock {
	t := mrkdwn(text)
	return slackBlock{Type: "section", Text: &t}
}

func contextBlock(text string) slackBlock {
	return slackBlock{Type: "context", Elements: []slackText{mrkdwn(text)}}
}

func slackBody(m Message) ([]byte, error) {
	p := pageOf(m)
	message := slackMessage{Text: slackEscape(subject(m)), Blocks: slackBlocks(p, m)}
	body, err := json.Marshal(message)
	if err != nil {
		return nil, curlew.Permanent("bad_message", "the change cannot be written as JSON").Because(err)
	}
	return body, nil
}

func slackBlocks(p page, m Message) []slackBlock {
	// A heading is plain text, which has no escapes and needs none in Slack.
	title := strings.NewReplacer("<", "‹", ">", "›").Replace(unmention(p.Title))
	heading := slackText{Type: "plain_text", Text: text.Clip(title, maxHeading-1)}
	blocks := []slackBlock{{Type: "header", Text: &heading}}
	if p.Intro != "" {
		blocks = append(blocks, section(slackEscape(p.Intro)))
	}
	shown := 0
	for _, g := range p.Groups {
		if g.Source != "" && m.Digest && len(blocks) < maxBlocks-3 {
			blocks = append(blocks, contextBlock("*"+slackEscape(g.Source)+"*"))
		}
		for _, k := range g.Kinds {
			for _, v := range k.Views {
				if len(blocks) < maxBlocks-2 {
					blocks = append(blocks, section(v.mrkdwn(m.Digest)))
					shown++
				}
			}
		}
	}
	return append(blocks, contextBlock(footer(p, len(m.Items)-shown, m.Digest)))
}

func footer(p page, more int, digest bool) string {
	var parts []string
	if more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	if !digest && len(p.Groups) == 1 && p.Groups[0].Source != "" {
		parts = append(parts, slackEscape(p.Groups[0].Source))
	}
	parts = append(parts, slackEscape(p.When))
	if p.Links.Console != "" {
		parts = append(parts, slackLink(p.Links.Console, "all changes"))
	}
	return strings.Join(parts, " · ")
}

// mrkdwn writes a change as one section. It is put together from whole lines, so
// that a cut never leaves an escape or a link open.
func (v view) mrkdwn(labelled bool) string {
	title := "*" + slackEscape(v.Title) + "*"
	if v.URL != "" {
		title = "*" + slackLink(v.URL, v.Title) + "*"
	}
	if labelled {
		title = v.Label + ": " + title
	}
	lines := []string{title}
	for _, r := range v.Rows {
		lines = append(lines, fmt.Sprintf("%s: %s → *%s*", slackEscape(r.Label), slackEscape(cmp.Or(r.Old, "nothing")),
			slackEscape(cmp.Or(r.New, "nothing"))))
	}
	for _, r := range v.Facts {
		lines = append(lines, slackEscape(r.Label)+": "+slackEscape(r.New))
	}
	if v.Reason != "" {
		lines = append(lines, "_"+slackEscape(v.Reason)+"_")
	}
	kept, size := []string(nil), 0
	for _, line := range lines {
		if size += len([]rune(line)) + 1; size > maxSection {
			break
		}
		kept = append(kept, line)
	}
	if len(kept) == 0 {
		return text.Clip(slackEscape(text.Clip(v.Title, 100)), maxSection-1)
	}
	return strings.Join(kept, "\n")
}

// slackEscape is all that Slack asks for (& < >), which also disarms <!channel> and
// <@user>, and what chats of the same kind take for a mention.
func slackEscape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(unmention(s))
}

var (
	edgeLine = text.Pattern(`(^|[^\pL\pN])_|_([^\pL\pN]|$)`)
	quote    = text.Pattern(`(?m)^\s*>+`)
	emoji    = text.Pattern(`:([\w+'-]+):`)
)

// unmention breaks words such as @here with a character that is not seen (U+2060,
// word joiner), for chats that look for them in plain text, and takes the signs away
// that would format.
//
// Lines under a word format where a word begins or ends with them, and a word between colons is a
// picture; "20:00" and "lot_7" stay as they are. A line that begins with > is a quotation, escaped or not.
func unmention(s string) string {
	s = quote().ReplaceAllStringFunc(s, func(signs string) string { return strings.ReplaceAll(signs, ">", "›") })
	return strings.NewReplacer("@", "@\u2060", "*", "∗", "`", "ˋ", "~", "∼").Replace(edgeLine().ReplaceAllString(
		emoji().ReplaceAllString(s, ":\u2060$1:"), "${1}ˍ$2"))
}

// slackLink writes a link whose address cannot end early.
func slackLink(url, label string) string {
	address := strings.NewReplacer("|", "%7C", "<", "%3C", ">", "%3E", "&", "&amp;", " ", "%20", "\n", "", "\r", "").Replace(url)
	if len(address) > 1000 {
		return slackEscape(label)
	}
	return "<" + address + "|" + strings.ReplaceAll(slackEscape(label), "|", "∣") + ">"
}
