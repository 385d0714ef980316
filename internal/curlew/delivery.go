package curlew

import "time"

// DeliveryStatus is the life of a delivery.
type DeliveryStatus string

const (
	DeliveryPending   DeliveryStatus = "pending"
	DeliveryDelivered DeliveryStatus = "delivered"
	DeliveryDead      DeliveryStatus = "dead" // out of attempts; can be replayed
)

// Delivery is one outbox row per change and subscription.
type Delivery struct {
	ID           DeliveryID     `json:"id"`
	Org          OrgID          `json:"org"`
	Change       ChangeID       `json:"change_id"`
	Subscription SubscriptionID `json:"subscription_id"`
	Status       DeliveryStatus `json:"status"`
	Attempts     int            `json:"attempts"`
	LastError    string         `json:"last_error"`
	NextRetryAt  *time.Time     `json:"next_retry_at"`
	DeliveredAt  *time.Time     `json:"delivered_at"`
	CreatedAt    time.Time      `json:"created_at"`
}
