package deliver

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/web/egress"
)

// ChatTarget is where a chat or a push service takes messages. Tokens are in the address, so that all of it is a secret.
type ChatTarget struct {
	URL      string            `json:"url"`
	Headers  map[string]string `json:"headers,omitempty"`  // of ntfy and http: such as Authorization
	Template string            `json:"template,omitempty"` // of the text of a change; "" is the usual one
}

// note is a message on its way to a chat.
type note struct {
	ID    string
	Title string // one line
	Text  string // without the title
	URL   string // where people read on; "" for nowhere
}

// whole is the note in one text.
func (n note) whole() string { return strings.TrimSpace(n.Title + "\n" + n.Text) }

// request is what a service is asked.
type request struct {
	method, url string
	body        any // a text is sent as it is
	header      http.Header
}

// chatService is how one service takes messages.
type chatService struct {
	most     int                             // characters of a message
	markdown bool                            // signs in texts of pages would format or mention
	headers  bool                            // of the receiver's own
	wrong    func(u *url.URL) string         // what its address lacks
	ask      func(u url.URL, n note) request // u is a copy
}

// ChatHeaders says whether a channel sends headers of the receiver's own along.
func ChatHeaders(c curlew.Channel) bool { return chats[c].headers }

// IsChat says whether a channel is a chat or a push service.
func IsChat(c curlew.Channel) bool { _, ok := chats[c]; return ok }

// ChatAddresses are what the addresses of chats and push services look like.
var ChatAddresses = map[curlew.Channel]string{
	curlew.ChannelDiscord: "https://discord.com/api/webhooks/ID/TOKEN", curlew.ChannelMattermost: "https://chat.example.org/hooks/KEY",
	curlew.ChannelTeams:    "https://….logic.azure.com/workflows/…",
	curlew.ChannelTelegram: "https://api.telegram.org/botTOKEN?chat_id=CHAT", curlew.ChannelNtfy: "https://ntfy.sh/TOPIC",
	curlew.ChannelGotify:   "https://gotify.example.org/message?token=TOKEN",
	curlew.ChannelPushover: "https://api.pushover.net/1/messages.json?token=TOKEN&user=USER",
	curlew.ChannelMatrix:   "https://matrix.example.org" + matrixRooms + "!ROOM:example.org?access_token=TOKEN",
	curlew.ChannelHTTP:     "https://example.org/in",
}

var chats = map[curlew.Channel]chatService{
	curlew.ChannelDiscord: {most: 1900, markdown: true, wrong: inPath(curlew.ChannelDiscord, "/api/webhooks/"),
		ask: func(u url.URL, n note) request {
			return posted(u, map[string]any{"content": n.whole(), "allowed_mentions": map[string]any{"parse": []string{}}, "flags": 4})
		}},
	curlew.ChannelMattermost: {most: 12000, markdown: true, wrong: inPath(curlew.ChannelMattermost, "/hooks/"),
		ask: func(u url.URL, n note) request { return posted(u, map[string]any{"text": n.whole()}) }},
	curlew.ChannelTeams: {most: 12000, markdown: true, ask: func(u url.URL, n note) request { return posted(u, teamsCard(n)) }},
	curlew.ChannelTelegram: {most: 4000, wrong: inQuery(curlew.ChannelTelegram, "chat_id"),
		ask: func(u url.URL, n note) request {
			chat := u.Query().Get("chat_id")
			u.RawQuery, u.Path = "", strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), "/sendMessage")+"/sendMessage"
			return posted(u, map[string]any{"chat_id": chat, "text": n.whole(), "link_preview_options": map[string]any{"is_disabled": true}})
		}},
	curlew.ChannelNtfy: {most: 3500, headers: true, wrong: ntfyWrong, ask: func(u url.URL, n note) request {
		at := strings.LastIndexByte(strings.TrimRight(u.Path, "/"), '/')
		topic := strings.Trim(u.Path[at:], "/")
		u.Path = u.Path[:at+1]
		return posted(u, map[string]any{"topic": topic, "title": n.Title, "message": cmp.Or(n.Text, n.Title), "click": n.URL})
	}},
	curlew.ChannelGotify: {most: 8000, wrong: inQuery(curlew.ChannelGotify, "token"),
		ask: func(u url.URL, n note) request {
			return posted(u, map[string]any{"title": n.Title, "message": cmp.Or(n.Text, n.Title), "priority": 5})
		}},
	curlew.ChannelPushover: {most: 1000, wrong: inQuery(curlew.ChannelPushover, "token", "user"),
		ask: func(u url.URL, n note) request {
			q := u.Query()
			u.RawQuery = ""
			return posted(u, map[string]any{"token": q.Get("token"), "user": q.Get("user"), "title": n.Title, "message": cmp.Or(n.Text, n.Title),
				"url": n.URL})
		}},
	curlew.ChannelMatrix: {most: 30000, wrong: matrixWrong, ask: matrixAsk},
	curlew.ChannelHTTP: {most: 30000, headers: true, ask: func(u url.URL, n note) request {
		return request{http.MethodPost, u.String(), n.whole(), http.Header{"Content-Type": {"text/plain; charset=utf-8"}}}
	}},
}

