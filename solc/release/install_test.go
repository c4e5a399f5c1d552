package release

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"leveret/solc"
	"leveret/solc/compiler"
)

func TestInstall(t *testing.T) {
	for _, row := range []struct {
		name    string
		publish func(p *publisher, i *Installer)
		want    string // installed release
		asked   string // the last requested path
	}{
		{"native", func(p *publisher, _ *Installer) {
			p.official("linux-amd64", "0.8.30", binary("0.8.30"))
			p.official("bin", "0.8.30", "js")
			p.registry("0.8.30", "js")
		}, "solc-v0.8.30", "/official/linux-amd64/solc-linux-amd64-v0.8.30+commit.01234567"},
		{"JavaScript where nothing is native", func(p *publisher, _ *Installer) {
			p.official("linux-amd64", "0.8.29", binary("0.8.29"))
			p.official("bin", "0.8.30", "js")
			p.registry("0.8.30", "js")
		}, "soljson-v0.8.30.js", "/official/bin/solc-bin-v0.8.30+commit.01234567"},
		{"npm where the official lists do not answer", func(p *publisher, _ *Installer) { p.registry("0.8.30", "js") },
			"soljson-v0.8.30.js", "/npm/solc/-/solc-0.8.30.tgz"},
		{"npm where there is no official address", func(p *publisher, i *Installer) {
			i.Official = ""
			p.official("linux-amd64", "0.8.30", binary("0.8.30"))
			p.registry("0.8.30", "js")
		}, "soljson-v0.8.30.js", "/npm/solc/-/solc-0.8.30.tgz"},
		{"the repaired package", func(p *publisher, _ *Installer) {
			p.registry("0.8.30", "broken")
			p.registry("0.8.30-fixed", "js")
			p.registry("0.8.30-nightly.1", "js")
		}, "soljson-v0.8.30.js", "/npm/solc/-/solc-0.8.30-fixed.tgz"},
		{"JavaScript where the native one does not run", func(p *publisher, _ *Installer) {
			p.official("linux-amd64", "0.8.30", "no program")
			p.official("bin", "0.8.30", "js")
		}, "soljson-v0.8.30.js", "/official/bin/solc-bin-v0.8.30+commit.01234567"},
		{"JavaScript where the native one is another", func(p *publisher, _ *Installer) {
			p.official("linux-amd64", "0.8.30", binary("0.8.29"))
			p.official("bin", "0.8.30", "js")
		}, "soljson-v0.8.30.js", "/official/bin/solc-bin-v0.8.30+commit.01234567"},
		{"a redirect", func(p *publisher, _ *Installer) {
			p.files["/mirror"] = []byte("js")
			p.wrong[p.official("bin", "0.8.30", "js")] = redirect("/mirror")
		}, "soljson-v0.8.30.js", "/mirror"},
		{"a bad checksum, but npm", func(p *publisher, _ *Installer) {
			p.files[p.official("linux-amd64", "0.8.30", binary("0.8.30"))] = []byte(binary("0.8.30") + "rm -rf /\n")
			p.registry("0.8.30", "js")
		}, "soljson-v0.8.30.js", "/npm/solc/-/solc-0.8.30.tgz"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if runtime.GOOS == "windows" {
				t.Skip("the native compilers of this test are shell scripts")
			}
			p := newPublisher(t)
			i := p.installer(t)
			row.publish(p, i)
			have, err := i.Install(t.Context(), exact(t, "0.8.30"))
			if err != nil {
				t.Fatal(err)
			}
			if want := filepath.Join(i.Dir, row.want); have.Path != want || have.Version.String() != "0.8.30" || have.Node != strings.HasSuffix(want, ".js") {
				t.Errorf("installed %v, want %s", have, want)
			}
			if got := left(t, i); !slices.Equal(got, []string{row.want}) {
				t.Errorf("the folder has %q", got)
			}
			if last := p.asked[len(p.asked)-1]; last != row.asked {
				t.Errorf("requested %q, last %s, want %s", p.asked, last, row.asked)
			}
			if found := compiler.InstalledIn(i.Dir); len(found) != 1 || found[0] != have {
				t.Errorf("found %v afterwards", found)
			}
		})
	}
}

