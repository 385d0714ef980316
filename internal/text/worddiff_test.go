package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/testkit/growth"
)

func TestOnlyTheWordsThatDifferAreMarked(t *testing.T) {
	long := strings.Repeat("The county declined to comment. ", 20)
	for _, c := range []struct{ name, before, after, want string }{
		{"a word", "The trust hopes to raise the rest by summer.", "The trust hopes to raise the rest by autumn.", "The trust hopes to raise the rest by [-summer-] {+autumn+}."},
		{"more at the end", "Built on request by our own mechanics.", "Built on request by our own mechanics. Five years of warranty.", "Built on request by our own mechanics. {+Five years of warranty.+}"},
		{"deep in a long text", long + "It rains. " + long, long + "It snows. " + long, "… county declined to comment. It [-rains-] {+snows+}. The county declined to comment …"},
		{"two places", "One small plot for each of the twelve families of the street, and a shed for the tools.", "One large plot for each of the twelve families of the street, and a shed for the bikes.",
			"One [-small-] {+large+} plot for each of the twelve families of the street, and a shed for the [-tools-] {+bikes+}."},
		{"hardly anything between", "red fox and blue hare in the wide open field", "old fox and grey hare in the wide open field", "[-red fox and blue-] {+old fox and grey+} hare in the wide open field"},
		{"numbers stay whole", "Doors at 19:30, from 12.50 EUR, in the large hall", "Doors at 20:30, from 12.50 EUR, in the large hall", "Doors at [-19:30-] {+20:30+}, from 12.50 EUR, in the large hall"},
		{"the same twice over", "a b a b", "a b a b", "a b a b"},
		{"right to left", "مهرجان الربيع في المدينة القديمة غدا", "مهرجان الربيع في المدينة الجديدة غدا", "مهرجان الربيع في المدينة [-القديمة-] {+الجديدة+} غدا"},
		{"without spaces", "今日の公演は中止となりました。詳しくはお問い合わせください。", "明日の公演は中止となりました。詳しくはお問い合わせください。", "[-今-]{+明+}日の公演は中止となりました。詳しくはお問い合わせください。"},
		{"an accent is never torn off", "cafe\u0301 noir et the\u0301 vert ce soir", "cafe\u0301 noir et the\u0301 noir ce soir", "cafe\u0301 noir et the\u0301 [-vert-] {+noir+} ce soir"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := MarkedDiff(c.before, c.after); got != c.want {
				t.Errorf("%s, want\n%s", got, c.want)
			}
		})
	}
}

func TestADifferenceOfHostileTextsIsSmall(t *testing.T) {
	fill := growth.Fill
	for name, pair := range map[string][2]func(int) string{
		"a word without end": {fill("", "x", "a"), fill("", "x", "b")},
		"many words":         {fill("", "a ", "b"), fill("", "b ", "a")},
		"alternating":        {fill("", "a b ", ""), fill("", "b a ", "c")},
		"marks upon marks":   {fill("e", "\u0301", " one"), fill("e", "\u0301", " two")},
		"broken UTF-8":       {fill("", "\xff\xc3 ", "a"), fill("", "\xff\xc3 ", "b")},
		"signs only":         {fill("", "。", ""), fill("。", "。", "")},
	} {
		t.Run(name, func(t *testing.T) {
			growth.Check(t, 200_000, func(size int) func() {
				before, after := pair[0](size/2), pair[1](size/2)
				return func() {
					shown := MarkedDiff(strings.ToValidUTF8(before, "�"), strings.ToValidUTF8(after, "�"))
					if n := utf8.RuneCountInString(shown); n > 1000 || !utf8.ValidString(shown) {
						t.Errorf("%d characters are shown", n)
					}
				}
			})
		})
	}
	if shown := MarkedDiff("", ""); shown != "" {
		t.Errorf("nothing differs by %q", shown)
	}
}

func FuzzWordDiff(f *testing.F) {
	f.Add("The trust hopes to raise it by summer.", "The trust hopes to raise it by autumn.")
	f.Add("今日の公演", "明日の公演は")
	f.Add("e\u0301\u200d", "\u0301")
	f.Fuzz(func(t *testing.T, before, after string) {
		before, after = strings.ToValidUTF8(before, ""), strings.ToValidUTF8(after, "")
		went, came := "", ""
		for _, p := range WordDiff(before, after) {
			switch p.Is {
			case Dropped:
				went += p.Text
			case Added:
				came += p.Text
			}
			if p.Text == "" {
				t.Error("a part without text")
			}
		}
		if before == after && went+came != "" {
			t.Errorf("%q is told as a change of nothing: %q %q", before, went, came)
		}
	})
}

func TestTheSidesOfADifferenceAreShort(t *testing.T) {
	long := strings.Repeat("The county declined to comment. ", 200)
	old, now, ok := DiffSides(long+"It rains. "+long, long+"It snows. "+long)
	if !ok || old != "… county declined to comment. It rains. The county declined to comment …" || now != strings.Replace(old, "rains", "snows", 1) {
		t.Errorf("%q, %q, %v", old, now, ok)
	}
	if _, _, ok := DiffSides("one two three", "four five six"); ok {
		t.Error("texts with nothing in common have a difference by words")
	}
}
