package product

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
)

// BenchmarkProduct reads a shop's page whose tree is parsed already.
func BenchmarkProduct(b *testing.B) {
	body, err := os.ReadFile(filepath.Join("testdata", "product", "woocommerce-de.html"))
	if path := os.Getenv("PAGE"); path != "" {
		body, err = os.ReadFile(path)
	}
	if err != nil {
		b.Fatal(err)
	}
	d := dom.New(body, "https://shop.example/p/1")
	d.Tree()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		Product(d, &structured.Graph{}, nil)
	}
}
