package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"leveret/solc/version"
)

// A publisher imitates the servers that publish compilers: the official one
// below /official and an npm registry below /npm. It can fail in many ways.
type publisher struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
	// wrong replaces the response for a path.
	wrong map[string]http.HandlerFunc
	files map[string][]byte
	list  map[string][]map[string]string // by folder
	npm   map[string]map[string]any      // by version
	end   chan struct{}
}

func newPublisher(t *testing.T) *publisher {
	p := &publisher{wrong: map[string]http.HandlerFunc{}, files: map[string][]byte{},
		list: map[string][]map[string]string{}, npm: map[string]map[string]any{}, end: make(chan struct{})}
	p.Server = httptest.NewServer(http.HandlerFunc(p.answer))
	t.Cleanup(func() { close(p.end); p.Close() })
	return p
}

func (p *publisher) answer(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.asked = append(p.asked, r.URL.Path)
	p.mu.Unlock()
	if wrong := p.wrong[r.URL.Path]; wrong != nil {
		wrong(w, r)
		return
	}
	if folder, ok := strings.CutPrefix(r.URL.Path, "/official/"); ok && filepath.Base(folder) == "list.json" && p.list[filepath.Dir(folder)] != nil {
		json.NewEncoder(w).Encode(map[string]any{"builds": p.list[filepath.Dir(folder)], "latestRelease": "0.0.0"})
		return
	}
	if r.URL.Path == "/npm/solc" && len(p.npm) > 0 {
		json.NewEncoder(w).Encode(map[string]any{"name": "solc", "versions": p.npm})
		return
	}
	if text, ok := p.files[r.URL.Path]; ok {
		w.Write(text)
		return
	}
	http.NotFound(w, r)
}

// official publishes a compiler in a folder of the official lists.
func (p *publisher) official(folder, version, text string) (path string) {
	name := "solc-" + folder + "-v" + version + "+commit.01234567"
	path = "/official/" + folder + "/" + name
	p.files[path] = []byte(text)
	sum := sha256.Sum256([]byte(text))
	p.list[folder] = append(p.list[folder], map[string]string{"path": name, "version": version, "build": "commit.01234567",
		"longVersion": version + "+commit.01234567", "keccak256": "0x00", "sha256": "0x" + hex.EncodeToString(sum[:])})
	return path
}

// registry publishes a compiler as an npm package.
func (p *publisher) registry(version, text string) (path string) {
	path = "/npm/solc/-/solc-" + version + ".tgz"
	p.files[path] = pack("package/package.json", `{"name":"solc"}`, "package/other/soljson.js", "not this one", "package/soljson.js", text)
	p.vouch(version, path)
	return path
}

// vouch updates the checksum of a package.
func (p *publisher) vouch(version, path string) {
	sum := sha512.Sum512(p.files[path])
	p.npm[version] = map[string]any{"dist": map[string]string{"tarball": p.URL + path, "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}}
}

// pack creates an npm package: name, text, name, text, ….
func pack(files ...string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for i := 0; i < len(files); i += 2 {
		w.WriteHeader(&tar.Header{Name: files[i], Mode: 0o644, Size: int64(len(files[i+1])), Typeflag: tar.TypeReg})
		w.Write([]byte(files[i+1]))
	}
	w.Close()
	z.Close()
	return b.Bytes()
}

// binary returns a native compiler of a version.
func binary(version string) string {
	return "#!/bin/sh\necho 'solc, the solidity compiler'\necho 'Version: " + version + "+commit.01234567.Linux.g++'\n"
}

func (p *publisher) installer(t *testing.T) *Installer {
	return &Installer{Dir: filepath.Join(t.TempDir(), "compilers"), Official: p.URL + "/official/", Registry: p.URL + "/npm",
		Platform: "linux-amd64", Node: true, Patience: 10 * time.Second}
}

// Handlers for failing downloads.

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// truncated announces the whole length and ends after half.
func truncated(text []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(text)))
		w.Write(text[:len(text)/2])
	}
}

// short announces and sends half of the file.
func short(text []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.Write(text[:len(text)/2]) }
}

// stalled sends the first byte or nothing, and then blocks.
func (p *publisher) stalled(text []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if len(text) > 0 {
			w.Header().Set("Content-Length", fmt.Sprint(len(text)))
			w.Write(text[:1])
			w.(http.Flusher).Flush()
		}
		select {
		case <-r.Context().Done():
		case <-p.end:
		}
	}
}

func redirect(to string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) }
}

func exact(t *testing.T, text string) version.Range {
	t.Helper()
	r, err := version.ParseRange(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// left lists the files in the folder.
func left(t *testing.T, i *Installer) []string {
	t.Helper()
	entries, err := os.ReadDir(i.Dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	slices.Sort(names)
	return names
}
