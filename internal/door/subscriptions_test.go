package door_test

import (
	"net/url"
	"strings"
)

func subscriptionAttempts() []attempt {
	add := func(name, flag, field, value, body string, want outcome) attempt {
		a := attempt{name: name, cli: []string{"subscriptions", "add", "--channel", "webhook", "--to", "https://example.org/in", flag, value},
			rest: "POST /subscriptions", body: `{"channel":"webhook","to":["https://example.org/in"],"` + field + `":` + body + `}`,
			page: "/subscriptions", want: want, fields: url.Values{"do": {"save"}, "channel": {"webhook"}, "to": {"https://example.org/in"},
				"pick": {"now"}, "as": {"text"}, field: {value}}}
		if want == (outcome{}) {
			a.audit = "subscribe"
		}
		return a
	}
	text := func(value string) string { return `"` + value + `"` }
	return []attempt{
		add("a settle time", "--settle", "settle", "10m", text("10m"), outcome{}),
		add("a settle time of days", "--settle", "settle", "72h", text("72h"), bad("settle", "write a time of up to a day, such as 10m or 2h")),
		add("a settle time that is none", "--settle", "settle", "soon", text("soon"), bad("settle", "write a time of up to a day, such as 10m or 2h")),
		add("quiet hours", "--quiet", "quiet", "22:00-07:00 Europe/Oslo", text("22:00-07:00 Europe/Oslo"), outcome{}),
		add("quiet hours of no place", "--quiet", "quiet", "22:00-07:00 Oslo", text("22:00-07:00 Oslo"),
			bad("quiet", `unknown time zone "Oslo": write it as Europe/Oslo`)),
		add("quiet hours that never end", "--quiet", "quiet", "22:00-22:00", text("22:00-22:00"),
			bad("quiet", "quiet hours that begin when they end leave no time to send anything")),
		add("five messages an hour", "--at-most", "at_most", "5", "5", outcome{}),
		add("too many messages an hour", "--at-most", "at_most", "100001", "100001", bad("at_most", "it must be from 0 to 100000")),
		add("too long quiet hours", "--quiet", "quiet", strings.Repeat("9", 101), text(strings.Repeat("9", 101)), bad("quiet", "it is longer than 100 characters")),
	}
}
