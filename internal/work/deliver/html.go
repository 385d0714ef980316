package deliver

import (
	"bytes"
	_ "embed"
	"html/template"
)

//go:embed digest.html
var digestHTML string

var digestTemplate = template.Must(template.New("digest").Parse(digestHTML))

// html lays the page out for mail programs. html/template escapes by where a value
// stands, so scraped text cannot become markup.
func (p page) html() (string, error) {
	var b bytes.Buffer
	if err := digestTemplate.Execute(&b, p); err != nil {
		return "", err
	}
	return b.String(), nil
}
