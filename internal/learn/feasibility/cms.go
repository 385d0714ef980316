package feasibility

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// CMS is software that makes the site, a framework, or an embedded calendar.
type CMS struct {
	Name       string   `json:"name"`
	Kind       string   `json:"kind"` // cms, shop, framework, calendar or widget
	Version    string   `json:"version,omitempty"`
	Confidence float64  `json:"confidence"`
	Evidence   []string `json:"evidence"`
}

// sign is one tell-tale: where it stands, what to look for, and how sure it makes.
type sign struct {
	where  string // generator, asset, header, cookie, robots, body
	needle string // in lower case except for body
	weight float64
}

// software is one row of the table: name, kind, and its signs.
type software struct {
	name, kind string
	signs      []sign
}

// softwares is all that is recognised, one row each.
var softwares = []software{
	{"WordPress", "cms", []sign{{"generator", "wordpress", .95}, {"asset", "/wp-content/", .9}, {"asset", "/wp-includes/", .9}, {"body", "https://api.w.org/", .95}, {"header", "/wp-json/", .9}, {"robots", "/wp-admin/", .7}, {"cookie", "wordpress_", .8}, {"header", "x-pingback:", .6}}},
	{"The Events Calendar", "calendar", []sign{{"asset", "/plugins/the-events-calendar/", .95}, {"body", "tribe-events", .8}, {"body", "tribe/events/v1", .95}}},
	{"Modern Events Calendar", "calendar", []sign{{"asset", "/plugins/modern-events-calendar", .95}, {"body", "mec-event-article", .8}}},
	{"Events Manager", "calendar", []sign{{"asset", "/plugins/events-manager/", .95}}},
	{"WooCommerce", "shop", []sign{{"generator", "woocommerce", .95}, {"asset", "/plugins/woocommerce/", .95}, {"body", "woocommerce-product", .7}, {"cookie", "woocommerce_", .8}}},
	{"Drupal", "cms", []sign{{"generator", "drupal", .95}, {"header", "x-drupal-", .95}, {"header", "x-generator: drupal", .95}, {"asset", "/sites/default/files/", .8}, {"body", "data-drupal-selector", .9}, {"body", "Drupal.settings", .9}, {"robots", "disallow: /core/", .6}}},
	{"Craft CMS", "cms", []sign{{"header", "x-powered-by: craft cms", .95}, {"robots", "/cpresources/", .9}, {"asset", "/cpresources/", .9}, {"cookie", "craftsessionid", .95}, {"cookie", "craft_csrf_token", .9}, {"body", "CRAFT_CSRF_TOKEN", .9}}},
	{"Statamic", "cms", []sign{{"header", "x-powered-by: statamic", .95}, {"generator", "statamic", .95}, {"asset", "/vendor/statamic/", .9}, {"robots", "disallow: /cp/", .5}, {"body", "statamic", .4}}},
	{"Joomla", "cms", []sign{{"generator", "joomla", .95}, {"asset", "/media/jui/", .8}, {"asset", "/media/system/js/", .6}, {"body", "com_content", .5}, {"robots", "/administrator/", .5}}},
	{"TYPO3", "cms", []sign{{"generator", "typo3", .95}, {"asset", "/typo3temp/", .9}, {"asset", "/typo3conf/", .9}, {"body", "This website is powered by TYPO3", .95}, {"cookie", "fe_typo_user", .9}}},
	{"Contao", "cms", []sign{{"generator", "contao", .95}, {"cookie", "contao_", .8}}},
	{"Ghost", "cms", []sign{{"generator", "ghost", .95}, {"asset", "/ghost/api/", .9}, {"body", "data-ghost=", .9}, {"asset", "/public/ghost", .7}}},
	{"Squarespace", "cms", []sign{{"generator", "squarespace", .95}, {"asset", "static1.squarespace.com", .95}, {"asset", "assets.squarespace.com", .9}, {"body", "Static.SQUARESPACE_CONTEXT", .95}, {"header", "server: squarespace", .95}}},
	{"Wix", "cms", []sign{{"generator", "wix.com", .95}, {"asset", "static.wixstatic.com", .9}, {"asset", "static.parastorage.com", .8}, {"header", "x-wix-request-id", .95}}},
	{"Webflow", "cms", []sign{{"generator", "webflow", .95}, {"body", "data-wf-page=", .95}, {"asset", "assets.website-files.com", .8}, {"asset", "uploads-ssl.webflow.com", .8}}},
	{"Weebly", "cms", []sign{{"asset", "editmysite.com", .9}, {"generator", "weebly", .95}}},
	{"Jimdo", "cms", []sign{{"asset", "jimstatic.com", .9}, {"asset", "jimcdn.com", .9}}},
	{"Contentful", "cms", []sign{{"asset", "images.ctfassets.net", .8}, {"body", "cdn.contentful.com", .9}, {"body", "images.ctfassets.net", .7}}},
	{"Sanity", "cms", []sign{{"asset", "cdn.sanity.io", .8}, {"body", "cdn.sanity.io", .7}}},
	{"Storyblok", "cms", []sign{{"asset", "a.storyblok.com", .8}, {"body", "a.storyblok.com", .6}}},
	{"Prismic", "cms", []sign{{"body", ".cdn.prismic.io", .8}, {"asset", "images.prismic.io", .7}}},
	{"Strapi", "cms", []sign{{"header", "x-powered-by: strapi", .95}}},
	{"MediaWiki", "cms", []sign{{"generator", "mediawiki", .95}, {"asset", "/load.php?", .5}}},
	{"Discourse", "cms", []sign{{"generator", "discourse", .95}, {"header", "x-discourse-route", .95}}},
	{"Blogger", "cms", []sign{{"generator", "blogger", .95}, {"asset", "blogger.com/static", .8}}},
	{"Hugo", "framework", []sign{{"generator", "hugo", .95}}},
	{"Jekyll", "framework", []sign{{"generator", "jekyll", .95}}},
	{"Eleventy", "framework", []sign{{"generator", "eleventy", .95}}},
	{"Gatsby", "framework", []sign{{"generator", "gatsby", .95}, {"body", `id="___gatsby"`, .95}, {"asset", "/page-data/", .7}}},
	{"Next.js", "framework", []sign{{"asset", "/_next/", .95}, {"body", "__NEXT_DATA__", .95}, {"body", "self.__next_f", .95}, {"header", "x-powered-by: next.js", .95}}},
	{"Nuxt", "framework", []sign{{"asset", "/_nuxt/", .95}, {"body", "__NUXT__", .95}, {"body", `id="__nuxt"`, .9}, {"body", "__NUXT_DATA__", .95}}},
	{"SvelteKit", "framework", []sign{{"asset", "/_app/immutable/", .95}, {"body", "__sveltekit_", .95}, {"body", "data-sveltekit-", .8}}},
	{"Remix", "framework", []sign{{"body", "__remixContext", .95}, {"body", "__reactRouterContext", .9}}},
	{"Astro", "framework", []sign{{"generator", "astro", .95}, {"body", "<astro-island", .95}, {"asset", "/_astro/", .9}}},
	{"Angular", "framework", []sign{{"body", "ng-version=", .95}, {"body", "<app-root", .7}}},
	{"Vue", "framework", []sign{{"body", "data-v-app", .7}, {"body", "data-server-rendered=\"true\"", .6}}},
	{"Laravel", "framework", []sign{{"cookie", "laravel_session", .95}, {"cookie", "xsrf-token", .4}}},
	{"Rails", "framework", []sign{{"body", `name="csrf-param" content="authenticity_token"`, .9}}},
	{"ASP.NET", "framework", []sign{{"body", "__VIEWSTATE", .9}, {"header", "x-aspnet-version", .95}, {"cookie", "asp.net_sessionid", .9}}},
	{"Shopify", "shop", []sign{{"asset", "cdn.shopify.com", .9}, {"asset", "/cdn/shop/", .9}, {"body", "Shopify.theme", .95}, {"header", "x-shopid", .95}, {"header", "powered-by: shopify", .95}, {"cookie", "_shopify_", .9}, {"robots", "/checkouts/", .4}}},
	{"Magento", "shop", []sign{{"body", "Magento_", .9}, {"body", "data-mage-init", .95}, {"asset", "/static/frontend/", .7}, {"header", "x-magento-", .95}, {"cookie", "mage-", .7}, {"robots", "/catalogsearch/", .5}}},
	{"PrestaShop", "shop", []sign{{"generator", "prestashop", .95}, {"header", "powered-by: prestashop", .95}, {"cookie", "prestashop-", .95}, {"body", "var prestashop =", .95}}},
	{"BigCommerce", "shop", []sign{{"asset", "cdn11.bigcommerce.com", .95}, {"asset", ".mybigcommerce.com", .9}, {"body", "stencilBootstrap", .8}, {"cookie", "fornax_anonymousid", .8}}},
	{"Shopware", "shop", []sign{{"generator", "shopware", .95}, {"cookie", "sw-states", .8}, {"asset", "/bundles/storefront/", .8}}},
	{"OpenCart", "shop", []sign{{"body", "index.php?route=product/", .8}, {"cookie", "ocsessid", .9}}},
	{"Localist", "calendar", []sign{{"asset", "localist.com", .85}, {"asset", "localist-images", .95}, {"body", "localist-", .5}, {"header", "x-localist", .95}, {"body", "Powered by the Localist", .95}}},
	{"Tockify", "calendar", []sign{{"asset", "tockify.com", .9}, {"body", "data-tockify-component", .95}}},
	{"Trumba", "calendar", []sign{{"asset", "trumba.com", .9}, {"body", "$Trumba", .95}}},
	{"LibCal", "calendar", []sign{{"asset", "libcal.com", .9}, {"body", "libcal.com", .6}}},
	{"Google Calendar", "calendar", []sign{{"asset", "calendar.google.com/calendar/embed", .95}, {"body", "calendar.google.com/calendar/embed", .8}}},
	{"Eventbrite", "widget", []sign{{"asset", "eventbrite.com/static/widgets", .95}, {"body", "EBWidgets.createWidget", .95}, {"asset", "eventbrite.com/tickets-external", .9}}},
	{"Bandsintown", "widget", []sign{{"asset", "widget.bandsintown.com", .95}, {"body", "bit-widget-initializer", .95}}},
	{"Songkick", "widget", []sign{{"asset", "widget.songkick.com", .95}, {"body", "songkick-widget", .95}}},
	{"Elfsight", "widget", []sign{{"asset", "elfsight.com", .8}, {"body", "elfsight-app-", .9}}},
	{"Granicus", "calendar", []sign{{"asset", "granicus.com", .8}, {"body", "granicus.com/ViewPublisher", .9}}},
	{"Legistar", "calendar", []sign{{"asset", "legistar.com", .8}, {"body", "legistar.com/Calendar", .8}}},
	{"CivicPlus", "cms", []sign{{"body", "CivicPlus", .7}, {"body", "/AgendaCenter", .6}}},
	{"Greenhouse", "widget", []sign{{"asset", "boards.greenhouse.io", .95}, {"body", "boards.greenhouse.io", .7}}},
	{"Lever", "widget", []sign{{"body", "jobs.lever.co", .8}}},
	{"Workday", "widget", []sign{{"body", "myworkdayjobs.com", .8}}},
}

