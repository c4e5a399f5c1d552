package change

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"

	"leveret/solc"
)

// A packed object is the header and the body of a pack entry.
type packed struct {
	kind byte // type in git's pack format: 1 is a commit, 6 and 7 are deltas
	size int
	base []byte // of a delta
	body []byte
}

// pack writes a repository whose HEAD is the first of some objects, with the ids
// 01…, 02… and so on.
func pack(t *testing.T, objects []packed) string {
	t.Helper()
	dir := t.TempDir()
	folder := filepath.Join(dir, ".git", "objects", "pack")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	out.WriteString("PACK")
	binary.Write(&out, binary.BigEndian, []uint32{2, uint32(len(objects))})
	var index idxfile.Writer
	index.OnHeader(uint32(len(objects)))
	for i, o := range objects {
		index.Add(plumbing.Hash(name(i)), uint64(out.Len()), 0)
		size := o.size
		b := o.kind<<4 | byte(size&15)
		for size >>= 4; size > 0; size >>= 7 {
			out.WriteByte(b | 0x80)
			b = byte(size & 0x7f)
		}
		out.WriteByte(b)
		out.Write(o.base)
		z := zlib.NewWriter(&out)
		z.Write(o.body)
		z.Close()
	}
	sum := sha1.Sum(out.Bytes())
	out.Write(sum[:])
	index.OnFooter(plumbing.Hash(sum))
	built, err := index.Index()
	if err != nil {
		t.Fatal(err)
	}
	var idx bytes.Buffer
	if _, err := idxfile.NewEncoder(&idx).Encode(built); err != nil {
		t.Fatal(err)
	}
	base := filepath.Join(folder, "pack-"+plumbing.Hash(sum).String())
	for path, text := range map[string][]byte{base + ".pack": out.Bytes(), base + ".idx": idx.Bytes(), filepath.Join(dir, ".git", "HEAD"): []byte(plumbing.Hash(name(0)).String() + "\n")} {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func name(i int) [20]byte { return [20]byte{byte(i + 1), byte((i + 1) >> 8)} }

// delta returns a delta that copies nothing and claims sizes.
func delta(from, to int) []byte {
	var b []byte
	b = binary.AppendUvarint(b, uint64(from))
	return binary.AppendUvarint(b, uint64(to))
}

// A malicious pack returns an error, without unbounded recursion or memory.
func TestHostilePacks(t *testing.T) {
	first, second := name(0), name(1)
	small := delta(5, 5)
	huge := delta(1<<40, 1<<40)
	zeros := make([]byte, 64<<20)
	for title, objects := range map[string][]packed{
		"a delta of itself by name":       {{7, len(small), first[:], small}},
		"a large delta of itself by name": {{7, 1 << 20, first[:], make([]byte, 1<<20)}},
		"a delta of itself by place":      {{6, len(small), []byte{0}, small}},
		"deltas of each other":            {{7, len(small), second[:], small}, {7, len(small), first[:], small}},
		"a huge delta":                    {{7, len(huge), second[:], huge}, {1, 5, nil, []byte("tree ")}},
		"a huge commit":                   {{1, 1 << 40, nil, zeros}},
		"a commit longer than it says":    {{1, 10, nil, zeros}},
		"a delta of a huge commit":        {{7, len(small), second[:], small}, {1, 1 << 40, nil, zeros}},
		"no commit":                       {{1, 0, nil, nil}},
	} {
		t.Run(strings.ReplaceAll(title, " ", "-"), func(t *testing.T) {
			dir := pack(t, objects)
			if _, err := Since(t.Context(), dir, "HEAD", []*solc.Source{{Path: filepath.Join(dir, "A.sol")}}); err == nil {
				t.Error("no error")
			} else {
				t.Log(err)
			}
		})
	}
}
