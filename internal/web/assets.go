package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

// asset is an embedded file as it is sent.
type asset struct {
	kind        string
	plain, gzip []byte
	tag         string
}

// serveAssets puts the embedded files below /assets/. A browser keeps them, and asks whether they are still the same.
func (s *Site) serveAssets(mux *http.ServeMux) {
	list := map[string]asset{}
	err := fs.WalkDir(files, "assets", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		list["/"+name] = newAsset(path.Ext(name), text)
		return nil
	})
	if err != nil {
		panic(err) // they are embedded
	}
	list["/assets/theme.css"] = newAsset(".css", themeCSS())
	mux.HandleFunc("GET /assets/", func(w http.ResponseWriter, r *http.Request) {
		a, ok := list[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		a.send(w, r)
	})
}

// kinds are media types of assets, which the system's own table may not know.
var kinds = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".json": "application/json",
	".txt": "text/plain; charset=utf-8", "": "text/plain; charset=utf-8",
}

func newAsset(extension string, text []byte) asset {
	kind, known := kinds[extension]
	if !known {
		kind = mime.TypeByExtension(extension)
	}
	sum := sha256.Sum256(text)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(text) // into memory
	_ = z.Close()
	return asset{kind, text, b.Bytes(), `"` + hex.EncodeToString(sum[:8]) + `"`}
}

func (a asset) send(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", a.tag)
	h.Set("Vary", "Accept-Encoding")
	if r.Header.Get("If-None-Match") == a.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", a.kind)
	text := a.plain
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		text = a.gzip
	}
	_, _ = w.Write(text)
}
