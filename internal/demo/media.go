package demo

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"strings"
)

// mediaPage draws a picture: an SVG by default, a PNG when asked for one.
func mediaPage(s scene, r *http.Request) page {
	file := r.PathValue("file")
	hue := roll(s.seed, "media", file).IntN(360)
	if strings.HasSuffix(file, ".png") {
		return page{kind: "image/png", body: smallPNG(hue)}
	}
	svg := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400" viewBox="0 0 640 400">`+
		`<rect width="640" height="400" fill="hsl(%d 45%% 82%%)"/><circle cx="%d" cy="210" r="120" fill="hsl(%d 55%% 55%%)"/>`+
		`<path d="M0 330 Q160 %d 320 330 T640 330 V400 H0Z" fill="hsl(%d 40%% 35%%)"/></svg>`, hue, 160+hue, hue+40, 230+hue/6, hue+180)
	return page{kind: "image/svg+xml", body: []byte(svg)}
}

func smallPNG(hue int) []byte {
	palette := color.Palette{color.RGBA{byte(hue), 180, byte(255 - hue/2), 255}, color.RGBA{240, byte(hue / 2), 90, 255}}
	img := image.NewPaletted(image.Rect(0, 0, 64, 48), palette)
	for i := range img.Pix {
		img.Pix[i] = byte((i/64 + i%64 + hue) / 9 % 2)
	}
	var out bytes.Buffer
	_ = png.Encode(&out, img) // a buffer takes everything
	return out.Bytes()
}

func iconPage(scene, *http.Request) page { return page{kind: "image/png", body: smallPNG(120)} }

// assetPage is a style sheet or a script that does nothing of interest.
func assetPage(s scene, r *http.Request) page {
	if strings.HasSuffix(r.PathValue("file"), ".css") {
		return page{kind: "text/css; charset=utf-8", body: []byte(s.Style())}
	}
	return page{kind: "text/javascript; charset=utf-8", body: []byte(`(function(w,d){"use strict";w.dataLayer=w.dataLayer||[];` +
		`d.addEventListener("click",function(e){var b=e.target.closest("[data-consent]");if(!b)return;var c=d.querySelector("[data-consent-root]");if(c)c.remove();});})(window,document);`)}
}

// pdf is the smallest document that a reader opens, with one line of text.
func pdf(line string) []byte {
	line = strings.NewReplacer("(", " ", ")", " ", `\`, " ").Replace(line)
	stream := "BT /F1 12 Tf 72 720 Td (" + line + ") Tj ET"
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(stream), stream),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	}
	var out bytes.Buffer
	out.WriteString("%PDF-1.4\n")
	offsets := make([]int, len(objects))
	for i, object := range objects {
		offsets[i] = out.Len()
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	table := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&out, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&out, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table)
	return out.Bytes()
}
