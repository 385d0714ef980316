package curlew

import "testing"

func TestThingsAreCountedInGoodEnglish(t *testing.T) {
	for want, got := range map[string]string{"1 page": Counted(1, "page"), "2 pages": Counted(2, "page"), "0 entities": Counted(0, "entity"), "1 entity": Counted(int64(1), "entity"),
		"3 deliveries": Counted(3, "delivery"), "2 days": Counted(2, "day"), "5 keys": Counted(5, "key"), "records": Noun(7, "record")} {
		t.Run(want, func(t *testing.T) {
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
