package host

import (
	"errors"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"leveret/engine/cheat"
	"leveret/engine/fork/forktest"
	"leveret/solc"
)

// newHost returns the host of a trusted project with files, whose foundry.toml
// allows nothing yet.
func newHost(t *testing.T, files ...string) *Host {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root = filepath.Join(root, "project")
	for _, f := range append(files, "foundry.toml") {
		path := filepath.Join(root, f)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(f), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return &Host{Folder: root, Trusted: true}
}

func (h *Host) allow(path string, read, write bool) {
	h.Config.Permissions = append(h.Config.Permissions, solc.FilePermission{Path: path, Read: read, Write: write})
}

func TestPermissions(t *testing.T) {
	h := newHost(t, "a.txt", "out/x.json", "out/secret/y", "both/z")
	check := func(path string, read, write bool) {
		t.Helper()
		_, readErr := h.Readable(path)
		_, writeErr := h.Writable(path)
		if (readErr == nil) != read || (writeErr == nil) != write {
			t.Errorf("%s: read %v, write %v", path, readErr, writeErr)
		}
	}
	check("a.txt", false, false)
	h.allow("out", true, false)
	h.allow("./out/secret", false, false)
	h.allow("both", true, false)
	h.allow("both/", false, true)
	check("a.txt", false, false)
	check("out", true, false)
	check("out/x.json", true, false)
	check("out/new/file", true, false)
	check(filepath.Join(h.Folder, "out", "x.json"), true, false)
	check("outside", false, false)
	check("out/secret/y", false, false)
	check("out/secret", false, false)
	check("both/z", true, true)
	check("out/../a.txt", false, false)
	h.allow("./", true, true)
	check("a.txt", true, true)
	check("", true, true)
	check("out/secret/y", false, false)
	for _, config := range []string{"foundry.toml", "./Foundry.TOML", "out/../foundry.toml", filepath.Join(h.Folder, "foundry.toml")} {
		if _, err := h.Writable(config); err == nil || !strings.Contains(err.Error(), "foundry.toml") {
			t.Errorf("%s is writable: %v", config, err)
		}
	}
	check("a\x00b", false, false)
}

// TestHostilePaths checks that a project's permissions hold for what a path really
// leads to.
func TestHostilePaths(t *testing.T) {
	h := newHost(t, "in/a.txt")
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.allow("in", true, true)
	paths := []string{"../secret", "in/../../secret", "in/../../../../../../../../etc/passwd", secret, "/etc/passwd", "/dev/zero", "/proc/self/environ", "in/../foundry.toml", "~/.ssh/id_rsa", `..\secret`, `\\server\share\x`, "file:///etc/passwd"}
	if runtime.GOOS != "windows" {
		for name, to := range map[string]string{"file": secret, "folder": outside, "dangling": filepath.Join(outside, "absent"), "config": "../foundry.toml", "loop": "loop", "chain": "file"} {
			if err := os.Symlink(to, filepath.Join(h.Folder, "in", name)); err != nil {
				t.Fatal(err)
			}
			if name != "loop" {
				paths = append(paths, "in/"+name)
			}
		}
		paths = append(paths, "in/folder/secret", "in/folder/new")
	}
	for _, path := range paths {
		if real, err := h.Readable(path); err == nil {
			t.Errorf("%q may be read: %s", path, real)
		}
		if real, err := h.Writable(path); err == nil {
			t.Errorf("%q may be written: %s", path, real)
		}
	}
	if real, err := h.Readable("in/./a.txt"); err != nil || real != filepath.Join(h.Folder, "in", "a.txt") {
		t.Errorf("%s, %v", real, err)
	}
	// A link to a folder that is allowed is no way around, in either direction.
	if runtime.GOOS != "windows" {
		if err := os.Symlink(outside, filepath.Join(h.Folder, "linked")); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, "linked/secret", "linked")
	}
	// Permissions reach no further than the project.
	for _, path := range []string{"linked", outside, "../", "/", "in"} {
		h.allow(path, true, true)
	}
	inside := []string{"in/../foundry.toml", "in/config", "~/.ssh/id_rsa", "file:///etc/passwd"}
	if runtime.GOOS != "windows" {
		inside = append(inside, `..\secret`, `\\server\share\x`)
	}
	for _, path := range paths {
		for _, may := range []func(string) (string, error){h.Readable, h.Writable} {
			if real, err := may(path); !slices.Contains(inside, path) && (err == nil || !strings.Contains(err.Error(), "is outside of the project")) {
				t.Errorf("%q may be reached: %s, %v", path, real, err)
			}
		}
	}
}

