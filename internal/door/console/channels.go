package console

import (
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/work/deliver"
)

// channelWords are what people call the channels.
var channelWords = map[curlew.Channel]string{
	curlew.ChannelWebhook: "Webhook: signed JSON to your URL",
	curlew.ChannelSlack:   "Slack, or a compatible chat",
	curlew.ChannelEmail:   "E-mail", curlew.ChannelDiscord: "Discord", curlew.ChannelTelegram: "Telegram",
	curlew.ChannelTeams:      "Microsoft Teams",
	curlew.ChannelMattermost: "Mattermost", curlew.ChannelNtfy: "ntfy", curlew.ChannelGotify: "Gotify", curlew.ChannelPushover: "Pushover",
	curlew.ChannelMatrix: "Matrix", curlew.ChannelHTTP: "HTTP: plain text to your URL",
}

type chatAddress struct{ Name, Address string }

// chatAddresses are what the addresses of chats look like, in the order of the channels.
func chatAddresses() (all []chatAddress) {
	for _, c := range curlew.Channels() {
		if address := deliver.ChatAddresses[c]; address != "" {
			all = append(all, chatAddress{channelWords[c], address})
		}
	}
	return all
}
