package demo

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// product is one article of the shop.
type product struct {
	Key, Path, Name, Brand, Category, Description, Image string
	Price, Was                                           int64 // euro cents; Was 0: no old price
	Availability                                         string
	Rating                                               float64 // 0: nobody rated it yet
	Reviews                                              int
}

func (p product) id() string    { return p.Key }
func (p product) path() string  { return p.Path }
func (p product) title() string { return p.Name }

func (p product) values(base string) curlew.Values {
	v := curlew.Values{"name": p.Name, "price": p.Price, "currency": "EUR", "brand": p.Brand, "sku": p.Key,
		"availability": p.Availability, "description": p.Description, "url": base + p.Path}
	put(v, "price_was", p.Was)
	if p.Reviews > 0 {
		v["rating"], v["review_count"] = p.Rating, int64(p.Reviews)
	}
	return v
}

// The site shop is a Dutch bicycle shop: a grid of cards, European prices, microdata on
// the detail pages.
func shopTale() tale {
	return tale{
		atFirst: 62, arrive: span{1, 2}, change: span{3, 6}, vanish: span{0, 2},
		create: newProduct, edit: editProduct,
	}
}

func newProduct(d *dice, n int, _ time.Time) thing {
	p := product{Key: fmt.Sprintf("FK-%05d", 10400+n*7), Brand: pick(d, names("shop", "brands")),
		Description: sentences(d, "nl", d.between(2, 4)), Availability: "in_stock"}
	categories := names("shop", "categories")
	p.Category = categories[n%len(categories)]
	p.Name = pick(d, names("shop", p.Category)) + " " + pick(d, names("shop", "models")) + fmt.Sprintf(" %c%d", 'A'+n%26, n/26+1)
	p.Name = thorny(p.Name, n, 11, 5)
	p.Price = int64(d.between(900, 9000))/5*5 + 4
	if p.Category == "Stadsfietsen" {
		p.Price = int64(d.between(399, 2899)) * 100
	}
	if d.chance(30) {
		p.Was = p.Price * int64(d.between(112, 140)) / 100
	}
	if d.chance(15) {
		p.Availability = pick(d, []string{"out_of_stock", "preorder"})
	}
	if d.chance(80) {
		p.Rating, p.Reviews = float64(d.between(28, 50))/10, d.between(1, 340)
	}
	p.Path = "/p/" + slug(p.Name) + "/" + strings.ToLower(p.Key)
	p.Image = "/media/" + strings.ToLower(p.Key) + ".svg"
	return p
}

func editProduct(d *dice, t thing, _ time.Time) thing {
	p := t.(product)
	switch d.IntN(6) {
	case 0: // a sale
		p.Was, p.Price = p.Price, p.Price*int64(d.between(75, 92))/100
	case 1: // the end of a sale
		if p.Was > 0 {
			p.Price, p.Was = p.Was, 0
		}
	case 2:
		p.Price += int64(d.between(1, 8)) * 250
		if p.Was <= p.Price {
			p.Was = 0
		}
	case 3:
		p.Availability = pick(d, []string{"in_stock", "out_of_stock", "preorder"})
	case 4:
		p.Reviews += d.between(1, 4)
		p.Rating = float64(d.between(30, 50)) / 10
	case 5:
		p.Description += " " + pick(d, prose()["nl"])
	}
	return p
}

func shopPaths() []path {
	return []path{
		{"GET /{$}", shopList},
		{"GET /categorie/{category}", shopList},
		{"GET /p/{slug}/{sku}", shopDetail},
	}
}

func shopList(s scene, r *http.Request) page {
	heading, base, items := "Alle artikelen", "/", of[product](s.things)
	if wanted := r.PathValue("category"); wanted != "" {
		var inCategory []product
		for _, p := range items {
			if slug(p.Category) == wanted {
				inCategory = append(inCategory, p)
				heading = p.Category
			}
		}
		base, items = "/categorie/"+wanted, inCategory
	}
	link := pageLinks(base, "p")
	items, foot := paginate(items, numberOf(r, "p"), 24, link)
	if len(items) == 0 {
		return s.lost()
	}
	return s.html("list", view{Heading: heading, Path: link(foot.Page), Items: items, Pager: foot, Data: shopLinks()})
}

func shopLinks() []menuLink {
	var links []menuLink
	for _, name := range names("shop", "categories") {
		links = append(links, menuLink{name, "/categorie/" + slug(name)})
	}
	return links
}

func shopDetail(s scene, r *http.Request) page {
	p, found := find[product](s.things, strings.ToUpper(r.PathValue("sku")))
	if !found || p.Path != r.URL.Path {
		return s.lost()
	}
	answer := s.html("detail", view{Heading: p.Name, Path: p.Path, Item: p, Data: shopLinks()})
	answer.modified = s.modified(p.Key)
	return answer
}
