package publish

import (
	"testing"

	"curlew/internal/curlew"
)

func TestWhatCountsAttentionAndWhatDoesNot(t *testing.T) {
	for _, c := range []struct {
		before, after any
		want          bool
	}{
		{"52 min · 1320 escuchas", "52 min · 1321 escuchas", true},
		{"89 Comments · 5523 views", "1 Comment · 5,600 views", true},
		{"27 people reacted", "31 people reacted", true},
		{"1.2k views", "2m views", true},
		{"Gelesen: 12", "Gelesen: 14", true},
		{"12 личных просмотров", "14 личных просмотров", true},
		{"89条评论", "90条评论", true},
		{"12", "14", false},
		{"4 places left", "2 places left", false},
		{"€ 12", "€ 14", false},
		{"12 reviews by Ann", "14 reviews by Ann", false},
		{"5 comments", "comments closed", false},
		{"5 comments by Ann", "6 comments by Ben", false},
		{int64(5), int64(6), false},
	} {
		if got := CountsAttention("slots.number", c.before, c.after); got != c.want {
			t.Errorf("%v → %v: %v", c.before, c.after, got)
		}
	}
}

func TestTheHeadOfAColumnTellsWhatItsNumbersCount(t *testing.T) {
	for slot, want := range map[string]bool{
		"slots.wyświetlenia": true, "slots.views": true, "slots.view_count": true, "slots.replies": true, "slots.stock": false, "slots.price": false,
	} {
		if got := CountsAttention(slot, "1 212", "1 215"); got != want {
			t.Errorf("%s: %v", slot, got)
		}
	}
	if CountsAttention("slots.views", "€ 12", "€ 14") || CountsAttention("slots.views", "of the sea", "of the sky") {
		t.Error("other values counted")
	}
}

func TestASlotThatCountsAttentionIsTakenOverWithoutAWord(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	post := func(counts string) []SeenRecord {
		return []SeenRecord{thing("1", "title", "Tides", "slots", map[string]any{"number": counts})}
	}
	restless := func(o *CheckResult) { o.Restless = map[string]bool{"slots.number": true} }
	w.see(post("5 comments"))
	w.expect(w.see(post("6 comments"), restless))
	w.expect(w.see(post("comments closed"), restless), "changed Tides slots.number:6 comments→comments closed")
	w.see(post("7 comments"))
	w.expect(w.see(post("8 comments")), "changed Tides slots.number:7 comments→8 comments")
}
