package publish

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"curlew/internal/text"
)

// SameAddress says whether two addresses of pages lead to the same thing, however a
// visitor came.
func SameAddress(a, b string) bool { return a != "" && sameAddress(a, b, false) }

// AddressKey is the same for addresses that lead to the same thing.
func AddressKey(address string, image bool) string {
	if image {
		return imageKey(address)
	}
	return addressKey(address)
}

// sameAddress says whether two addresses lead to the same thing.
func sameAddress(a, b string, image bool) bool {
	if a == b {
		return true
	}
	if image {
		return imageKey(a) == imageKey(b)
	}
	return addressKey(a) == addressKey(b)
}

// visitors are parameters that say how somebody came to a page. The list follows
// Firefox's query stripping and what the vendors document; ref and source are added,
// because here only the same entity's own address is compared with itself.
var visitors = text.Set(`__hsfp __hssc __hstc __s _hsenc _openstat dclid fbclid gbraid gclid hsctatracking igshid mc_eid
	mkt_tok ml_subscriber ml_subscriber_hash msclkid oly_anon_id oly_enc_id rb_clickid s_cid twclid vero_conv vero_id
	wbraid wickedid yclid _ga _gl gclsrc gad_source gad_campaignid srsltid fb_action_ids fb_action_types fb_ref fb_source
	igsh li_fat_id ref_src ref_url rdt_cid sccid ttclid epik mc_cid _hsmi ymclid irclickid cjevent phpsessid jsessionid
	ref ref_ referrer referer source campaign cmp cmpid`)

var visitorFamilies = []string{"utm_", "mtm_", "pk_", "piwik_", "aspsessionid"}

// sizes are parameters of image servers: how large, how sharp, which copy.
var sizes = text.Set(`w h width height size sz s q quality fit crop dpr scale format fm auto v ver version t ts cb _ rev
	resize mode bg ixlib ixid rect gravity strip zoom maxwidth maxheight mw mh imwidth imheight wid hei op_sharpen
	itok hash sig signature expires token timestamp cachebuster nocache stp ssl`)

func visitor(name string) bool {
	return visitors[name] || slices.ContainsFunc(visitorFamilies, func(p string) bool { return strings.HasPrefix(name, p) })
}

// addressKey is an address without what does not matter: scheme, "www.", default
// port, fragment, trailing slash, how the visitor came.
func addressKey(text string) string {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Opaque != "" {
		return strings.TrimSpace(text)
	}
	query := keptQuery(u, visitor)
	fragment := ""
	if strings.HasPrefix(u.Fragment, "/") || strings.HasPrefix(u.Fragment, "!") { // a page of an app
		fragment = "#" + u.Fragment
	}
	return siteKey(u) + pathKey(u.Path) + query + fragment
}

func siteKey(u *url.URL) string {
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		host += ":" + port
	}
	switch u.Scheme {
	case "http", "https", "":
		return strings.TrimPrefix(host, "www.")
	}
	return u.Scheme + ":" + host
}

var indexPage = regexp.MustCompile(`(?i)/(?:index|default)\.(?:html?|php|aspx?)$`)

func pathKey(path string) string {
	path, _, _ = strings.Cut(path, ";jsessionid=")
	return strings.TrimRight(indexPage.ReplaceAllString(path, "/"), "/")
}

// keptQuery writes the parameters that matter, in one order.
func keptQuery(u *url.URL, drop func(string) bool) string {
	if u.RawQuery == "" {
		return ""
	}
	var kept []string
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if pair == "" || drop(strings.ToLower(name)) {
			continue
		}
		if plain, err := url.QueryUnescape(value); err == nil {
			value = plain
		}
		kept = append(kept, name+"="+value)
	}
	if len(kept) == 0 {
		return ""
	}
	slices.Sort(kept)
	return "?" + strings.Join(kept, "&")
}

// imageNesting is how many image servers may stand before one another.
const imageNesting = 3

// imageKey is the address of a picture without its size, its quality, its format and
// the server's copy of it.
func imageKey(text string) string {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Opaque != "" {
		return strings.TrimSpace(text)
	}
	for range imageNesting {
		inner, ok := wrapped(u)
		if !ok {
			break
		}
		u = inner
	}
	path := imagePath(u.Path)
	query := keptQuery(u, func(name string) bool { return visitor(name) || sizes[name] })
	if imageEnding.MatchString(u.Path) {
		query = "" // a file: what follows it only asks for a variant
	}
	return shard.ReplaceAllString(siteKey(u), "$1.") + path + query
}

// wrapped finds the picture that an image server shows: /_next/image?url=/a.jpg&w=640.
func wrapped(u *url.URL) (*url.URL, bool) {
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		switch strings.ToLower(name) {
		case "url", "src", "image", "img", "u", "file", "path":
		default:
			continue
		}
		text, err := url.QueryUnescape(value)
		if err != nil || !imageEnding.MatchString(strings.SplitN(text, "?", 2)[0]) {
			continue
		}
		if inner, err := u.Parse(text); err == nil && inner.Opaque == "" {
			return inner, true
		}
	}
	return nil, false
}

var (
	imageEnding = regexp.MustCompile(`(?i)\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?|heic)$`)
	shard       = regexp.MustCompile(`^([a-z]+-?)\d{1,2}\.`) // img1.example, img2.example
	sizeSegment = regexp.MustCompile(`(?i)^(?:\d{1,4}x\d{0,4}|x\d{1,4}|fit-in|smart|[wh][_-]?\d{1,4}|\d{1,4}w|resize|thumbs?|` +
		`thumbnails?|small|medium|large|original|width=.*|[a-z]{1,3}_[\w.:-]{1,30}(?:,[a-z]{1,3}_[\w.:-]{1,30})*|v\d{6,12})$`)
	sizedCopy = regexp.MustCompile(`(?i)(?:[-_](?:\d{1,4}x\d{0,4}|x\d{1,4}|thumb|thumbnail|small|medium|large|` +
		`grande|compact|original|scaled|\d{2,4}w)|@[1-4]x)$`)
	stylesFolder = regexp.MustCompile(`/styles/[^/]+/public/`)
	pixelCopy    = regexp.MustCompile(`/[^/]+\.\w+/\d+px-[^/]+$`)
)

// imagePath drops what in a path only names a size: /300x200/, -300x200.jpg, _thumb.
func imagePath(path string) string {
	path = stylesFolder.ReplaceAllString(path, "/")
	if pixelCopy.MatchString(path) {
		path = path[:strings.LastIndexByte(path, '/')]
	}
	segments := strings.Split(path, "/")
	last := segments[len(segments)-1]
	for range imageNesting { // "a.jpg.webp", "a_300x@2x.jpg"
		last = imageEnding.ReplaceAllString(last, "")
		if short := sizedCopy.ReplaceAllString(last, ""); short != "" {
			last = short
		}
	}
	kept := segments[:0]
	for _, segment := range segments[:len(segments)-1] {
		if segment != "" && !sizeSegment.MatchString(segment) {
			kept = append(kept, segment)
		}
	}
	return "/" + strings.Join(append(kept, last), "/")
}

// slug is the last part of an address's path that has words.
func slug(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	path := strings.TrimRight(u.Path, "/")
	return imageEnding.ReplaceAllString(path[strings.LastIndexByte(path, '/')+1:], "")
}