// sure is the confidence from which software is named.
const sure = 0.5

// Recognise names the software behind a page, surest first.
func Recognise(p Snapshot) []CMS {
	c := cluesOf(p)
	var found []CMS
	for _, row := range softwares {
		if cms, ok := row.match(c); ok {
			found = append(found, cms)
		}
	}
	slices.SortStableFunc(found, func(a, b CMS) int { return cmp.Compare(b.Confidence, a.Confidence) })
	return found
}

func (row software) match(c clues) (CMS, bool) {
	doubt := 1.0
	out := CMS{Name: row.name, Kind: row.kind}
	for _, s := range row.signs {
		text, ok := c.find(s)
		if !ok {
			continue
		}
		doubt *= 1 - s.weight
		out.Evidence = append(out.Evidence, s.where+": "+text)
		if s.where == "generator" {
			out.Version = version(text)
		}
	}
	out.Confidence = math.Round((1-doubt)*100) / 100
	return out, out.Confidence >= sure
}

// find looks for a sign and says what matched.
func (c clues) find(s sign) (string, bool) {
	switch s.where {
	case "generator":
		for _, g := range c.generators {
			if strings.HasPrefix(g, s.needle) || strings.Contains(g, " "+s.needle) {
				return clean(g, 80), true
			}
		}
		return "", false
	case "asset":
		return s.needle, strings.Contains(c.assets, s.needle)
	case "header":
		return s.needle, strings.Contains(c.headers, s.needle)
	case "cookie":
		return s.needle, strings.HasPrefix(c.cookies, s.needle) || strings.Contains(c.cookies, "\n"+s.needle)
	case "robots":
		return s.needle, strings.Contains(c.robots, s.needle)
	}
	return s.needle, strings.Contains(c.body, s.needle)
}

// version is the first word that begins with a digit.
func version(generator string) string {
	for _, word := range strings.Fields(generator) {
		if word[0] >= '0' && word[0] <= '9' {
			return strings.Trim(word, ",;()")
		}
	}
	return ""
}