// TestUntrusted checks that nothing is reached whatever the configuration says.
func TestUntrusted(t *testing.T) {
	h := newHost(t, "a.txt", ".env", "out/A.sol/A.json")
	h.Trusted, h.Programs = false, true
	h.Config.FFI = true
	h.allow("./", true, true)
	h.allow("/", true, true)
	t.Setenv("LEVERET_TEST_VARIABLE", "x")
	marker := filepath.Join(h.Folder, "ran")
	_, readErr := h.Readable("a.txt")
	_, writeErr := h.Writable("a.txt")
	_, _, envErr := h.Env("LEVERET_TEST_VARIABLE")
	_, _, _, programErr := h.Execute([]string{"touch", marker}, nil)
	_, fileErr := h.Artifact("out/A.sol/A.json")
	chain := forktest.New(&forktest.Chain{ID: 1, Latest: 5})
	server := httptest.NewServer(chain)
	defer server.Close()
	h.Forks = NewForks(t.Context(), "")
	h.Chains = solc.ForkConfig{URL: "main", Endpoints: map[string]solc.Endpoint{"main": {URLs: []solc.EndpointURL{solc.EndpointURL(server.URL)}}}}
	_, aliasErr := h.Fork("main", nil)
	_, urlErr := h.Fork(server.URL, nil)
	_, startErr := h.Start()
	_, _, endpointErr := h.Endpoint("main")
	_, endpointsErr := h.Endpoints()
	for name, err := range map[string]error{"Readable": readErr, "Writable": writeErr, "Env": envErr, "Execute": programErr, "Artifact": fileErr,
		"Fork": aliasErr, "Fork of a URL": urlErr, "Start": startErr, "Endpoint": endpointErr, "Endpoints": endpointsErr} {
		if err == nil || !strings.Contains(err.Error(), "not trusted") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("a program ran")
	}
	if n := chain.Requests(); n > 0 {
		t.Errorf("%d requests were sent", n)
	}
}

