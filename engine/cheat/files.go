package cheat

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/holiman/uint256"

	"leveret/engine/input"
	"leveret/solc/trust"
)

// entryType is Vm.DirEntry: error, path, depth, folder, link.
const entryType = "(string,string,uint64,bool,bool)"

var fileRows = []row{
	{"projectRoot()", "(string)", (*call).projectRoot, "returns the folder of the project"},
	{"currentFilePath()", "(string)", (*call).currentFile, "returns the path of the test contract's file"},
	{"exists(string)", "(bool)", func(c *call) error { return c.stat(func(os.FileInfo) bool { return true }) }, "reports whether a file exists"},
	{"isFile(string)", "(bool)", func(c *call) error { return c.stat(func(i os.FileInfo) bool { return i.Mode().IsRegular() }) }, "reports whether a path is a file"},
	{"isDir(string)", "(bool)", func(c *call) error { return c.stat(os.FileInfo.IsDir) }, "reports whether a path is a folder"},
	{"fsMetadata(string)", "((bool,bool,uint256,bool,uint256,uint256,uint256))", (*call).metadata, "returns kind, size and times of a file"},
	{"readFile(string)", "(string)", (*call).readFile, "reads a file as text"},
	{"readFileBinary(string)", "(bytes)", (*call).readFileBinary, "reads a file"},
	{"readLine(string)", "(string)", (*call).readLine, "reads the next line of a file"},
	{"closeFile(string)", "", (*call).closeFile, "makes vm.readLine begin again"},
	{"writeFile(string,string)", "", func(c *call) error { return c.write(c.text(0), c.data(1)) }, "writes a file"},
	{"writeFileBinary(string,bytes)", "", func(c *call) error { return c.write(c.text(0), c.data(1)) }, "writes a file"},
	{"writeLine(string,string)", "", (*call).writeLine, "adds a line to a file"},
	{"copyFile(string,string)", "(uint64)", (*call).copyFile, "copies a file"},
	{"removeFile(string)", "", (*call).removeFile, "removes a file"},
	{"createDir(string,bool)", "", (*call).createDir, "makes a folder"},
	{"removeDir(string,bool)", "", (*call).removeDir, "removes a folder"},
	{"readDir(string)", "(" + entryType + "[])", func(c *call) error { return c.readDir(1, false) }, "lists a folder"},
	{"readDir(string,uint64)", "(" + entryType + "[])", func(c *call) error { return c.readDir(c.number(1), false) }, "lists a folder and those in it"},
	{"readDir(string,uint64,bool)", "(" + entryType + "[])", func(c *call) error { return c.readDir(c.number(1), c.flag(2)) }, "lists a folder and those in it, and what links lead to"},
	{"readLink(string)", "(string)", (*call).readLink, "returns where a symbolic link leads"},
	{"unixTime()", "(uint256)", (*call).unixTime, "returns the time in milliseconds"},
	{"prompt(string)", "(string)", (*call).prompt, "asks the user: always fails"},
	{"promptSecret(string)", "(string)", (*call).prompt, "asks the user: always fails"},
	{"promptSecretUint(string)", "(uint256)", (*call).prompt, "asks the user: always fails"},
	{"promptAddress(string)", "(address)", (*call).prompt, "asks the user: always fails"},
	{"promptUint(string)", "(uint256)", (*call).prompt, "asks the user: always fails"},
}

// readers are the positions in files from which vm.readLine continues.
type readers map[string]int64

func (r readers) clone() readers { return maps.Clone(r) }

func (c *call) projectRoot() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	return c.give(textValue(h.Root()))
}

func (c *call) currentFile() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	path, err := h.File()
	return c.giveOne(textValue(path), err)
}

func (c *call) unixTime() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	now, err := h.Now()
	return c.giveOne(numberValue(uint64(now.UnixMilli())+c.memory.slept), err)
}

// sleep moves the clock by milliseconds.
func (c *call) sleep() error {
	n, err := c.small(0)
	c.memory.slept += n
	return err
}

