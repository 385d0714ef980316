package curlew

import "time"

// DeliveryStatus is the life of a delivery.
type DeliveryStatus string

const (
	DeliveryPending   DeliveryStatus = "pending"
	DeliveryDelivered DeliveryStatus = "delivered"
	DeliveryDead      DeliveryStatus = "dead" // out of attempts; can be replayed
)

// Delivery is one outbox row per change and subscription, of e-mail one for each receiver. Its id is
// what the receiver sees, the same at every attempt.
type Delivery struct {
	ID           DeliveryID     `json:"id"`
	Org          OrgID          `json:"org"`
	Change       ChangeID       `json:"change_id"`
	Sequence     int64          `json:"sequence"` // of the change: deliveries keep its order
	Entity       EntityID       `json:"entity_id,omitempty"`
	Subscription SubscriptionID `json:"subscription_id"`
	Receiver     string         `json:"receiver,omitempty"` // of an e-mail
	Status       DeliveryStatus `json:"status"`
	Attempts     int            `json:"attempts"`
	LastError    string         `json:"last_error"`
	NextRetryAt  *time.Time     `json:"next_retry_at"`
	DeliveredAt  *time.Time     `json:"delivered_at"`
	CreatedAt    time.Time      `json:"created_at"`
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