func posted(u url.URL, body any) request {
	return request{method: http.MethodPost, url: u.String(), body: body, header: http.Header{}}
}

// inPath wants a part of the path, and shows what an address looks like.
func inPath(channel curlew.Channel, part string) func(*url.URL) string {
	return func(u *url.URL) string {
		if strings.Contains(u.Path, part) {
			return ""
		}
		return "the address is not one that takes messages: write it as " + ChatAddresses[channel]
	}
}

// inQuery wants parameters.
func inQuery(channel curlew.Channel, names ...string) func(*url.URL) string {
	return func(u *url.URL) string {
		for _, name := range names {
			if u.Query().Get(name) == "" {
				return "the address has no " + name + ": write it as " + ChatAddresses[channel]
			}
		}
		return ""
	}
}

func ntfyWrong(u *url.URL) string {
	if strings.Trim(u.Path, "/") == "" {
		return "the address names no topic: write it as " + ChatAddresses[curlew.ChannelNtfy]
	}
	return ""
}

const matrixRooms = "/_matrix/client/v3/rooms/"

func matrixWrong(u *url.URL) string {
	if room := strings.TrimPrefix(u.Path, matrixRooms); room == u.Path || room == "" || strings.Contains(room, "/") {
		return "the address names no room: write it as " + ChatAddresses[curlew.ChannelMatrix]
	}
	return inQuery(curlew.ChannelMatrix, "access_token")(u)
}

// matrixAsk sends under the id of the message: sent twice, it is shown once.
func matrixAsk(u url.URL, n note) request {
	header := http.Header{"Authorization": {"Bearer " + u.Query().Get("access_token")}}
	u.RawQuery = ""
	u = *u.JoinPath("send", "m.room.message", url.PathEscape(n.ID))
	return request{http.MethodPut, u.String(), map[string]any{"msgtype": "m.text", "body": n.whole()}, header}
}

// teamsCard is a message of Microsoft's workflows.
func teamsCard(n note) any {
	block := func(words, weight string) map[string]any {
		return map[string]any{"type": "TextBlock", "text": words, "wrap": true, "weight": weight}
	}
	body := []any{block(n.Title, "Bolder")}
	for line := range strings.Lines(n.Text) {
		body = append(body, block(strings.TrimSpace(line), "Default"))
	}
	card := map[string]any{"type": "AdaptiveCard", "$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "version": "1.4",
		"body": body}
	if n.URL != "" {
		card["actions"] = []any{map[string]any{"type": "Action.OpenUrl", "title": "Open", "url": n.URL}}
	}
	attached := map[string]any{"contentType": "application/vnd.microsoft.card.adaptive", "content": card}
	return map[string]any{"type": "message", "attachments": []any{attached}}
}

