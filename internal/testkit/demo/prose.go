package demo

import "strings"

// prose is plain sentences, by language, that fit under almost anything, and by
// subject where a site needs its own.
var prose = embedded[map[string][]string]("chrome/prose.json")

// sentences draws filler text.
func sentences(d *dice, lang string, count int) string {
	return strings.Join(picks(d, prose()[lang], count), " ")
}

// thorny puts in place of every so many titles one that breaks careless markup: quotes,
// ampersands, things that look like tags, emoji, right-to-left script.
func thorny(title string, n, every, at int) string {
	if n%every != at {
		return title
	}
	all := prose()["thorny"]
	return all[n/every%len(all)]
}
