package syndicate

import (
	"html"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// markup is HTML under construction. Text can only be added escaped, and only our own
// tags are ever written, so that foreign text stays text.
type markup struct{ strings.Builder }

func (m *markup) text(text string) { m.WriteString(html.EscapeString(clean(text))) }

// isolated writes text whose direction stays its own.
func (m *markup) isolated(text string) {
	m.WriteString("<bdi>")
	m.text(text)
	m.WriteString("</bdi>")
}

func (m *markup) link(url string) {
	m.WriteString(`<a href="` + html.EscapeString(url) + `" rel="nofollow noreferrer">`)
	m.text(url)
	m.WriteString("</a>")
}

// html is the content of an entry: what changed, and the subject's fields. It holds
// no images: opening a feed should ask nobody else for anything.
func (i item) html() string {
	var m markup
	if reason := block(i.payload.Reason, valueLength); reason != "" {
		m.WriteString("<p>")
		m.isolated(reason)
		m.WriteString("</p>")
	}
	if len(i.payload.Changes) > 0 {
		m.WriteString("<table><thead><tr><th>Field</th><th>Before</th><th>Now</th></tr></thead><tbody>")
		for _, c := range i.payload.Changes {
			m.WriteString("<tr><th>")
			m.text(label(c.Field))
			m.WriteString("</th>")
			for _, value := range i.sides(c) {
				m.WriteString("<td>")
				i.cell(&m, c.Field, value)
				m.WriteString("</td>")
			}
			m.WriteString("</tr>")
		}
		m.WriteString("</tbody></table>")
	}
	order := i.subject.order()
	if len(order) == 0 {
		return m.String()
	}
	m.WriteString("<dl>")
	for _, field := range order {
		m.WriteString("<dt>")
		m.text(label(field))
		m.WriteString("</dt><dd>")
		i.cell(&m, field, i.subject.fields[field])
		m.WriteString("</dd>")
	}
	m.WriteString("</dl>")
	return m.String()
}

// sides are a value before and after; of long texts what differs, with the words around.
func (i item) sides(c curlew.FieldChange) [2]any {
	before, isText := c.Old.(string)
	after, both := c.New.(string)
	if isText && both && i.subject.typeOf(c.Field) == curlew.TypeLong {
		if old, now, ok := text.DiffSides(before, after); ok {
			return [2]any{old, now}
		}
	}
	return [2]any{c.Old, c.New}
}

func (i item) cell(m *markup, field string, value any) {
	switch i.subject.typeOf(field) {
	case curlew.TypeURL, curlew.TypePicture:
		if url := address(plain(value)); url != "" {
			m.link(url)
			return
		}
	case curlew.TypeLong:
		for n, paragraph := range strings.Split(text.Clip(strings.TrimSpace(clean(text.CutBytes(plain(value), 16*valueLength))), valueLength),
			"\n") {
			if n > 0 {
				m.WriteString("<br>")
			}
			m.isolated(paragraph)
		}
		return
	}
	m.isolated(i.display(field, value))
}

// plainText is the same for readers without HTML.
func (i item) plainText() string {
	var b strings.Builder
	if i.payload.Reason != "" {
		b.WriteString(block(i.payload.Reason, valueLength) + "\n")
	}
	for _, c := range i.payload.Changes {
		both := i.sides(c)
		b.WriteString(label(c.Field) + ": " + i.display(c.Field, both[0]) + " → " + i.display(c.Field, both[1]) + "\n")
	}
	for _, field := range i.subject.order() {
		b.WriteString(label(field) + ": " + i.display(field, i.subject.fields[field]) + "\n")
	}
	return strings.TrimSpace(b.String())
}
