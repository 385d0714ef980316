package console_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

func TestASourceIsShownWithThePictureOfItsSite(t *testing.T) {
	b := open(t, "x")
	at := b.fill("/sources/{src}/picture")
	if !strings.Contains(b.page("/sources"), `src="`+at+`"`) {
		t.Error("the list of sources shows no picture")
	}
	drawn := b.ask(curlew.RoleViewer, http.MethodGet, at, "")
	if drawn.Header().Get("Content-Type") != "image/svg+xml" || !strings.Contains(drawn.Body.String(), "<text") {
		t.Errorf("without a picture: %s %s", drawn.Header().Get("Content-Type"), drawn.Body)
	}
	icon := curlew.Picture{Type: "image/png", Body: []byte("\x89PNG\r\n\x1a\n")}
	b.write(func(w store.WriteScope) error {
		return w.Sources().SetPicture(b.Context(), curlew.SourceID(b.has["src"]), icon)
	})
	shown := b.ask(curlew.RoleViewer, http.MethodGet, at, "")
	if shown.Header().Get("Content-Type") != icon.Type || shown.Body.String() != string(icon.Body) || shown.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("with a picture: %v %q", shown.Header(), shown.Body)
	}
	if unknown := b.ask(curlew.RoleViewer, http.MethodGet, "/sources/src_0000000000000000000000/picture", ""); unknown.Code != http.StatusNotFound {
		t.Errorf("of an unknown source: %d", unknown.Code)
	}
}
