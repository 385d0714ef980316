package feeds

import (
	"math"
	"strings"

	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/ledongthuc/pdf"
)

// pdfMatrix moves and stretches what is drawn: x' = a·x + c·y + e, y' = b·x + d·y + f.
type pdfMatrix [6]float64

var unmoved = pdfMatrix{1, 0, 0, 1, 0, 0}

// mul is m, then n.
func (m pdfMatrix) mul(n pdfMatrix) pdfMatrix {
	return pdfMatrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// pdfState is how text is written.
type pdfState struct {
	font                       *pdfFont
	size, scale, leading       float64
	betweenSigns, betweenWords float64
	at, line, page             pdfMatrix
}

// pdfWriter follows the commands of a page that write text. The library has such a
// follower too, which knows no widths of the fonts that most programs embed, no forms, and
// gives up at the first wrong command.
type pdfWriter struct {
	pdfState
	saved []pdfState
	fonts pdf.Value // the resources by name
	forms pdf.Value
	known map[string]*pdfFont
	depth int
	lines []pdfLine
	size  int
	most  int // bytes
}

// page reads a page; what a broken command ends is kept as far as it came.
func (w *pdfWriter) page(p pdf.Page) {
	w.pdfState = pdfState{scale: 1, at: unmoved, line: unmoved, page: unmoved}
	w.follow(p.V.Key("Contents"), p.Resources())
}

// follow reads a page or a form. The library panics at what is broken.
func (w *pdfWriter) follow(commands, resources pdf.Value) {
	fonts, forms, known := w.fonts, w.forms, w.known
	w.fonts, w.forms, w.known = resources.Key("Font"), resources.Key("XObject"), map[string]*pdfFont{}
	w.depth++
	_ = guard.Read(guard.File, "", func() error { // what came before stays
		pdf.Interpret(commands, w.command)
		return nil
	})
	w.depth--
	w.fonts, w.forms, w.known = fonts, forms, known
}

func (w *pdfWriter) command(stack *pdf.Stack, command string) {
	args := make([]pdf.Value, stack.Len())
	for i := len(args) - 1; i >= 0; i-- {
		args[i] = stack.Pop()
	}
	if w.size > w.most {
		panic(guard.ErrEnough)
	}
	w.do(command, args)
}

func (w *pdfWriter) do(command string, args []pdf.Value) {
	switch command {
	case "q":
		if len(w.saved) < mostPDFNodes {
			w.saved = append(w.saved, w.pdfState)
		}
	case "Q":
		if n := len(w.saved) - 1; n >= 0 {
			w.pdfState, w.saved = w.saved[n], w.saved[:n]
		}
	case "cm":
		w.pdfState.page = matrixOf(args).mul(w.pdfState.page)
	case "Do":
		w.form(args)
	case "Tf":
		if len(args) == 2 {
			w.font, w.pdfState.size = w.fontNamed(args[0].Name()), args[1].Float64()
		}
	default:
		w.text(command, args)
	}
}

// text follows the commands between BT and ET.
func (w *pdfWriter) text(command string, args []pdf.Value) {
	numbers := make([]float64, max(6, len(args)))
	for i, a := range args {
		if k := a.Kind(); k == pdf.Integer || k == pdf.Real {
			numbers[i] = a.Float64()
		}
	}
	switch command {
	case "BT":
		w.at, w.line = unmoved, unmoved
	case "Tm":
		w.line = matrixOf(args)
		w.at = w.line
	case "Td":
		w.move(numbers[0], numbers[1])
	case "TD":
		w.leading = -numbers[1]
		w.move(numbers[0], numbers[1])
	case "T*":
		w.move(0, -w.leading)
	case "'", `"`:
		w.move(0, -w.leading)
		w.show(args)
	case "Tj":
		w.show(args)
	case "TJ":
		w.showSpaced(args)
	default:
		w.set(command, numbers[0])
	}
}

// set follows the commands that say how texts are spaced.
func (w *pdfWriter) set(command string, to float64) {
	switch command {
	case "TL":
		w.leading = to
	case "Tc":
		w.betweenSigns = to
	case "Tw":
		w.betweenWords = to
	case "Tz":
		w.scale = to / 100
	}
}

// form reads what a page takes in from elsewhere.
func (w *pdfWriter) form(args []pdf.Value) {
	if len(args) != 1 || w.depth > deepestPDF {
		return
	}
	form := w.forms.Key(args[0].Name())
	if form.Key("Subtype").Name() != "Form" {
		return
	}
	before := w.pdfState
	if m := form.Key("Matrix"); m.Len() == 6 {
		var moved pdfMatrix
		for i := range moved {
			moved[i] = m.Index(i).Float64()
		}
		w.pdfState.page = moved.mul(w.pdfState.page)
	}
	w.follow(form, form.Key("Resources"))
	w.pdfState = before
}

func matrixOf(args []pdf.Value) pdfMatrix {
	if len(args) != 6 {
		return unmoved
	}
	var m pdfMatrix
	for i := range m {
		m[i] = args[i].Float64()
	}
	return m
}

func (w *pdfWriter) move(x, y float64) {
	w.line = pdfMatrix{1, 0, 0, 1, x, y}.mul(w.line)
	w.at = w.line
}

func (w *pdfWriter) advance(x float64) { w.at = pdfMatrix{1, 0, 0, 1, x, 0}.mul(w.at) }

func (w *pdfWriter) showSpaced(args []pdf.Value) {
	if len(args) != 1 {
		return
	}
	for i := range args[0].Len() {
		if part := args[0].Index(i); part.Kind() == pdf.String {
			w.show([]pdf.Value{part})
		} else {
			w.advance(-part.Float64() / 1000 * w.pdfState.size * w.scale)
		}
	}
}

// show writes a text where the last one ended.
func (w *pdfWriter) show(args []pdf.Value) {
	if len(args) == 0 || w.font == nil {
		return
	}
	raw := args[len(args)-1].RawString()
	written := w.font.decode(raw)
	place := w.at.mul(w.pdfState.page)
	height := math.Hypot(place[2], place[3]) * math.Abs(w.pdfState.size)
	units, signs := w.font.width(raw)
	across := (units/1000*w.pdfState.size + float64(signs)*w.betweenSigns + float64(strings.Count(raw, " "))*w.betweenWords) * w.scale
	w.advance(across)
	end := w.at.mul(w.pdfState.page)
	w.put(pdfLine{text: written, left: place[4], right: end[4], y: place[5], height: height})
}

// put adds a text to its line, with a space where there is a gap.
func (w *pdfWriter) put(p pdfLine) {
	w.size += len(p.text)
	n := len(w.lines) - 1
	if n < 0 || math.Abs(w.lines[n].y-p.y) > 0.4*max(p.height, w.lines[n].height) || p.left < w.lines[n].left-p.height {
		w.lines = append(w.lines, p)
		return
	}
	line := &w.lines[n]
	if p.left-line.right > 0.18*p.height {
		line.text += " "
	}
	line.text += p.text
	line.right, line.height = max(line.right, p.right), max(line.height, p.height)
}

// pdfFont says which signs a text of bytes is, and how wide. What it was asked once it
// knows: the library would look it up in the file each time.
type pdfFont struct {
	encoder pdf.TextEncoding
	wide    bool // two bytes are a sign
	signs   map[byte]string
	widths  map[int]float64
	usual   float64
}

// usualWidth of a sign, of fonts that do not say it: in thousandths of the height.
const usualWidth = 500

func (w *pdfWriter) fontNamed(name string) *pdfFont {
	if f := w.known[name]; f != nil {
		return f
	}
	simple := pdf.Font{V: w.fonts.Key(name)}
	f := &pdfFont{encoder: simple.Encoder(), usual: usualWidth, signs: map[byte]string{}, widths: map[int]float64{}}
	if below := simple.V.Key("DescendantFonts").Index(0); simple.V.Key("Subtype").Name() == "Type0" {
		f.wide = true
		f.usual = 1000
		if usual := below.Key("DW"); usual.Kind() == pdf.Integer || usual.Kind() == pdf.Real {
			f.usual = usual.Float64()
		}
		f.widths = wideWidths(below.Key("W"))
	} else if first, widths := simple.FirstChar(), simple.Widths(); len(widths) <= 1<<8 {
		for i, width := range widths {
			f.widths[first+i] = width
		}
	}
	w.known[name] = f
	return f
}

// wideWidths are the widths of signs: "first [width …]", or "first last width".
func wideWidths(w pdf.Value) map[int]float64 {
	all := map[int]float64{}
	for i := 0; i+1 < w.Len() && len(all) < 1<<16; {
		first := int(w.Index(i).Int64())
		if list := w.Index(i + 1); list.Kind() == pdf.Array {
			for k := range list.Len() {
				all[first+k] = list.Index(k).Float64()
			}
			i += 2
			continue
		}
		last, width := int(w.Index(i+1).Int64()), w.Index(i+2).Float64()
		for code := first; code <= min(last, first+1<<16); code++ {
			all[code] = width
		}
		i += 3
	}
	return all
}

// decode gives the signs of a text.
func (f *pdfFont) decode(raw string) string {
	if f.wide {
		return f.encoder.Decode(raw)
	}
	var all strings.Builder
	for i := range len(raw) {
		sign, known := f.signs[raw[i]]
		if !known {
			sign = f.encoder.Decode(raw[i : i+1])
			f.signs[raw[i]] = sign
		}
		all.WriteString(sign)
	}
	return all.String()
}

// width is that of a text, in thousandths of the height, and of how many signs it is.
func (f *pdfFont) width(raw string) (units float64, signs int) {
	if f.wide {
		for i := 0; i+1 < len(raw); i += 2 {
			width, known := f.widths[int(raw[i])<<8|int(raw[i+1])]
			if !known {
				width = f.usual
			}
			units += width
			signs++
		}
		return units, signs
	}
	for i := range len(raw) {
		width := f.widths[int(raw[i])]
		if width == 0 {
			width = f.usual
		}
		units += width
	}
	return units, len(raw)
}