func TestEnv(t *testing.T) {
	h := newHost(t)
	if err := os.WriteFile(filepath.Join(h.Folder, ".env"), []byte("# comment\nLEVERET_TEST_A=file\nexport LEVERET_TEST_B=\"b c\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("LEVERET_TEST_A", "process")
	for name, want := range map[string]string{"LEVERET_TEST_A": "process", "LEVERET_TEST_B": "b c", "LEVERET_TEST_C": ""} {
		if value, set, err := h.Env(name); value != want || set != (want != "") || err != nil {
			t.Errorf("%s is %q, %v, %v", name, value, set, err)
		}
	}
	bad := newHost(t)
	if err := os.WriteFile(filepath.Join(bad.Folder, ".env"), []byte("SECRET 'hunter2"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := bad.Env("LEVERET_TEST_C"); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
}

func TestExecute(t *testing.T) {
	h := newHost(t, "a.txt")
	for _, allowed := range []bool{false, true} {
		for _, config := range []bool{false, true} {
			h.Programs, h.Config.FFI = allowed, config
			if _, _, _, err := h.Execute([]string{"leveret-no-such-program"}, nil); err == nil || (allowed && config) != strings.Contains(err.Error(), "failed to execute leveret-no-such-program") {
				t.Errorf("user %v, foundry.toml %v: %v", allowed, config, err)
			}
		}
	}
	if runtime.GOOS == "windows" {
		t.Skip("needs a Unix shell")
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	code, out, complaint, err := h.Execute([]string{"sh", "-c", "pwd; cat a.txt; printf \" $LEVERET_A\"; echo bad >&2; exit 3"}, []string{"LEVERET_A=of the test"})
	if want := h.Folder + "\na.txt of the test"; code != 3 || string(out) != want || !strings.Contains(string(complaint), "bad") || err != nil {
		t.Errorf("%d %q %q %v", code, out, complaint, err)
	}
	if _, _, _, err := h.Execute([]string{"sh", "-c", "while :; do echo 0123456789012345678901234567890123456789; done"}, nil); err == nil {
		t.Error("endless output is accepted")
	}
}

func TestArtifacts(t *testing.T) {
	long := func(b byte) []byte { return []byte(strings.Repeat(string(rune(b)), 100)) }
	build := &solc.Build{Version: "0.8.30"}
	build.Contracts = []*solc.Contract{
		{Name: "A", File: "src/A.sol", Build: build, Creation: solc.Code{Object: long('a')}, Runtime: solc.Code{Object: long('b')}, Methods: map[string]string{"f()": "01020304", "a()": "00000001"}},
		{Name: "B", File: "src/B.sol", Build: build, Creation: solc.Code{Object: long('c'), Links: []solc.Link{{Library: "L"}}}, Runtime: solc.Code{Object: long('d')}},
	}
	h := newHost(t)
	h.Builds, h.Contract = solc.Builds{build}, build.Contracts[0]
	a, err := h.Artifact("A.sol:A")
	if err != nil || string(a.Creation) != string(long('a')) || string(a.Deployed) != string(long('b')) || !slices.Equal(a.Selectors, [][4]byte{{0, 0, 0, 1}, {1, 2, 3, 4}}) {
		t.Errorf("%+v, %v", a, err)
	}
	if a.Path != filepath.Join(h.Folder, "out", "A.sol", "A.json") {
		t.Error(a.Path)
	}
	if b, err := h.Artifact("B"); err != nil || b.Creation != nil || b.Deployed == nil {
		t.Errorf("%+v, %v", b, err)
	}
	if _, err := h.Artifact("C"); !errors.Is(err, solc.ErrNoArtifact) {
		t.Error(err)
	}
	changed := long('b')
	copy(changed, "12345")
	if a, err := h.ArtifactOf(changed, true); err != nil || filepath.Base(a.Path) != "A.json" {
		t.Errorf("%v, %v", a, err)
	}
	if _, err := h.ArtifactOf(changed[:50], true); !errors.Is(err, solc.ErrNoArtifact) {
		t.Error(err)
	}
	if _, err := h.ArtifactOf(nil, false); !errors.Is(err, solc.ErrNoArtifact) {
		t.Error(err)
	}
	if file, err := h.File(); file != "src/A.sol" || err != nil {
		t.Error(file, err)
	}
}

func TestArtifactFiles(t *testing.T) {
	h := newHost(t)
	h.allow("./", true, false)
	for name, c := range map[string]struct{ text, creation, deployed string }{
		"forge":   {`{"abi":[{"type":"function","name":"f","inputs":[]}],"bytecode":{"object":"0x0102"},"deployedBytecode":{"object":"0x03"}}`, "\x01\x02", "\x03"},
		"hardhat": {`{"abi":[],"bytecode":"0x0102","deployedBytecode":"0x"}`, "\x01\x02", ""},
	} {
		if err := os.WriteFile(filepath.Join(h.Folder, name+".json"), []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		a, err := h.Artifact(name + ".json")
		if err != nil || string(a.Creation) != c.creation || string(a.Deployed) != c.deployed || (name == "forge") != (len(a.Selectors) == 1) {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
	for name, text := range map[string]string{"unlinked": `{"bytecode":"0x73__$987e73aeca5e61ce83e4cb0814d87beda9$__63"}`, "text": "hello", "number": `{"bytecode":7}`} {
		if err := os.WriteFile(filepath.Join(h.Folder, name+".json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if a, err := h.Artifact(name + ".json"); err == nil {
			t.Errorf("%s: %+v", name, a)
		}
	}
	if _, err := h.Artifact("absent.json"); err == nil {
		t.Error("an absent file is an artifact")
	}
	if _, err := h.Artifact("../x.json"); err == nil || !strings.Contains(err.Error(), "outside of the project") {
		t.Error(err)
	}
}

func TestBroadcasts(t *testing.T) {
	h := newHost(t)
	h.Config.Broadcasts = "records"
	if folder, err := h.Broadcasts(); err != nil || folder != filepath.Join(h.Folder, "records") {
		t.Error(folder, err)
	}
	h.Config.Broadcasts = "../records"
	if folder, err := h.Broadcasts(); err == nil || !strings.Contains(err.Error(), "outside of the project") {
		t.Error(folder, err)
	}
	h.Config.Broadcasts, h.Trusted = "records", false
	if folder, err := h.Broadcasts(); err == nil || !strings.Contains(err.Error(), "not trusted") {
		t.Error(folder, err)
	}
}

func TestNow(t *testing.T) {
	if now, err := newHost(t).Now(); err != nil || now.IsZero() || now.After(time.Now()) {
		t.Error(now, err)
	}
	var _ cheat.Host = &Host{}
}
