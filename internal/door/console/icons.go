package console

import (
	"errors"
	"fmt"
	"hash/fnv"
	"html/template"
	"net/http"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
)

// icons are drawn on a square of 24; they stand beside words and never alone.
var icons = map[string]string{
	"":              "M4 13h6V4H4zM14 20h6V11h-6zM14 8h6V4h-6zM4 20h6v-4H4z",
	"changes":       "M3 12h4l3-8 4 16 3-8h4",
	"entities":      "M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5",
	"sources":       "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
	"watches":       "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
	"candidates":    "M12 5v14M5 12h14",
	"blueprints":    "M4 4h16v16H4zM4 9h16M9 9v11",
	"kinds":         "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
	"heals":         "M12 20s-8-5-8-11a4.5 4.5 0 0 1 8-2.8A4.5 4.5 0 0 1 20 9c0 6-8 11-8 11z",
	"subscriptions": "M6 16V11a6 6 0 1 1 12 0v5l2 2H4zM10 21h4",
	"deliveries":    "M21 4L3 11l7 3 3 7zM10 14l4-4",
	"runs":          "M7 4l12 8-12 8z",
	"monitor":       "M4 19a9 9 0 1 1 16 0M12 14l4-5",
	"settings":      "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4",
	"users":         "M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 21c0-4 3-6 7-6s7 2 7 6M17 4a4 4 0 0 1 0 7M19 15c2 1 3 3 3 6",
	"keys":          "M15 3a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM11 13l-8 8M6 18l2 2",
	"usage":         "M4 20V10M10 20V4M16 20v-8M22 20H2",
}

// icon draws the icon of a section; one without its own gets a dot.
func icon(section string) template.HTML {
	path, known := icons[section]
	if !known {
		path = "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z"
	}
	return template.HTML(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="` + path + `"/></svg>`) // of ours alone
}

// goKeys are what follows the key g to go to a section.
var goKeys = map[string]string{"": "d", "changes": "c", "entities": "e", "sources": "s", "watches": "w", "candidates": "a",
	"blueprints": "b", "kinds": "k", "heals": "l",
	"subscriptions": "u", "deliveries": "y", "runs": "r", "monitor": "m", "settings": "t"}

// tile is the drawn picture of something that has none: the first letter of its name on
// one of a few grounds, always the same for a name.
type tile struct {
	Letter string
	Tone   uint32
}

// tileTones is how many grounds the style has for tiles.
const tileTones = 5

func tileOf(name string) tile {
	t := tile{Letter: "?"}
	for _, r := range clean(name) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			t.Letter = string(unicode.ToUpper(r))
			break
		}
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(name))
	t.Tone = h.Sum32() % tileTones
	return t
}

// tileGrounds are the grounds of tiles in pictures, which know no theme.
var tileGrounds = [tileTones]string{"#2f6fb3", "#2e7d4f", "#b3432f", "#946200", "#6a4fb3"}

// picture draws the tile by itself.
func (t tile) picture() curlew.Picture {
	return curlew.Picture{Type: "image/svg+xml", Body: fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">`+
		`<rect width="32" height="32" rx="7" fill="%s"/><text x="16" y="23" font-family="sans-serif" font-size="19" font-weight="700" `+
		`text-anchor="middle" fill="#fff">%s</text></svg>`, tileGrounds[t.Tone], template.HTMLEscapeString(t.Letter))}
}

// showSitePicture serves the picture of a source's site, or its tile where there is none.
func (c *Console) showSitePicture(w http.ResponseWriter, r *http.Request) {
	v, err := c.visit(r)
	if err != nil {
		c.fail(w, r, err)
		return
	}
	id := curlew.SourceID(r.PathValue("id"))
	picture, err := v.read.Sources().Picture(r.Context(), id)
	if errors.Is(err, curlew.ErrNotFound) {
		var source curlew.Source
		source, err = v.read.Sources().Get(r.Context(), id)
		picture = tileOf(source.Name).picture()
	}
	if err != nil {
		c.fail(w, r, err)
		return
	}
	h := w.Header()
	guard(h)
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	h.Set("Content-Type", picture.Type)
	h.Set("Cache-Control", "private, max-age=3600")
	_, _ = w.Write(picture.Body) // the reader may have gone
}
