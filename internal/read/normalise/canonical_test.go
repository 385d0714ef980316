package normalise

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// numbersOfJSON are the samples of RFC 8785, appendix B: bits of a double, and its text.
var numbersOfJSON = []struct {
	bits uint64
	want string // "" is an error
}{
	{0x0000000000000000, "0"}, {0x8000000000000000, "0"}, {0x0000000000000001, "5e-324"}, {0x8000000000000001, "-5e-324"},
	{0x7fefffffffffffff, "1.7976931348623157e+308"}, {0xffefffffffffffff, "-1.7976931348623157e+308"}, {0x4340000000000000, "9007199254740992"},
	{0xc340000000000000, "-9007199254740992"}, {0x4430000000000000, "295147905179352830000"}, {0x7fffffffffffffff, ""}, {0x7ff0000000000000, ""},
	{0x44b52d02c7e14af5, "9.999999999999997e+22"}, {0x44b52d02c7e14af6, "1e+23"}, {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
	{0x444b1ae4d6e2ef4e, "999999999999999700000"}, {0x444b1ae4d6e2ef4f, "999999999999999900000"}, {0x444b1ae4d6e2ef50, "1e+21"},
	{0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"}, {0x3eb0c6f7a0b5ed8d, "0.000001"}, {0x41b3de4355555553, "333333333.3333332"},
	{0x41b3de4355555554, "333333333.33333325"}, {0x41b3de4355555555, "333333333.3333333"}, {0x41b3de4355555556, "333333333.3333334"},
	{0x41b3de4355555557, "333333333.33333343"}, {0xbecbf647612f3696, "-0.0000033333333333333333"}, {0x43143ff3c1cb0959, "1424953923781206.2"},
}

func TestNumbersAreWrittenAsTheStandardShows(t *testing.T) {
	for _, c := range numbersOfJSON {
		t.Run(c.want, func(t *testing.T) {
			got, err := CanonicalJSON(math.Float64frombits(c.bits))
			if string(got) != c.want || (err != nil) != (c.want == "") {
				t.Errorf("%016x: %s %v, want %s", c.bits, got, err, c.want)
			}
		})
	}
}

func TestObjectsAreWrittenAsTheStandardShows(t *testing.T) {
	cases := []struct{ in, want string }{
		{`{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001], "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}`,
			`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`},
		{`{"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"}`,
			"{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\",\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\",\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}"},
		{`[56, {"d": true, "10": null, "1": [ ]}]`, `[56,{"1":[],"10":null,"d":true}]`},
	}
	for _, c := range cases {
		t.Run(c.in, func(t *testing.T) {
			var v any
			if err := json.Unmarshal([]byte(c.in), &v); err != nil {
				t.Fatal(err)
			}
			got, err := CanonicalJSON(v)
			if err != nil || string(got) != c.want {
				t.Errorf("%s\n got %s %v\nwant %s", c.in, got, err, c.want)
			}
		})
	}
}

func TestWhatJSONCannotCarryIsRefused(t *testing.T) {
	loop := map[string]any{}
	loop["again"] = loop
	for name, v := range map[string]any{"infinite": math.Inf(1), "large": int64(1<<53 + 1), "bytes": "a\xff", "loop": loop, "function": func() {}, "number": json.Number("1e999")} {
		t.Run(name, func(t *testing.T) {
			if got, err := CanonicalJSON(v); !errors.Is(err, curlew.Code("not_canonical")) {
				t.Errorf("%s %v", got, err)
			}
		})
	}
}

func TestTheHashKnowsNoCosmetics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-zé]{1,6}`), 0, 8, rapid.ID).Draw(t, "keys")
		forward, backward := curlew.Values{}, curlew.Values{}
		for i, key := range keys {
			forward[norm.NFC.String(key)] = norm.NFC.String("é" + strconv.Itoa(i))
		}
		for i := len(keys) - 1; i >= 0; i-- {
			backward[norm.NFD.String(keys[i])] = norm.NFD.String("é" + strconv.Itoa(i))
		}
		if Hash(forward) != Hash(backward) {
			t.Fatalf("%v and %v differ", forward, backward)
		}
	})
	if Hash(curlew.Values{"a": "1"}) == Hash(curlew.Values{"a": "2"}) || Hash(nil) != Hash(curlew.Values{}) {
		t.Error("the hash does not tell values")
	}
	if Hash(curlew.Values{"a": int64(1<<53 + 1)}) == Hash(curlew.Values{"a": int64(1<<53 + 2)}) {
		t.Error("large integers collide")
	}
	if got := Hash(curlew.Values{}); got != "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a" {
		t.Errorf("the hash of nothing is %s", got) // SHA-256 of {}
	}
}

func FuzzCanonicalJSON(f *testing.F) {
	for _, seed := range []string{`{"b":1,"a":[1.5,null,"x"]}`, `"\ud800"`, `[1e400]`, `{"a":{"a":{}}}`, strings.Repeat("[", 600) + strings.Repeat("]", 600)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var v any
		if json.Unmarshal([]byte(text), &v) != nil {
			return
		}
		once, err := CanonicalJSON(v)
		if err != nil {
			return
		}
		var again any
		if err := json.Unmarshal(once, &again); err != nil {
			t.Fatalf("%q is no JSON: %v", once, err)
		}
		if twice, err := CanonicalJSON(again); err != nil || string(twice) != string(once) {
			t.Fatalf("%q became %q %v", once, twice, err)
		}
	})
}
