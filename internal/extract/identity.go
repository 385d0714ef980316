package extract

import (
	"net/url"
	"strings"
)

// leastAlike is how many addresses must agree on a parameter for it to tell nothing
// about any of them.
const leastAlike = 3

// settleIDs takes out of the addresses that name records what is the same in all of
// them: "?ref=list-5ace" says how somebody came, and says something else tomorrow.
func settleIDs(readings []ReadRecord) {
	parsed := make([]*url.URL, len(readings))
	count, shared := 0, map[string]int{}
	for i, r := range readings {
		id := r.Record.ExternalID
		if !strings.HasPrefix(id, "http://") && !strings.HasPrefix(id, "https://") {
			continue
		}
		u, err := url.Parse(id)
		if err != nil {
			continue
		}
		parsed[i] = u
		count++
		for pair := range strings.SplitSeq(u.RawQuery, "&") {
			shared[pair]++
		}
	}
	if count < leastAlike {
		return
	}
	names := map[string]int{}
	for i, u := range parsed {
		if u == nil || u.RawQuery == "" {
			continue
		}
		var kept []string
		for pair := range strings.SplitSeq(u.RawQuery, "&") {
			if shared[pair] < count {
				kept = append(kept, pair)
			}
		}
		u.RawQuery = strings.Join(kept, "&")
		names[u.String()]++
		if names[u.String()] == 1 {
			readings[i].Record.ExternalID = u.String()
		}
	}
}
