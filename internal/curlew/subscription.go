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

	ChannelDiscord    Channel = "discord"
	ChannelTelegram   Channel = "telegram"
	ChannelTeams      Channel = "teams"
	ChannelMattermost Channel = "mattermost"
	ChannelNtfy       Channel = "ntfy"
	ChannelGotify     Channel = "gotify"
	ChannelPushover   Channel = "pushover"
	ChannelMatrix     Channel = "matrix"
	ChannelHTTP       Channel = "http" // plain text to an address
)

// Channels are all channels.
func Channels() []Channel {
	return []Channel{ChannelWebhook, ChannelSlack, ChannelEmail, ChannelDiscord, ChannelTelegram, ChannelTeams, ChannelMattermost, ChannelNtfy,
		ChannelGotify, ChannelPushover, ChannelMatrix, ChannelHTTP}
}

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
	ID      SubscriptionID  `json:"id"`
	Org     OrgID           `json:"org"`
	Name    string          `json:"name"`
	Kinds   []ChangeKind    `json:"kinds"`            // none means all
	Filter  string          `json:"filter,omitempty"` // an expression; see the package filter
	Source  SourceID        `json:"source_id,omitempty"`
	Watch   WatchID         `json:"watch_id,omitempty"`
	Channel Channel         `json:"channel"`
	Target  json.RawMessage `json:"target"`           // what the channel needs; see the package deliver
	Digest  string          `json:"digest,omitempty"` // cron or preset; "" means each change at once
	Pacing
	Status         SubscriptionStatus `json:"status"`
	Health         EndpointHealth     `json:"health"`
	CreatedAt      time.Time          `json:"created_at"`
	UnsubscribeKey string             `json:"-"` // from which the links to unsubscribe are made
}

// EndpointHealth is how the endpoint of a subscription does.
type EndpointHealth struct {
	LastSuccessAt *time.Time `json:"last_success_at,omitempty"`
	FailingSince  *time.Time `json:"failing_since,omitempty"`
	Failures      int        `json:"failures"`             // in a row
	RestUntil     *time.Time `json:"rest_until,omitempty"` // nothing is sent before
	LastError     string     `json:"last_error,omitempty"`
	DisabledWhy   string     `json:"disabled_why,omitempty"`
	NextDigestAt  *time.Time `json:"next_digest_at,omitempty"`

	Hours map[string]SentHour `json:"hours,omitempty"` // by receiver, "" where there is but one; only where there is a limit
}

// SentHour counts the messages of an hour.
type SentHour struct {
	Since time.Time `json:"since"`
	Sent  int       `json:"sent"`
}