func (c *call) prompt() error { return errors.New("nobody is asked while tests run") }

// stat gives what a function says of a file; false if it does not exist.
func (c *call) stat(is func(os.FileInfo) bool) error {
	path, err := c.readable(c.text(0))
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	return c.give(boolValue(err == nil && is(info)))
}

func (c *call) metadata() error {
	path, err := c.readable(c.text(0))
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	// the time of the last change stands in for those of access and creation, which
	// not all systems have
	changed := numberValue(uint64(max(info.ModTime().Unix(), 0)))
	return c.give(input.Value{Type: c.code.outputs[0].Type, Elems: []input.Value{
		boolValue(info.IsDir()), boolValue(info.Mode()&fs.ModeSymlink != 0), numberValue(uint64(info.Size())),
		boolValue(info.Mode().Perm()&0o222 == 0), changed, changed, changed,
	}})
}

func (c *call) readFile() error {
	text, err := c.readText(c.text(0))
	return c.giveOne(textValue(text), err)
}

func (c *call) readFileBinary() error {
	data, err := c.read(c.text(0))
	return c.giveOne(bytesValue(data), err)
}

// maxLine bounds the bytes of a line that vm.readLine returns.
const maxLine = 1 << 20

func (c *call) readLine() error {
	path, err := c.readable(c.text(0))
	if err != nil {
		return err
	}
	f, err := trust.OpenRegular(path, maxFile)
	if err != nil {
		return err
	}
	defer f.Close()
	at := c.memory.readers[path]
	if _, err := f.Seek(at, io.SeekStart); err != nil {
		return err
	}
	line, err := bufio.NewReader(io.LimitReader(f, maxLine)).ReadString('\n')
	if err != nil && err != io.EOF {
		return err
	}
	if len(line) == maxLine && !strings.HasSuffix(line, "\n") {
		return fmt.Errorf("%s has a line of more than 1 MB", path)
	}
	if c.memory.readers == nil {
		c.memory.readers = readers{}
	}
	c.memory.readers[path] = at + int64(len(line))
	if text, ok := strings.CutSuffix(line, "\n"); ok {
		line = strings.TrimSuffix(text, "\r")
	}
	return c.give(textValue(line))
}

func (c *call) closeFile() error {
	path, err := c.readable(c.text(0))
	if err == nil {
		delete(c.memory.readers, path)
	}
	return err
}

// target returns the absolute path of a file that may be written: there is a
// regular file, or none.
func (c *call) target(path string) (string, error) {
	real, err := c.writable(path)
	if err != nil {
		return "", err
	}
	if info, err := os.Lstat(real); err == nil && !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a regular file", real)
	}
	return real, nil
}

func (c *call) write(path string, data []byte) error {
	real, err := c.target(path)
	if err != nil {
		return err
	}
	if len(data) > maxFile {
		return fmt.Errorf("more than %d MB in one file", maxFile>>20)
	}
	return os.WriteFile(real, data, 0o644)
}

func (c *call) writeLine() error {
	path, err := c.target(c.text(0))
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && info.Size()+int64(len(c.data(1))) > maxFile {
		err = fmt.Errorf("more than %d MB in one file", maxFile>>20)
	}
	if err == nil {
		_, err = f.WriteString(c.text(1) + "\n")
	}
	return err
}

func (c *call) copyFile() error {
	data, err := c.read(c.text(0))
	if err != nil {
		return err
	}
	return c.giveOne(numberValue(uint64(len(data))), c.write(c.text(1), data))
}

func (c *call) removeFile() error {
	path, err := c.target(c.text(0))
	if err != nil {
		return err
	}
	delete(c.memory.readers, path)
	return os.Remove(path)
}

func (c *call) createDir() error {
	path, err := c.writable(c.text(0))
	if err != nil {
		return err
	}
	if c.flag(1) {
		return os.MkdirAll(path, 0o755)
	}
	return os.Mkdir(path, 0o755)
}

