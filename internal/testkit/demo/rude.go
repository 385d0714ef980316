package demo

import "net/http"

// rudeness is one behaviour. Its answer may depend on the scene only for what
// has to move: the clock of a Retry-After, the count of visits.
type rudeness struct {
	Path   string
	Says   string // what it does, for the list
	answer func(s scene) page
}

// rudenesses is all of them, in the order of the list.
func rudenesses() []rudeness {
	all := append(rudeRefusals(), rudeBodies()...)
	all = append(all, rudeBombs()...)
	all = append(all, rudeRedirects()...)
	all = append(all, rudeHeaders()...)
	all = append(all, rudeMarkup()...)
	return append(all, rudeWalls()...)
}

// The site rude is a server that does everything wrong, each thing at its own path. All
// of it is bounded and ends when the client goes away or the web closes.
func rudePaths() []path {
	routes := []path{{"GET /{$}", func(s scene, _ *http.Request) page {
		return s.html("list", view{Heading: "Rude behaviours", Path: "/", Items: rudenesses()})
	}}}
	for _, behaviour := range rudenesses() {
		routes = append(routes, path{"GET " + behaviour.Path, func(s scene, _ *http.Request) page { return behaviour.answer(s) }})
	}
	return routes
}

// always is an answer that does not depend on the scene.
func always(p page) func(scene) page { return func(scene) page { return p } }

// streamed is an answer that writes itself.
func streamed(write func(w http.ResponseWriter, r *http.Request)) func(scene) page {
	return always(page{stream: write})
}

// rudePage is a page that is kept among the templates.
func rudePage(name string) page {
	body, err := templates.ReadFile("templates/rude/pages/" + name + ".html")
	if err != nil {
		panic(err)
	}
	return plainHTML(string(body))
}

func plainHTML(body string) page {
	return page{kind: "text/html; charset=utf-8", body: []byte(body)}
}

func withStatus(status int, p page, header ...string) page {
	p.status, p.header = status, map[string]string{}
	for i := 0; i+1 < len(header); i += 2 {
		p.header[header[i]] = header[i+1]
	}
	return p
}