// A failed installation leaves no files and returns one sentence with the reason
// and the remedy.
func TestInstallFails(t *testing.T) {
	for _, row := range []struct {
		name  string
		spoil func(p *publisher, i *Installer, path string)
		want  string
	}{
		{"bad checksum", func(p *publisher, _ *Installer, path string) { p.files[path] = []byte("evil") }, "the checksum does not match the published one"},
		{"truncated", func(p *publisher, _ *Installer, path string) { p.wrong[path] = truncated(p.files[path]) }, "the connection ended after"},
		{"short", func(p *publisher, _ *Installer, path string) { p.wrong[path] = short(p.files[path]) }, "checksum"},
		{"empty", func(p *publisher, _ *Installer, path string) { p.wrong[path] = status(http.StatusOK) }, "checksum"},
		{"not there", func(p *publisher, _ *Installer, path string) { delete(p.files, path) }, "answers 404 Not Found"},
		{"out of order", func(p *publisher, _ *Installer, path string) { p.wrong[path] = status(http.StatusBadGateway) }, "answers 502 Bad Gateway"},
		{"silent", func(p *publisher, i *Installer, path string) {
			i.Patience, p.wrong[path] = 50*time.Millisecond, p.stalled(nil)
		}, "nothing arrived for 50ms"},
		{"silent after a while", func(p *publisher, i *Installer, path string) {
			i.Patience, p.wrong[path] = 50*time.Millisecond, p.stalled(p.files[path])
		}, "nothing arrived for 50ms"},
		{"a circle", func(p *publisher, _ *Installer, path string) { p.wrong[path] = redirect(path) }, "too many redirects"},
		{"no list", func(p *publisher, _ *Installer, _ string) {
			p.list, p.npm = nil, nil
		}, "the list of compilers cannot be had: http://127.0.0.1"},
		{"nonsense for a list", func(p *publisher, _ *Installer, _ string) {
			nonsense := func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("<html>")) }
			p.wrong["/official/linux-amd64/list.json"], p.wrong["/official/bin/list.json"], p.wrong["/npm/solc"] = nonsense, nonsense, nonsense
		}, "the list of compilers cannot be had"},
		{"gone", func(p *publisher, _ *Installer, _ string) { p.CloseClientConnections(); p.Listener.Close() }, "it cannot be reached"},
		{"no such host", func(_ *publisher, i *Installer, _ string) {
			i.Official, i.Registry = "http://nowhere.invalid", ""
			i.Client = &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.DNSError{Name: "nowhere.invalid", IsNotFound: true}
			}}}
		}, "the host name nowhere.invalid cannot be resolved; check the network"},
		{"nothing for this machine", func(_ *publisher, i *Installer, _ string) { i.Platform, i.Node = "", false }, "there is no node on the PATH"},
	} {
		t.Run(row.name, func(t *testing.T) {
			for _, source := range []string{"official", "npm"} {
				p := newPublisher(t)
				i := p.installer(t)
				var path string
				if source == "official" {
					path = p.official("bin", "0.8.30", "a compiler in JavaScript")
				} else {
					path = p.registry("0.8.30", "a compiler in JavaScript")
				}
				row.spoil(p, i, path)
				_, err := i.Install(t.Context(), exact(t, "0.8.30"))
				var f *solc.Failure
				if !errors.As(err, &f) || f.Kind != solc.DownloadFailed {
					t.Fatalf("%s: %v", source, err)
				}
				if text := err.Error(); !strings.Contains(text, row.want) || !strings.Contains(text, "; try again with a network, or copy a compiler into "+i.Dir) || strings.Contains(text, "\n") {
					t.Errorf("%s: %q lacks %q", source, text, row.want)
				}
				if got := left(t, i); len(got) > 0 {
					t.Errorf("%s: left behind %q", source, got)
				}
			}
		})
	}
}

// Releases without a checksum and unsupported versions are not listed.
func TestNotOffered(t *testing.T) {
	p := newPublisher(t)
	i := p.installer(t)
	for _, version := range []string{"0.4.10", "0.8.1", "0.8.2", "0.8.3", "0.8.4"} {
		p.official("bin", version, "js")
		p.registry(version, "js")
	}
	for n := range p.list["bin"] {
		switch b := p.list["bin"][n]; b["version"] {
		case "0.8.1":
			b["sha256"] = "0x1234"
		case "0.8.2":
			b["path"] = "../../etc/passwd"
		case "0.8.3":
			b["prerelease"] = "nightly.2026.1.1"
		case "0.8.4":
			b["path"] += ".zip"
		}
	}
	for _, v := range p.npm {
		v["dist"].(map[string]string)["integrity"] = "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk="
	}
	list, err := i.List(t.Context())
	if err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	_, err = i.Install(t.Context(), exact(t, "0.8.1"))
	if err == nil || !strings.Contains(err.Error(), "no compiler of this version is published for this machine; see leveret solc list --remote") {
		t.Error(err)
	}
}

