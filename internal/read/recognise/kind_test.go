package recognise

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// The quick checks let through all that the expressions find, and of images nothing else.
func TestQuickChecksAgreeWithTheExpressions(t *testing.T) {
	image := regexp.MustCompile(`(?i)\.(jpe?g|png|webp|gif|avif|svg)([?#]|$)|/image/|/images/|imgix|cloudinary|/media/|/photos?/`)
	parts := []string{"12", "3,50", " ", "USD", "eur", "złotych", "zł", "KČ", "€", "/media", "/", ".jpg", ".jpeg", ".PNG", "?w=1", "#x", "photo", "s", "é", "_", "kr", "x", ".svg"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		for range 1 + random.IntN(5) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		text := b.String()
		if priceText().MatchString(text) && !namesCurrency(text) {
			t.Fatalf("%q is a price without a currency", text)
		}
		if image.MatchString(text) != namesImage(text) {
			t.Fatalf("%q is an image: %v", text, namesImage(text))
		}
	}
}
