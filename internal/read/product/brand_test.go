package product

import (
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
)

// shop is a page with a product, what stands above its name and what stands below.
func shop(name, above, below string) string {
	return `<title>` + name + ` | Corner Shop</title><body><nav><a href="/brands">Brands</a></nav><main>` + above + `<h1>` + name + `</h1>` + below +
		`<p class="price">€ 19.90</p><button>Add to cart</button></main>`
}

func TestBrandsStandInManyPlaces(t *testing.T) {
	for what, c := range map[string]struct{ page, want string }{
		"behind a label":                     {shop("Desk lamp T5", "", `<p>Brand: Lumo</p>`), "Lumo"},
		"the brand goes before its maker":    {shop("Desk lamp T5", "", `<table><tr><th>Manufacturer<td>Lumo Lighting GmbH<tr><th>Brand<td>Lumo</table>`), "Lumo"},
		"a word with a hyphen is no label":   {shop("Travel Make-Up Kit", "", ``), ""},
		"the name of a file is none":         {shop("Desk lamp T5", "", `<p><a href="/b.pdf">Manufacturer-Brochure</a></p>`), ""},
		"link to the page of the maker":      {shop("Desk lamp T5", `<a href="/index.php/manufacturers_id/7/lumo.html"><img src="l.png" alt="Lumo"></a>`, ``), "Lumo"},
		"logo in the folder of logos":        {shop("Desk lamp T5", `<img src="/images/manufacturers/lumo.jpg" alt="Lumo">`, ``), "Lumo"},
		"link with a parameter":              {shop("Desk lamp T5", ``, `<a href="/search?marca=lumo">Lumo</a>`), "Lumo"},
		"attribute around the heading":       {`<title>Desk lamp T5</title><body><div data-product-brand="Lumo"><h1>Desk lamp T5</h1><p class="price">€ 19.90</p><button>Add to cart</button></div>`, "Lumo"},
		"attribute of another product":       {shop("Desk lamp T5", ``, `<p class="x" data-brand="Hella">More lamps</p>`), ""},
		"by, below the heading":              {shop("Desk lamp T5", ``, `<p>by <a href="/m/12">Lumo</a></p>`), "Lumo"},
		"who sells it is not who makes it":   {shop("Desk lamp T5", ``, `<p>Sold by <a href="/m/12">Lumo</a></p>`), ""},
		"a link to more of the first words":  {shop("Lumo desk lamp T5", ``, `<p><a href="/m-118.html">View other products from Lumo</a></p>`), "Lumo"},
		"the same, the other way round":      {shop("Lumo Schreibtischlampe", ``, `<p><a href="/m-118.html">Lumo Sortiment ansehen</a></p>`), "Lumo"},
		"a link to a kind of thing is not":   {shop("Lamp T5 for desks", ``, `<p><a href="/lamps.html">All lamps</a></p>`), ""},
		"scripts may use one kind of quotes": {shop("Jack's Lamp T5", ``, `<script>track({"brand":"Jack's"})</script>`), "Jack's"},
	} {
		t.Run(what, func(t *testing.T) {
			r, ok := Product(dom.New([]byte(c.page), "https://corner.example/p/1"), &structured.Graph{}, nil)
			got, _ := r.Fields["brand"].(string)
			if !ok || got != c.want {
				t.Errorf("%v %q (%v), want %q", ok, got, r.Provenance["brand"], c.want)
			}
		})
	}
}

func TestTradeNumbersMayStandInGroupsAndBeforeOthers(t *testing.T) {
	for text, want := range map[string]string{
		"9780306406157":                   "9780306406157",
		"978-0-306-40615-7":               "9780306406157",
		"9780306406157 ISBN 10: 03064061": "9780306406157",
		"4 006381 333931":                 "4006381333931",
		"9780306406158":                   "", // a wrong check digit
		"0306406152":                      "",
		"Hardback":                        "",
		"":                                "",
	} {
		t.Run(text, func(t *testing.T) {
			if got := gtinAt(text); got != want {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		})
	}
}

func TestTheHeadingIsToldFromSimilarProducts(t *testing.T) {
	page := `<title>Acme Photo X100 compact digital camera 12 megapixel silver 4x zoom (X100S)</title><body>
		<div class="item title">Boreal Snap 7 compact digital camera 12 megapixel silver 4x zoom</div>
		<div class="product title">Acme Photo X100 compact digital camera 12...</div><p class="price">$ 120.00</p><button>Add to cart</button>`
	l := lay(dom.New([]byte(page), "https://corner.example/p/1"), &structured.Graph{}, nil)
	if want := "Acme Photo X100 compact digital camera 12..."; l.titleText != want {
		t.Errorf("%q, want %q", l.titleText, want)
	}
}
