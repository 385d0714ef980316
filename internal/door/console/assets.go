package console

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
)

// asset serves the style and the script. An address that names a version changes with
// them, and may be kept.
func asset(w http.ResponseWriter, r *http.Request) {
	guard(w.Header())
	w.Header().Set("Cache-Control", "no-cache")
	if r.URL.Query().Has("v") {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	file := r.PathValue("file")
	w.Header().Set("Vary", "Accept-Encoding")
	small, known := smallAssets()[file]
	if !known || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		http.ServeFileFS(w, r, assetFiles, "assets/"+file)
		return
	}
	w.Header().Set("Content-Type", assetTypes[path.Ext(file)])
	w.Header().Set("Content-Encoding", "gzip")
	_, _ = w.Write(small) // the reader may have gone
}

var assetTypes = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

// smallAssets are the assets compressed, by their names. Pages are compressed as they
// leave: what their forms must carry is masked anew each time, so that its length beside
// what an address says tells nothing.
var smallAssets = sync.OnceValue(func() map[string][]byte {
	all := map[string][]byte{}
	files, _ := fs.Glob(assetFiles, "assets/*") // the pattern is a good one
	for _, file := range files {
		body, _ := assetFiles.ReadFile(file) // it is embedded
		var small bytes.Buffer
		z, _ := gzip.NewWriterLevel(&small, gzip.BestCompression) // a level that there is
		_, _ = z.Write(body)
		_ = z.Close()
		all[path.Base(file)] = small.Bytes()
	}
	return all
})

func assetVersion() string {
	sum := sha256.New()
	files, _ := fs.Glob(assetFiles, "assets/*") // the pattern is a good one
	for _, file := range files {
		body, _ := assetFiles.ReadFile(file) // it is embedded above
		sum.Write(body)
	}
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:9])
}
