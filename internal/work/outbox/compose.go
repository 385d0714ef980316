package outbox

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"time"

	"github.com/curlew-data/curlew/internal/change/schedule"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// update is what is told of one entity, or of a source: one change, or several that were joined.
type update struct {
	store.PendingDelivery                         // what is told; of joined ones the last, from the first old value on
	covers                []store.PendingDelivery // that are done with it
	undone                bool                    // it went back to what it was: there is nothing to tell
}

// updates are changes one by one, or joined where the subscriber lets them settle. What was tried
// before is told again as it was, and joined with nothing that came since.
func updates(pending []store.PendingDelivery, settle bool) (all []update) {
	last := map[curlew.EntityID]int{}
	for _, p := range pending {
		at, known := last[p.Change.Entity]
		if settle && known && p.Change.Entity != "" && all[at].join(p) {
			continue
		}
		last[p.Change.Entity] = len(all)
		all = append(all, update{PendingDelivery: p, covers: []store.PendingDelivery{p}})
	}
	return all
}

// join adds a later change of the same entity, if both are updates that can be told as one.
func (u *update) join(p store.PendingDelivery) bool {
	was, is := u.Change.Kind, p.Change.Kind
	updated := is == curlew.EntityChanged || is == curlew.PositionChanged
	if !updated || was != is && was != curlew.EntityAppeared || u.Delivery.Attempts != p.Delivery.Attempts {
		return false
	}
	first, ok1 := payloadOf(u.Change)
	second, ok2 := payloadOf(p.Change)
	if !ok1 || !ok2 {
		return false
	}
	second.Changes = joined(first.Changes, second.Changes)
	if first.Evidence != nil && second.Evidence != nil {
		fields := maps.Clone(first.Evidence.Fields)
		if fields == nil {
			fields = map[string]curlew.Evidence{}
		}
		maps.Copy(fields, second.Evidence.Fields)
		second.Evidence.Fields = fields
	}
	u.undone = len(second.Changes) == 0
	if was == curlew.EntityAppeared { // new all the same, and shown as it is now
		second.Changes, u.undone = nil, false
	}
	payload, err := json.Marshal(second)
	if err != nil {
		return false
	}
	u.PendingDelivery, u.covers = p, append(u.covers, p)
	u.Change.Kind, u.Change.Payload = was, payload
	return true
}

func payloadOf(c curlew.Change) (p curlew.ChangePayload, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(c.Payload))
	decoder.UseNumber()
	return p, decoder.Decode(&p) == nil
}

// joined leads each field from its first old value to its last new one, and leaves out what went back.
func joined(first, second []curlew.FieldChange) (all []curlew.FieldChange) {
	at := map[string]int{}
	for _, c := range append(first[:len(first):len(first)], second...) {
		if i, known := at[c.Field]; known {
			all[i].New = c.New
			continue
		}
		at[c.Field] = len(all)
		all = append(all, c)
	}
	kept := all[:0]
	for _, c := range all {
		if !reflect.DeepEqual(c.Old, c.New) {
			kept = append(kept, c)
		}
	}
	return kept
}

// composed is a message to be: one update, or several together.
type composed struct {
	updates []update
	digest  bool
}

// covers are the deliveries that are done with a message.
func (m composed) covers() (all []store.PendingDelivery) {
	for _, u := range m.updates {
		all = append(all, u.covers...)
	}
	return all
}

// compose says what is sent now: all together for a digest, or where more waits than the hour has left;
// what happened in quiet hours together; anything else by itself, the first of each entity.
func compose(sub curlew.Subscription, all []update, now time.Time) (messages []composed) {
	if sub.Digest != "" || sub.AtMost > 0 && len(all) > left(sub, all[0].Delivery.Receiver, now) && len(all) > 1 {
		return []composed{{all, true}}
	}
	quiet, _ := schedule.ParseQuiet(sub.Quiet) // without hours it holds nothing back
	var held, rest []update
	told := map[curlew.EntityID]bool{}
	for _, u := range all {
		if _, ok := quiet.Until(u.Delivery.CreatedAt); ok {
			held, told[u.Change.Entity] = append(held, u), true
		} else {
			rest = append(rest, u)
		}
	}
	if len(held) > 0 {
		messages = append(messages, composed{held, len(held) > 1})
	}
	for _, u := range rest {
		if entity := u.Change.Entity; entity == "" || !told[entity] {
			messages, told[entity] = append(messages, composed{[]update{u}, false}), true
		}
	}
	return messages
}

// left is how many messages a receiver may still get in the hour.
func left(sub curlew.Subscription, receiver string, now time.Time) int {
	hour := sub.Health.Hours[receiver]
	if now.Sub(hour.Since) >= time.Hour {
		return sub.AtMost
	}
	return max(0, sub.AtMost-hour.Sent)
}

// counted notes that so many messages arrived.
func counted(sub *curlew.Subscription, receiver string, messages int, now time.Time) {
	if sub.AtMost == 0 || messages == 0 {
		return
	}
	hours := map[string]curlew.SentHour{}
	for other, hour := range sub.Health.Hours {
		if now.Sub(hour.Since) < time.Hour {
			hours[other] = hour
		}
	}
	hour, begun := hours[receiver]
	if !begun {
		hour.Since = now
	}
	hour.Sent += messages
	hours[receiver], sub.Health.Hours = hour, hours
}

// heldUntil is until when nothing is sent to a receiver: quiet hours, or an hour that had its messages.
func heldUntil(sub curlew.Subscription, receiver string, now time.Time) (time.Time, bool) {
	quiet, _ := schedule.ParseQuiet(sub.Quiet)
	if until, held := quiet.Until(now); held {
		return until, true
	}
	if sub.AtMost > 0 && left(sub, receiver, now) == 0 {
		return sub.Health.Hours[receiver].Since.Add(time.Hour), true
	}
	return time.Time{}, false
}

// dueAt is when a change that is told now is to be sent; nil is at once.
func dueAt(sub curlew.Subscription, now time.Time) (*time.Time, error) {
	at := now.Add(sub.SettleTime())
	if sub.Digest != "" {
		s, err := schedule.Parse(sub.Digest)
		if err != nil {
			return nil, err
		}
		at = s.Next(now)
	}
	quiet, _ := schedule.ParseQuiet(sub.Quiet)
	if until, held := quiet.Until(at); held {
		at = until
	}
	if at.Equal(now) {
		return nil, nil
	}
	return &at, nil
}
