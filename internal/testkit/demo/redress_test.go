package demo

import (
	"strings"
	"testing"
)

func TestRedressLeavesTextAlone(t *testing.T) {
	cases := []string{
		`<p class="a" id=b data-x='>"<'>one <b>two</b>three</p>`,
		"<pre class=x id=y>\n\n kept \n</pre>\n<ul>\n<li>a</li>\n</ul>",
		`<script type="a" src="b">if (a<b && "<p id=1 class=2>") {}</script><img src="x" alt="" />`,
		`<TD NOWRAP WIDTH=10%>1 < 2 & 3 > 2</TD><!-- <p a=1 b=2> -->`,
		`<div`, `<`, `a <div class="x`, `</p>`,
	}
	for _, markup := range cases {
		t.Run(markup, func(t *testing.T) {
			dressed := string(redress([]byte(markup), roll(1, markup)))
			if textOf(dressed) != textOf(markup) {
				t.Errorf("%q became %q", markup, dressed)
			}
		})
	}
}

func TestRedressMovesAttributesAndWhiteSpace(t *testing.T) {
	markup := strings.Repeat("<div a=\"1\" b=\"2\" c=\"3\">\n<p>x</p>\n</div>\n", 10)
	one, two := redress([]byte(markup), roll(1)), redress([]byte(markup), roll(2))
	if string(one) == string(two) || string(one) == markup {
		t.Error("drift left the markup as it was")
	}
	if string(one) != string(redress([]byte(markup), roll(1))) {
		t.Error("the same drift gave other bytes")
	}
	if got := strings.Count(string(one), `b="2"`); got != 10 {
		t.Errorf("%d of 10 attributes are left", got)
	}
}