func (r Rules) checkChat(channel curlew.Channel, t ChatTarget) error {
	if err := r.checkURL(t.URL); err != nil {
		return err
	}
	service := chats[channel]
	if u, err := url.Parse(t.URL); err == nil && service.wrong != nil {
		if why := service.wrong(u); why != "" {
			return badTarget("%s", why)
		}
	}
	if len(t.Headers) > 0 && !service.headers {
		return badTarget("%s takes no headers: put the token into the address", channel)
	}
	if why := TemplateProblem(t.Template); why != "" {
		return badTarget("%s", why)
	}
	return checkHeaders(t.Headers)
}

// Chat sends text to chats and push services.
type Chat struct {
	Channel   curlew.Channel
	Client    *egress.Client
	UserAgent string
	Now       func() time.Time
	Time      time.Duration // 0 means 15 s
}

// Send sends the message.
func (c Chat) Send(ctx context.Context, raw json.RawMessage, m Message) (Answer, error) {
	t, err := decodeTarget[ChatTarget](raw)
	if err != nil {
		return Answer{}, err
	}
	if err := (Rules{PlainHTTP: true}).checkChat(c.Channel, t); err != nil {
		return Answer{}, err
	}
	asked, body, err := chatRequest(c.Channel, t, m)
	if err != nil {
		return Answer{}, err
	}
	for name, value := range t.Headers {
		asked.header.Set(name, value)
	}
	return post{c.Client, c.UserAgent, c.Now, c.Time}.ask(ctx, asked.method, asked.url, asked.header, body)
}

// chatRequest is what a service is asked for a message.
func chatRequest(channel curlew.Channel, t ChatTarget, m Message) (request, []byte, error) {
	u, err := url.Parse(t.URL)
	if err != nil {
		return request{}, nil, badTarget("the url cannot be read")
	}
	service := chats[channel]
	n := noteOf(m, t.Template)
	if service.markdown {
		n.Title, n.Text = harmless(n.Title), harmless(n.Text)
	}
	n.Title = text.Clip(n.Title, 200)
	n.Text = text.Clip(n.Text, service.most-len([]rune(n.Title))-1)
	asked := service.ask(*u, n)
	if words, ok := asked.body.(string); ok {
		return asked, []byte(words), nil
	}
	body, err := json.Marshal(asked.body)
	if err != nil {
		return asked, nil, curlew.Permanent("bad_message", "the change cannot be written as JSON").Because(err)
	}
	return asked, body, nil
}

// harmless are texts of pages in which nothing formats, mentions or hides an address.
func harmless(s string) string { return strings.ReplaceAll(unmention(s), "](", "]\u2060(") }

// mostNoted is how many changes of a digest a chat is told.
const mostNoted = 20

// noteOf is a message in a few lines.
func noteOf(m Message, template string) note {
	n := note{ID: m.ID, Title: subject(m)}
	if m.Test {
		n.Text = "Deliveries of this subscription arrive. Nothing has changed."
		return n
	}
	n.URL = webURL(m.Links.Console)
	var all []string
	for _, item := range m.Items[:min(len(m.Items), mostNoted)] {
		v := viewOf(item)
		switch {
		case template != "":
			all = append(all, filled(template, v))
		case m.Digest:
			all = append(all, strings.TrimSpace(v.Label+": "+v.Title+"\n"+v.lines()))
		default:
			all = append(all, v.lines())
		}
		if !m.Digest && v.URL != "" {
			n.URL = v.URL
		}
	}
	if more := len(m.Items) - len(all); more > 0 {
		all = append(all, "and "+curlew.Counted(more, "more change"))
	}
	n.Text = strings.Join(all, "\n\n")
	if template != "" && !m.Digest { // which says all of it
		n.Title, n.Text, _ = strings.Cut(n.Text, "\n")
	}
	return n
}

// lines are what there is to know of a change, one thing on each line.
func (v view) lines() string {
	all := v.differences()
	for _, r := range v.Facts {
		all = append(all, r.Label+": "+r.New)
	}
	return strings.Join(slices.DeleteFunc(append(all, v.Reason, v.URL), func(s string) bool { return s == "" }), "\n")
}

func (v view) differences() (all []string) {
	for _, r := range v.Rows {
		all = append(all, r.Label+": "+cmp.Or(r.Old, "nothing")+" → "+cmp.Or(r.New, "nothing"))
	}
	return all
}
