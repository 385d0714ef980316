package console

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var colour = regexp.MustCompile(`--([a-z-]+): #([0-9a-f]{3,6})\b`)

// light is the relative luminance of a colour, by WCAG 2.2.
func light(hex string) float64 {
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, _ := strconv.ParseUint(hex[2*i:2*i+2], 16, 8) // the pattern lets nothing else through
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

func TestAllTextCanBeReadInBothSchemes(t *testing.T) {
	sheet, err := assetFiles.ReadFile("assets/console.css")
	if err != nil {
		t.Fatal(err)
	}
	bright, rest, _ := strings.Cut(string(sheet), "@media (prefers-color-scheme: dark)")
	dark, _, _ := strings.Cut(rest, "* { box-sizing")
	for scheme, text := range map[string]string{"light": bright, "dark": dark} {
		t.Run(scheme, func(t *testing.T) {
			colours := map[string]string{}
			for _, c := range colour.FindAllStringSubmatch(text, -1) {
				colours[c[1]] = c[2]
			}
			for _, pair := range []string{"ink ground", "ink sheet", "ink soft", "quiet ground", "quiet sheet", "quiet soft", "accent ground", "accent sheet", "accent soft", "accent accent-ground", "on-accent accent",
				"good good-ground", "bad bad-ground", "warn warn-ground", "busy busy-ground", "good sheet", "bad sheet", "warn sheet", "sheet bad", "ink accent-ground", "quiet accent-ground"} {
				t.Run(pair, func(t *testing.T) {
					ink, ground, _ := strings.Cut(pair, " ")
					if colours[ink] == "" || colours[ground] == "" {
						t.Fatalf("%s: there is no colour for %s", scheme, pair)
					}
					a, b := light(colours[ink]), light(colours[ground])
					if contrast := (max(a, b) + 0.05) / (min(a, b) + 0.05); contrast < 4.5 {
						t.Errorf("%s: %s on %s has a contrast of %.2f", scheme, ink, ground, contrast)
					}
				})
			}
		})
	}
}