// A package may be malicious even if its checksum is right.
func TestHostilePackage(t *testing.T) {
	for name, packed := range map[string][]byte{
		"no archive":        []byte("soljson"),
		"half an archive":   pack("package/soljson.js", strings.Repeat("x", 1<<20))[:600],
		"without compiler":  pack("package/index.js", "x"),
		"compiler too deep": pack("package/a/soljson.js", "x", "soljson.js", "x"),
	} {
		t.Run(name, func(t *testing.T) {
			p := newPublisher(t)
			i := p.installer(t)
			path := p.registry("0.8.30", "js")
			p.files[path] = packed
			p.vouch("0.8.30", path)
			if have, err := i.Install(t.Context(), exact(t, "0.8.30")); err == nil || !strings.Contains(err.Error(), "the package ") {
				t.Errorf("%v, %v", have, err)
			}
			if got := left(t, i); len(got) > 0 {
				t.Errorf("left behind %q", got)
			}
		})
	}
}

// An https address must not redirect to http.
func TestRedirectKeepsEncryption(t *testing.T) {
	plain := newPublisher(t)
	plain.official("bin", "0.8.30", "js")
	encrypted := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, plain.URL+r.URL.Path, http.StatusFound)
	}))
	defer encrypted.Close()
	i := plain.installer(t)
	i.Official, i.Registry, i.Client = encrypted.URL+"/official", "", encrypted.Client()
	if _, err := i.Install(t.Context(), exact(t, "0.8.30")); err == nil || !strings.Contains(err.Error(), "which is not encrypted") {
		t.Error(err)
	}
}

// Concurrent installations of one release produce one complete file and nothing
// else.
func TestConcurrentInstalls(t *testing.T) {
	p := newPublisher(t)
	i := p.installer(t)
	const text = "a compiler in JavaScript"
	p.registry("0.8.30", text)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			have, err := i.Install(t.Context(), exact(t, "0.8.30"))
			if err != nil {
				t.Error(err)
				return
			}
			if got, err := os.ReadFile(have.Path); err != nil || string(got) != text {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
	all.Wait()
	if got := left(t, i); !slices.Equal(got, []string{"soljson-v0.8.30.js"}) {
		t.Errorf("the folder has %q", got)
	}
}

// An installed release causes no download and no request.
func TestInstalledAlready(t *testing.T) {
	p := newPublisher(t)
	i := p.installer(t)
	p.registry("0.8.29", "js")
	p.registry("0.8.30", "js")
	if have, err := i.Install(t.Context(), exact(t, "^0.8.0")); err != nil || have.Version.String() != "0.8.30" {
		t.Fatalf("%v, %v", have, err)
	}
	before := len(p.asked)
	if have, err := i.Install(t.Context(), exact(t, ">=0.8.10")); err != nil || have.Version.String() != "0.8.30" || len(p.asked) != before {
		t.Errorf("%v, %v, requested %q", have, err, p.asked[before:])
	}
	if gone, err := i.Remove(exact(t, "0.8.29")); err != nil || len(gone) != 0 {
		t.Errorf("removed %v, %v", gone, err)
	}
	if gone, err := i.Remove(exact(t, "^0.8.0")); err != nil || len(gone) != 1 || len(i.Installed()) != 0 {
		t.Errorf("removed %v, %v", gone, err)
	}
}

func TestInstallIsStopped(t *testing.T) {
	p := newPublisher(t)
	i := p.installer(t)
	path := p.registry("0.8.30", "js")
	ctx, cancel := context.WithCancel(t.Context())
	p.wrong[path] = func(w http.ResponseWriter, r *http.Request) {
		cancel()
		p.stalled(nil)(w, r)
	}
	if _, err := i.Install(ctx, exact(t, "0.8.30")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if got := left(t, i); len(got) > 0 {
		t.Errorf("left behind %q", got)
	}
}

// Files of killed installations are removed after a day.
func TestSweep(t *testing.T) {
	p := newPublisher(t)
	i := p.installer(t)
	p.registry("0.8.30", "js")
	if err := os.MkdirAll(i.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	old, young := filepath.Join(i.Dir, "new-1.js"), filepath.Join(i.Dir, "new-2.js")
	for _, path := range []string{old, young} {
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	past := time.Now().Add(-2 * abandoned)
	if err := os.Chtimes(old, past, past); err != nil {
		t.Fatal(err)
	}
	if _, err := i.Install(t.Context(), exact(t, "0.8.30")); err != nil {
		t.Fatal(err)
	}
	if got := left(t, i); !slices.Equal(got, []string{"new-2.js", "soljson-v0.8.30.js"}) {
		t.Errorf("the folder has %q", got)
	}
}

func TestProgress(t *testing.T) {
	p := newPublisher(t)
	i := p.installer(t)
	p.registry("0.8.30", strings.Repeat("x", 1<<20))
	var last int64
	i.Progress = func(r Release, done, total int64) {
		if done < last || total != 0 && done > total || r.From != p.URL+"/npm" {
			t.Errorf("%v: %d of %d after %d", r, done, total, last)
		}
		last = done
	}
	if _, err := i.Install(t.Context(), exact(t, "0.8.30")); err != nil || last == 0 {
		t.Error(last, err)
	}
}
