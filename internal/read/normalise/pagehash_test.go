package normalise

import "fmt"
import "testing"

const quietPage = `<!doctype html><html><head><title>A</title><meta name="csrf-token" content="1"></head>
<body class="b" id="a"><!-- built 10:00 --><p>One   two</p><script nonce="x">1</script>
<form><input type="hidden" name="csrf_token" value="111"><input name="q" value="s"></form></body></html>`

func TestThePageHashKnowsNoNoise(t *testing.T) {
	same := `<html><head><title>B</title><style>p{}</style><script>2</script></head>
<body id="a" nonce="77" class="b"><p>One
two</p><script nonce="y">2</script><form><input type="hidden" name="csrf_token" value="222"><input name="q" value="s"></form></body></html>`
	if HTMLHash([]byte(quietPage)) != HTMLHash([]byte(same)) {
		t.Error("noise changed the hash")
	}
	for i, other := range []string{
		`<body class="b" id="a"><p>One three</p><form><input name="q" value="s"></form></body>`,
		`<body class="c" id="a"><p>One two</p><form><input name="q" value="s"></form></body>`,
		`<body class="b" id="a"><div>One two</div><form><input name="q" value="s"></form></body>`, ``,
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if HTMLHash([]byte(other)) == HTMLHash([]byte(quietPage)) {
				t.Errorf("%s has the same hash", other)
			}
		})
	}
}

func FuzzHTMLHash(f *testing.F) {
	f.Add([]byte(quietPage))
	f.Add([]byte("<head><p>x<script>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		if a, b := HTMLHash(body), HTMLHash(body); a != b || len(a) != 64 {
			t.Fatalf("%s and %s", a, b)
		}
	})
}
