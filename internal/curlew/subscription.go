package curlew

import (
	"encoding/json"
	"time"
)

// Channel is how a delivery reaches its subscriber.
type Channel string

const (
	ChannelWebhook Channel = "webhook"
	ChannelSlack   Channel = "slack"
	ChannelEmail   Channel = "email"
)

// SubscriptionStatus is whether a subscription receives deliveries.
type SubscriptionStatus string

const (
	SubscriptionActive   SubscriptionStatus = "active"
	SubscriptionPaused   SubscriptionStatus = "paused"
	SubscriptionDisabled SubscriptionStatus = "disabled" // its endpoint failed for too long
)

// Subscription says who wants which change events where. Without a source and
// a watch it covers the whole org.
type Subscription struct {
	ID        SubscriptionID     `json:"id"`
	Org       OrgID              `json:"org"`
	Name      string             `json:"name"`
	Kinds     []ChangeKind       `json:"kinds"`
	Filter    json.RawMessage    `json:"filter,omitempty"`
	Source    SourceID           `json:"source_id,omitempty"`
	Watch     WatchID            `json:"watch_id,omitempty"`
	Channel   Channel            `json:"channel"`
	Target    json.RawMessage    `json:"target"`
	Status    SubscriptionStatus `json:"status"`
	CreatedAt time.Time          `json:"created_at"`
}
