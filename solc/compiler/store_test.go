package compiler

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"leveret/solc"
	"leveret/solc/solctest"
	"leveret/solc/version"
)

func testStore(t *testing.T, limit int64) *store {
	return newStore(Env{CacheDir: t.TempDir(), CacheSize: limit})
}

func TestStoreReturnsEntry(t *testing.T) {
	s := testStore(t, 0)
	key := storeKey(Installation{Path: "/solc"}, []byte("input"))
	if got := s.get(key); got != nil {
		t.Errorf("empty store has %q", got)
	}
	s.put(key, []byte(`{"a":1}`))
	s.wait()
	if got := s.get(key); string(got) != `{"a":1}` {
		t.Errorf("got %q", got)
	}
	if again := newStore(Env{CacheDir: filepath.Dir(filepath.Dir(filepath.Dir(s.dir)))}).get(key); again == nil {
		t.Error("another store does not read it")
	}
}

func TestStoreKeysDiffer(t *testing.T) {
	keys := map[string]bool{}
	for _, i := range []Installation{{Path: "/a"}, {Path: "/b"}, {Path: "/a", Version: version.Version{Minor: 8}}} {
		for _, input := range []string{"", "x", "y"} {
			keys[storeKey(i, []byte(input))] = true
		}
	}
	if len(keys) != 9 {
		t.Errorf("%d keys for 9 compilations", len(keys))
	}
}

func TestStoreRemovesDamage(t *testing.T) {
	s := testStore(t, 0)
	for name, damage := range map[string]func(path string, text []byte) error{
		"truncated": func(path string, text []byte) error { return os.WriteFile(path, text[:len(text)/2], 0o644) },
		"no gzip":   func(path string, text []byte) error { return os.WriteFile(path, []byte("{}"), 0o644) },
		"flipped": func(path string, text []byte) error {
			text[len(text)-5] ^= 0xff
			return os.WriteFile(path, text, 0o644)
		},
		"empty": func(path string, text []byte) error { return os.WriteFile(path, nil, 0o644) },
	} {
		key := storeKey(Installation{}, []byte(name))
		s.put(key, bytes.Repeat([]byte("{}"), 1000))
		s.wait()
		text, err := os.ReadFile(s.path(key))
		if err != nil {
			t.Fatal(err)
		}
		if err := damage(s.path(key), text); err != nil {
			t.Fatal(err)
		}
		if got := s.get(key); got != nil {
			t.Errorf("%s: got %d bytes", name, len(got))
		}
		if solctest.Exists(s.path(key)) {
			t.Errorf("%s: the entry is still there", name)
		}
	}
}

// TestStoreEvictsLeastRecentlyUsed fills a store beyond its limit.
func TestStoreEvictsLeastRecentlyUsed(t *testing.T) {
	s := testStore(t, 0)
	var keys []string
	var size int64
	for i := range 10 {
		key := storeKey(Installation{}, []byte{byte(i)})
		keys = append(keys, key)
		if err := s.write(s.path(key), []byte(`{"same":"size"}`)); err != nil {
			t.Fatal(err)
		}
		used := time.Unix(int64(1e9+i), 0)
		if err := os.Chtimes(s.path(key), used, used); err != nil {
			t.Fatal(err)
		}
		info, _ := os.Stat(s.path(key))
		size = info.Size()
	}
	if s.get(keys[0]) == nil { // the oldest is now the most recently used
		t.Fatal("evicted before the store was full")
	}
	s.limit = 4 * size
	s.prune()
	for i, key := range keys {
		if want := i == 0 || i >= 7; solctest.Exists(s.path(key)) != want {
			t.Errorf("entry %d is there: %t", i, !want)
		}
	}
}

func TestStoreWithoutDirectory(t *testing.T) {
	none := newStore(Env{})
	none.put("aabb", []byte("{}"))
	none.wait()
	if none.get("aabb") != nil {
		t.Error("a store without a directory stored an entry")
	}
	// The directory is a file, as on a read-only disk: not even root can write
	// there.
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	blocked := newStore(Env{CacheDir: file})
	blocked.put("aabb", []byte("{}"))
	blocked.wait()
	if blocked.get("aabb") != nil {
		t.Error("stored an entry in a file")
	}
}

// TestCacheAvoidsCompiler checks that the second run does not start a compiler.
func TestCacheAvoidsCompiler(t *testing.T) {
	env := installed(t)
	i, err := Named(t.Context(), filepath.Join(env.ToolDirs[0], "node_modules", "solc-0.8.30"))
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string][]byte{"A.sol": []byte("contract A { uint public x; }")}
	var outputs [2][]byte
	for run := range outputs {
		tools := NewToolchain(env)
		if outputs[run], err = tools.Compile(t.Context(), i, sources, nil, solc.Settings{}); err != nil {
			t.Fatal(err)
		}
		if n := len(tools.runners); n != 1-run {
			t.Errorf("run %d: %d compilers were started", run, n)
		}
		tools.Close()
	}
	if len(outputs[0]) == 0 || !bytes.Equal(outputs[0], outputs[1]) {
		t.Error("the cached output differs")
	}
}
