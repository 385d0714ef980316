package onboard

import (
	"bytes"
	"image"
	"image/png"
	"io"
	"slices"
	"testing"

	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/read/dom"
)

func TestTheIconsOfAPage(t *testing.T) {
	const unasked = "https://example.org/favicon.ico"
	for name, c := range map[string]struct {
		head string
		want []string
	}{
		"for a tab":               {`<link rel="shortcut icon" href="/favicon.ico">`, []string{unasked}},
		"before that for a phone": {`<link rel="apple-touch-icon" href="/big.png"><link rel="icon" href="small.png">`, []string{"https://example.org/news/small.png", "https://example.org/big.png", unasked}},
		"for a phone":             {`<link rel="apple-touch-icon" href="//cdn.example.org/big.png">`, []string{"https://cdn.example.org/big.png", unasked}},
		"not a drawing":           {`<link rel="icon" href="/i.svg"><link rel="icon" href="/i.png">`, []string{"https://example.org/i.png", unasked}},
		"not within the address":  {`<link rel="icon" href="data:image/png;base64,AAAA">`, []string{unasked}},
		"none named":              {`<link rel="stylesheet" href="/a.css">`, []string{unasked}},
	} {
		t.Run(name, func(t *testing.T) {
			page := "<html><head><title>News</title>" + c.head + "</head><body><p>News</p></body></html>"
			if got := iconsOf(dom.New([]byte(page), "https://example.org/news/")); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestAnIconIsAWholePicture(t *testing.T) {
	var drawn bytes.Buffer
	if err := png.Encode(&drawn, image.NewGray(image.Rect(0, 0, 16, 16))); err != nil {
		t.Fatal(err)
	}
	var huge bytes.Buffer
	if err := png.Encode(&huge, image.NewGray(image.Rect(0, 0, 2000, 2000))); err != nil {
		t.Fatal(err)
	}
	icon := []byte("\x00\x00\x01\x00\x01\x00" + "\x10\x10\x00\x00\x01\x00\x20\x00" + "\x04\x00\x00\x00" + "\x16\x00\x00\x00" + "bits")
	for name, c := range map[string]struct {
		body []byte
		want string
	}{
		"a PNG":                        {drawn.Bytes(), "image/png"},
		"half a PNG":                   {drawn.Bytes()[:drawn.Len()-20], ""},
		"a PNG of too many pixels":     {huge.Bytes(), ""},
		"an icon file":                 {icon, "image/x-icon"},
		"an icon file cut off":         {icon[:len(icon)-1], ""},
		"the beginning of an icon":     {icon[:4], ""},
		"a page that says not found":   {[]byte("<html><body>Not found</body></html>"), ""},
		"nothing":                      {nil, ""},
		"more bytes than a small icon": {append(icon, make([]byte, largestPicture)...), ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			if p := pictureOf(slices.Clip(c.body)); p != nil {
				got = p.Type
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestAPictureThatBreaksItsReaderIsNone(t *testing.T) {
	image.RegisterFormat("breaking", "BM breaks", func(io.Reader) (image.Image, error) { panic("a broken table") },
		func(io.Reader) (image.Config, error) { panic("a broken head") })
	before := guard.Panics()[guard.Picture]
	if p := pictureOf([]byte("BM breaks its reader")); p != nil {
		t.Errorf("got %v", p)
	}
	if n := guard.Panics()[guard.Picture] - before; n != 1 {
		t.Errorf("counted %d panics", n)
	}
}
