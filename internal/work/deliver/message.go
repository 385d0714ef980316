package deliver

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Item is one change event on its way to a subscriber.
type Item struct {
	Delivery curlew.DeliveryID
	Change   curlew.Change
	Source   string // the names that people know
	Watch    string
	Kinds    curlew.Kinds // of the org; without them the built-in ones are known
}

// Message is what a channel sends. The same deliveries give the same message at
// every attempt, apart from the time of signing.
type Message struct {
	ID           string // stable: what a receiver tells repetitions by
	Subscription curlew.SubscriptionID
	Name         string // of the subscription
	Digest       bool
	Test         bool
	At           time.Time // of the change, or of the digest
	Items        []Item
	Links        Links
	To           string // of the receivers of e-mail this one; "" means all
}

// Links lead people back. Empty ones are left out.
type Links struct {
	Console        string // the change or the list of changes
	Unsubscribe    string // for receivers of e-mail, where each has a link of their own
	UnsubscribeKey string // from which these are made; "" where the address is whole
}

// For are the links in the e-mail to one receiver.
func (l Links) For(address string) Links {
	if l.UnsubscribeKey != "" {
		l.Unsubscribe, l.UnsubscribeKey = l.Unsubscribe+"/"+unsubscribeToken(l.UnsubscribeKey, address), ""
	}
	return l
}

// LinksOf are the links of a message to a subscriber, with the address of the console; none where that is "".
func LinksOf(s curlew.Subscription, console string) Links {
	if console == "" {
		return Links{}
	}
	l := Links{Console: console + "/changes"}
	if s.Channel == curlew.ChannelEmail && s.UnsubscribeKey != "" {
		l.Unsubscribe, l.UnsubscribeKey = console+UnsubscribePath+string(s.ID), s.UnsubscribeKey
	}
	return l
}

// Single makes the message of one change.
func Single(s curlew.Subscription, item Item, links Links) Message {
	return Message{ID: string(item.Delivery), Subscription: s.ID, Name: s.Name, At: item.Change.OccurredAt, Items: []Item{item}, Links: links}
}

// Digest makes one message of many changes. Its id follows from theirs, so that the
// same digest tried again is recognised.
func Digest(s curlew.Subscription, items []Item, at time.Time, links Links) Message {
	sum := sha256.New()
	for _, item := range items {
		fmt.Fprintln(sum, item.Delivery)
	}
	id := "dig_" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum.Sum(nil)[:15]))
	return Message{ID: id, Subscription: s.ID, Name: s.Name, Digest: true, At: at, Items: items, Links: links}
}

// Test makes a message that only shows that deliveries arrive, with the links that they have.
func Test(s curlew.Subscription, id string, at time.Time, console string) Message {
	return Message{ID: id, Subscription: s.ID, Name: s.Name, Test: true, At: at, Links: LinksOf(s, console)}
}

// envelope is the body of a webhook, in the form of Standard Webhooks.
type envelope struct {
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"`
	Data      any       `json:"data"`
}

type changeData struct {
	Delivery     curlew.DeliveryID     `json:"delivery_id"`
	Subscription curlew.SubscriptionID `json:"subscription_id"`
	curlew.Change
	SourceName string `json:"source_name,omitempty"`
	WatchName  string `json:"watch_name,omitempty"`
}

type digestData struct {
	Subscription curlew.SubscriptionID `json:"subscription_id"`
	Name         string                `json:"subscription_name,omitempty"`
	Count        int                   `json:"count"`
	Changes      []changeData          `json:"changes"`
}

type testData struct {
	Subscription curlew.SubscriptionID `json:"subscription_id"`
	Name         string                `json:"subscription_name,omitempty"`
	Text         string                `json:"text"`
}

// Body is the message as the JSON that webhooks carry.
func (m Message) Body() ([]byte, error) {
	e := envelope{Timestamp: m.At.UTC()}
	switch {
	case m.Test:
		e.Type, e.Data = "test", testData{m.Subscription, m.Name, "This is a test from Curlew. Nothing has changed."}
	case m.Digest:
		d := digestData{Subscription: m.Subscription, Name: m.Name, Count: len(m.Items), Changes: make([]changeData, len(m.Items))}
		for i, item := range m.Items {
			d.Changes[i] = m.data(item)
		}
		e.Type, e.Data = "digest", d
	case len(m.Items) == 1:
		e.Type, e.Data = string(m.Items[0].Change.Kind), m.data(m.Items[0])
	default:
		return nil, fmt.Errorf("deliver: a message of %d changes that is no digest", len(m.Items))
	}
	body, err := json.Marshal(e)
	if err != nil {
		return nil, curlew.Permanent("bad_message", "the change cannot be written as JSON").Because(err)
	}
	return body, nil
}

func (m Message) data(item Item) changeData {
	return changeData{item.Delivery, m.Subscription, item.Change, item.Source, item.Watch}
}
