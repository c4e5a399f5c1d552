package corpus

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// fileHeader is the first line of a corpus file. The file is a list of inputs
// in their readable form (engine/input), with a line of dashes before each.
const fileHeader = "leveret corpus v1\n"

const separator = "---\n"

// Join makes the contents of a corpus file. Equal inputs are written once;
// newlines at the end of an input make no difference.
func Join(inputs [][]byte) []byte {
	out := []byte(fileHeader)
	seen := map[string]bool{}
	for _, in := range inputs {
		in = bytes.TrimRight(in, "\n")
		if seen[string(in)] {
			continue
		}
		seen[string(in)] = true
		out = append(append(append(out, separator...), in...), '\n')
	}
	return out
}

// Split is the inverse of Join: inputs are without newlines around them. What
// is not a corpus file has no inputs; of a file that was cut short, the last
// input may be incomplete.
func Split(data []byte) [][]byte {
	body, ok := bytes.CutPrefix(data, []byte(fileHeader))
	if !ok {
		return nil
	}
	var inputs [][]byte
	for _, part := range bytes.Split(slices.Concat([]byte("\n"), body, []byte("\n")), []byte("\n"+separator)) {
		if part = bytes.Trim(part, "\n"); len(part) > 0 {
			inputs = append(inputs, part)
		}
	}
	return inputs
}

// Save writes a file so that a reader, or a crash at any moment, finds either
// the old contents or the new. It makes the folder if there is none. The same
// trouble is the same error every time.
func Save(path string, data []byte) error {
	err := replace(path, data)
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return &fs.PathError{Op: p.Op, Path: path, Err: p.Err} // the name of the file in between is random
	}
	return err
}

func replace(path string, data []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once the file is in place
	if _, err = f.Write(data); err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
