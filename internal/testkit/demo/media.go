package demo

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"strings"
	"sync"
	"text/template"
	"unicode/utf8"
)

// drawing is what the templates of pictures see.
type drawing struct {
	Hue, Near             int
	X, Y                  int
	Width, Height, Length int
	Title                 string
}

var drawings = sync.OnceValue(func() *template.Template {
	all := template.New("drawings")
	for _, file := range []string{"chrome/logo.svg", "chrome/ad.svg", "chrome/picture.svg", "concerts/picture.svg", "news/picture.svg",
		"shop/picture.svg"} {
		source, err := templates.ReadFile("templates/" + file)
		if err != nil {
			panic(err) // embedded: only missing if we forgot it
		}
		template.Must(all.New(file).Parse(string(source)))
	}
	return all
})

// mediaPage draws a picture: an SVG by default, a PNG when asked for one.
func mediaPage(s scene, r *http.Request) page {
	file := r.PathValue("file")
	d := roll(s.seed, "media", s.card.Name, file)
	if strings.HasSuffix(file, ".png") {
		return page{kind: "image/png", body: smallPNG(d.IntN(360))}
	}
	art := drawing{Hue: d.IntN(360), X: d.between(90, 300), Y: d.between(340, 560)}
	art.Near = (art.Hue + 40) % 360
	name := s.artwork(file, &art)
	var svg bytes.Buffer
	if err := drawings().ExecuteTemplate(&svg, name, art); err != nil {
		return page{status: http.StatusInternalServerError, kind: "text/plain; charset=utf-8", body: []byte(err.Error())}
	}
	return page{kind: "image/svg+xml", body: svg.Bytes()}
}

// artwork says which drawing a file is, and gives logos and advertisements
// their size.
func (s scene) artwork(file string, art *drawing) string {
	sizes := map[string][2]int{"ad.svg": {728, 90}, "ad2.svg": {300, 250}, "square.svg": {250, 250}, "banner.svg": {160, 600}}
	if size, known := sizes[file]; known {
		art.Width, art.Height = size[0], size[1]
		return "chrome/ad.svg"
	}
	if file == "logo.svg" {
		art.Title, _, _ = strings.Cut(s.card.Title, " — ")
		art.Length = 11 * utf8.RuneCountInString(art.Title)
		art.Width = art.Length + 64
		return "chrome/logo.svg"
	}
	if own := s.card.Name + "/picture.svg"; drawings().Lookup(own) != nil {
		return own
	}
	return "chrome/picture.svg"
}

// smallPNG is a hilly landscape under a sky of the given hue.
func smallPNG(hue int) []byte {
	const width, height = 320, 200
	palette := color.Palette{}
	for i := range 8 {
		palette = append(palette, color.RGBA{byte(90 + hue/4 + 8*i), byte(150 + 10*i), byte(220 - hue/4 + 4*i), 255})
	}
	palette = append(palette, color.RGBA{byte(60 + hue/6), byte(120 - hue/8), 90, 255},
		color.RGBA{byte(30 + hue/8), byte(80 - hue/9), 70, 255})
	img := image.NewPaletted(image.Rect(0, 0, width, height), palette)
	for i := range img.Pix {
		x, y := i%width, i/width
		far, near := 120-(x+hue)%160*(160-(x+hue)%160)/130, 185-(x+3*hue)%240*(240-(x+3*hue)%240)/260
		switch {
		case y > near:
			img.Pix[i] = 9
		case y > far:
			img.Pix[i] = 8
		default:
			img.Pix[i] = byte(y / 16 % 8)
		}
	}
	var out bytes.Buffer
	_ = png.Encode(&out, img) // a buffer takes everything
	return out.Bytes()
}

func iconPage(scene, *http.Request) page { return page{kind: "image/png", body: smallPNG(120)} }

// assetPage is the style sheet of the design, or a script that does nothing of
// interest.
func assetPage(s scene, r *http.Request) page {
	if strings.HasSuffix(r.PathValue("file"), ".css") {
		css, err := s.sheet()
		if err != nil {
			return page{status: http.StatusInternalServerError, kind: "text/plain; charset=utf-8", body: []byte(err.Error())}
		}
		return page{kind: "text/css; charset=utf-8", body: css}
	}
	script, err := templates.ReadFile("templates/chrome/script.js")
	if err != nil {
		panic(err)
	}
	return page{kind: "text/javascript; charset=utf-8", body: script}
}

// PDF is the smallest document that a reader opens, with a few lines of text.
func PDF(lines ...string) []byte {
	stream := "BT /F1 12 Tf 72 720 Td"
	for _, line := range lines {
		stream += " (" + strings.NewReplacer("(", " ", ")", " ", `\`, " ").Replace(line) + ") Tj 0 -30 Td"
	}
	stream += " ET"
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
