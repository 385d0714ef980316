package curlew

import (
	"slices"
	"time"
)

// DeliveryStatus is the life of a delivery.
type DeliveryStatus string

const (
	DeliveryPending   DeliveryStatus = "pending"
	DeliveryDelivered DeliveryStatus = "delivered"
	DeliveryDead      DeliveryStatus = "dead" // out of attempts; can be replayed
)

// Delivery is one outbox row per change and subscription. Its id is what the
// receiver sees, the same at every attempt.
type Delivery struct {
	ID           DeliveryID       `json:"id"`
	Org          OrgID            `json:"org"`
	Change       ChangeID         `json:"change_id"`
	Sequence     int64            `json:"sequence"` // of the change: deliveries keep its order
	Entity       EntityID         `json:"entity_id,omitempty"`
	Subscription SubscriptionID   `json:"subscription_id"`
	Status       DeliveryStatus   `json:"status"`
	Attempts     int              `json:"attempts"`
	LastError    string           `json:"last_error"`
	NextRetryAt  *time.Time       `json:"next_retry_at"`
	DeliveredAt  *time.Time       `json:"delivered_at"`
	CreatedAt    time.Time        `json:"created_at"`
	Receivers    []ReceiverResult `json:"receivers,omitempty"` // of an e-mail, once one of them has it or was left for later
}

// ReceiverStatus is what became of a delivery for one receiver of an e-mail.
type ReceiverStatus string

const (
	ReceiverAccepted ReceiverStatus = "accepted"
	ReceiverWaiting  ReceiverStatus = "waiting" // refused for the time being: tried again
	ReceiverRefused  ReceiverStatus = "refused" // for good
)

// ReceiverResult is one address of an e-mail, and what the mail server said of it last.
type ReceiverResult struct {
	Address string         `json:"address"`
	Status  ReceiverStatus `json:"status"`
	Answer  string         `json:"answer"`
	At      time.Time      `json:"at"`
}

// NotTried is what is said of a receiver for whom there was no time.
const NotTried = "it was not tried yet"

// Waiting are the receivers that are to be tried again, those first who were not tried yet; none means all.
func (d Delivery) Waiting() (all []string) {
	var tried []string
	for _, r := range d.Receivers {
		switch {
		case r.Status == ReceiverWaiting && r.Answer == NotTried:
			all = append(all, r.Address)
		case r.Status == ReceiverWaiting:
			tried = append(tried, r.Address)
		}
	}
	return append(all, tried...)
}

// Accepted says whether one of the receivers has it.
func (d Delivery) Accepted() bool {
	return slices.ContainsFunc(d.Receivers, func(r ReceiverResult) bool { return r.Status == ReceiverAccepted })
}

// Untried says whether there was no time yet for one of the receivers.
func (d Delivery) Untried() bool {
	return slices.ContainsFunc(d.Receivers, func(r ReceiverResult) bool { return r.Answer == NotTried })
}

// Answered notes what became of a delivery for some receivers. Nothing is noted before one of them has it, or was left for later.
func (d *Delivery) Answered(results []ReceiverResult) {
	differs := func(r ReceiverResult) bool { return r.Status == ReceiverAccepted || r.Answer == NotTried }
	if len(d.Receivers) == 0 && !slices.ContainsFunc(results, differs) {
		return
	}
	all := slices.Clone(d.Receivers)
	for _, r := range results {
		at := slices.IndexFunc(all, func(other ReceiverResult) bool { return other.Address == r.Address })
		if at < 0 {
			all = append(all, r)
			continue
		}
		if r.Answer != NotTried { // it was tried before
			all[at] = r
		}
	}
	d.Receivers = all
}

// Attempt is one try to deliver.
type Attempt struct {
	Delivery   DeliveryID `json:"delivery_id"`
	Number     int        `json:"number"`
	At         time.Time  `json:"at"`
	TookMillis int64      `json:"took_ms"`
	Status     int        `json:"status,omitempty"` // of the answer
	Size       int        `json:"size"`             // of its body, of which 16 KiB are read
	Answer     string     `json:"answer,omitempty"` // its body, for owners
	Error      string     `json:"error,omitempty"`
}
