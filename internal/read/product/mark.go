package product

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"curlew/internal/read/dom"
)

// mark says that a part of the page is not about its subject.
type mark bool

// aside says whether a node stands in a part of the page that is not about its
// subject. What holds the title is never such a part, whatever it is called.
func (l *layout) aside(n *html.Node) bool {
	var path []*html.Node
	found := mark(false)
	for ; n != nil; n = n.Parent {
		if known, ok := l.marks[n]; ok {
			found = known
			break
		}
		path = append(path, n)
	}
	for i := len(path) - 1; i >= 0; i-- {
		if !found {
			found = mark(l.marksAside(path[i]))
		}
		l.marks[path[i]] = found
	}
	return bool(found)
}

func (l *layout) marksAside(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return false
	}
	if _, holds := l.above[n]; holds {
		return false
	}
	switch n.DataAtom {
	case atom.Nav, atom.Footer:
		return true
	case atom.Body, atom.Html, atom.Main, atom.H1:
		return false
	case atom.Header: // of the site; that of an article holds its title
		return l.title != nil && l.spots[n].to <= l.spots[l.title].from
	}
	switch dom.Attr(n, "role") {
	case "navigation", "contentinfo", "search", "menu", "menubar", "banner", "alertdialog":
		return true
	}
	words := l.tokens(n)
	for i, word := range words {
		if sideWords[word] {
			return true
		}
		if i+1 < len(words) && sidePairs[word+" "+words[i+1]] {
			return true
		}
	}
	return false
}

// sideWords are the words with which templates of many systems name the parts of a
// shop's page that offer other things, or none.
var sideWords = wordSet(`related relatedproducts recommendation recommendations recommended recommend recommender recommends recs reco upsell upsells upselling
	crosssell crosssells crossselling crosssale similar similars alsobought alsoviewed alsolike boughttogether recently recentlyviewed lastviewed viewed minicart
	minibasket cartpreview basketpreview cartdrawer sidecart megamenu navbar navigation breadcrumb breadcrumbs footer cookie cookies consent gdpr newsletter
	accessories accessory bundles bestseller bestsellers topseller trending popular complementary suggestions suggested suggestion
	sponsored advertisement advert adslot reviews review comments comment testimonials faq questions wishlist lookbook completethelook
	peoplealso youmayalso moreproducts moreitems otherproducts relateditems relatedads similarads fbt certona richrelevance dynamicyield nosto barilliance
	searchresults autocomplete autosuggest facets filters zubehoer zubehör ähnliche aehnliche verwandte podobne polecane powiazane powiązane похожие
	similaires relacionados correlati prodottisimili gerelateerd`)

var sidePairs = pairSet(`mini cart,mini basket,cart preview,cross sell,cross sells,up sell,also bought,also viewed,also like,may also,you may,more from,last viewed,
	last seen,other products,other items,more items,more products,frequently bought,bought together,top nav,main nav,site header,page header,global header,
	header cart,cart header,header basket,shopping bag,free shipping,shipping threshold,best sellers,people also,complete the,shop the,sub menu,side bar,
	cart drawer,cart total,cart subtotal,cart widget,basket total,widget cart,other sellers,sticky cart,product carousel,products carousel,product slider,products slider,
	product grid,products grid,products list,price alert,trade in,gift card,product recommendations`)

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}

func pairSet(text string) map[string]bool {
	set := map[string]bool{}
	for pair := range strings.SplitSeq(text, ",") {
		set[strings.TrimSpace(pair)] = true
	}
	return set
}