// removeDir removes a folder, but never one that holds the project.
func (c *call) removeDir() error {
	path, err := c.writable(c.text(0))
	if err != nil {
		return err
	}
	if rel, err := filepath.Rel(path, c.Config.Host.Root()); err == nil && filepath.IsLocal(rel) {
		return fmt.Errorf("%s holds the project", path)
	}
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", path)
	case c.flag(1):
		return os.RemoveAll(path)
	}
	return os.Remove(path)
}

func (c *call) readLink() error {
	given := c.text(0)
	if !filepath.IsAbs(given) {
		h, err := c.host()
		if err != nil {
			return err
		}
		given = filepath.Join(h.Root(), given)
	}
	dir, err := c.readable(filepath.Dir(given))
	if err != nil {
		return err
	}
	link := filepath.Join(dir, filepath.Base(given))
	if _, err := c.readable(link); err != nil {
		return err
	}
	to, err := os.Readlink(link)
	return c.giveOne(textValue(to), err)
}

// maxEntries bounds the entries that vm.readDir lists.
const maxEntries = 10_000

// A lister walks folders for vm.readDir.
type lister struct {
	*call
	depth   uint64 // most levels
	most    int    // entries
	follow  bool
	entries []input.Value
	open    []string // folders on the way, without links
}

func (c *call) readDir(depth uint64, follow bool) error {
	root, err := c.readable(c.text(0))
	if err != nil {
		return err
	}
	l := &lister{call: c, depth: depth, most: maxEntries, follow: follow}
	if err := l.list(root, root, 1); err != nil {
		return err
	}
	return c.give(listValue(c.code.outputs[0].Type.Elem, l.entries))
}

// list adds the entries of a folder, whose path without links is real.
func (l *lister) list(path, real string, level uint64) error {
	if level > l.depth {
		return nil
	}
	dir, err := os.Open(real)
	if err != nil {
		return l.add(path, level-1, nil, err)
	}
	found, err := dir.ReadDir(l.most + 1)
	dir.Close()
	if err != nil && err != io.EOF {
		return l.add(path, level-1, nil, err)
	}
	slices.SortFunc(found, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	l.open = append(l.open, real)
	defer func() { l.open = l.open[:len(l.open)-1] }()
	for _, e := range found {
		if err := l.visit(filepath.Join(path, e.Name()), filepath.Join(real, e.Name()), level, e); err != nil {
			return err
		}
	}
	return nil
}

func (l *lister) visit(path, real string, level uint64, e os.DirEntry) error {
	folder := e.IsDir()
	if l.follow && e.Type()&fs.ModeSymlink != 0 {
		to, err := l.readable(real)
		if err != nil {
			return l.add(path, level, e, err)
		}
		info, err := os.Stat(to)
		if err != nil {
			return l.add(path, level, e, err)
		}
		if real, folder = to, info.IsDir(); folder && slices.Contains(l.open, to) {
			return l.add(path, level, e, fmt.Errorf("the link leads to a folder that it is in: %s", to))
		}
	} else if _, err := l.readable(real); err != nil && e.Type()&fs.ModeSymlink == 0 {
		return l.add(path, level, e, err)
	}
	if err := l.addEntry(path, level, folder, e, ""); err != nil || !folder {
		return err
	}
	return l.list(path, real, level+1)
}

// add adds an entry with an error.
func (l *lister) add(path string, level uint64, e os.DirEntry, err error) error {
	return l.addEntry(path, level, false, e, err.Error())
}

func (l *lister) addEntry(path string, level uint64, folder bool, e os.DirEntry, failed string) error {
	if len(l.entries) == l.most {
		return fmt.Errorf("more than %d entries", l.most)
	}
	link := e != nil && failed == "" && e.Type()&fs.ModeSymlink != 0
	l.entries = append(l.entries, input.Value{Type: l.code.outputs[0].Type.Elem, Elems: []input.Value{
		textValue(failed), textValue(path), wordValue(uint256.NewInt(level)), boolValue(folder), boolValue(link),
	}})
	return nil
}
