package publish

import (
	"net/url"
	"strings"

	"github.com/curlew-data/curlew/internal/text"
)

// AddressKey is the same for addresses that lead to the same thing; of pictures, for
// all sizes of one.
func AddressKey(address string, image bool) string {
	if image {
		return imageKey(address)
	}
	return text.URLKey(address)
}

func sameLink(a, b string, image bool) bool {
	return a == b || AddressKey(a, image) == AddressKey(b, image)
}

// sizes are parameters of image servers: how large, how sharp, which copy.
var sizes = text.Set(`w h width height size sz s q quality fit crop dpr scale format fm auto v ver version t ts cb _ rev
	resize mode bg ixlib ixid rect gravity strip zoom maxwidth maxheight mw mh imwidth imheight wid hei op_sharpen
	itok hash sig signature expires token timestamp cachebuster nocache stp ssl`)

// imageNesting is how many image servers may stand before one another.
const imageNesting = 3

// imageKey is the address of a picture without its size, its quality, its format and
// the server's copy of it.
func imageKey(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Opaque != "" {
		return strings.TrimSpace(address)
	}
	for range imageNesting {
		inner, ok := wrapped(u)
		if !ok {
			break
		}
		u = inner
	}
	path := imagePath(u.Path)
	query := text.QueryKey(u, func(name, value string) bool { return text.IsVisitorParameter(name, value) || sizes[name] })
	if imageEnding().MatchString(u.Path) {
		query = "" // a file: what follows it only asks for a variant
	}
	return shard().ReplaceAllString(text.HostKey(u), "$1.") + path + query
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
		if err != nil || !imageEnding().MatchString(strings.SplitN(text, "?", 2)[0]) {
			continue
		}
		if inner, err := u.Parse(text); err == nil && inner.Opaque == "" {
			return inner, true
		}
	}
	return nil, false
}

var (
	imageEnding = text.Pattern(`(?i)\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?|heic)$`)
	shard       = text.Pattern(`^([a-z]+-?)\d{1,2}\.`) // img1.example, img2.example
	sizeSegment = text.Pattern(`(?i)^(?:\d{1,4}x\d{0,4}|x\d{1,4}|fit-in|smart|[wh][_-]?\d{1,4}|\d{1,4}w|resize|thumbs?|` +
		`thumbnails?|small|medium|large|original|width=.*|[a-z]{1,3}_[\w.:-]{1,30}(?:,[a-z]{1,3}_[\w.:-]{1,30})*|v\d{6,12})$`)
	sizedCopy = text.Pattern(`(?i)(?:[-_](?:\d{1,4}x\d{0,4}|x\d{1,4}|thumb|thumbnail|small|medium|large|` +
		`grande|compact|original|scaled|\d{2,4}w)|@[1-4]x)$`)
	stylesFolder = text.Pattern(`/styles/[^/]+/public/`)
	pixelCopy    = text.Pattern(`/[^/]+\.\w+/\d+px-[^/]+$`)
)

// imagePath drops what in a path only names a size: /300x200/, -300x200.jpg, _thumb.
func imagePath(path string) string {
	path = stylesFolder().ReplaceAllString(path, "/")
	if pixelCopy().MatchString(path) {
		path = path[:strings.LastIndexByte(path, '/')]
	}
	segments := strings.Split(path, "/")
	last := segments[len(segments)-1]
	for range imageNesting { // "a.jpg.webp", "a_300x@2x.jpg"
		last = imageEnding().ReplaceAllString(last, "")
		if short := sizedCopy().ReplaceAllString(last, ""); short != "" {
			last = short
		}
	}
	kept := segments[:0]
	for _, segment := range segments[:len(segments)-1] {
		if segment != "" && !sizeSegment().MatchString(segment) {
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
	return imageEnding().ReplaceAllString(path[strings.LastIndexByte(path, '/')+1:], "")
}
