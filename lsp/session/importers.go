package session

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"leveret/solc"
	"leveret/solc/project"
	"leveret/solc/scan"
	"leveret/solc/trust"
)

// maxScanned bounds the files and folders that are scanned for imports.
const maxScanned = 2000

// An importIndex caches the imports of files by the last part of their path.
// Only the compiler can resolve the whole path.
type importIndex struct {
	mu    sync.Mutex
	files map[string]imports
}

type imports struct {
	modified time.Time
	size     int64
	names    []string
	defines  bool // contracts that can be fuzzed
}

// importers returns the files of a project that seem to import a file,
// directly first.
func (t *toolchains) importers(source SourceFile) []string {
	p, err := project.OpenIn(t.trio(source).first, source.Root, source.File, source.Overlay)
	if err != nil {
		return nil // compilation reports the error
	}
	return t.index.closure(source.File, projectSources(p, source.Root))
}

// projectSources lists the sources of a project, tests first. A folder without a project
// file may be a home directory: of such a folder, it scans maxScanned entries
// below the workspace folder.
func projectSources(p *project.Project, folder string) []string {
	var files []string
	if p.Kind != project.Plain {
		files, _ = p.TestFiles() // without unreadable folders
		sources, _ := p.Files()
		files = slices.DeleteFunc(files, func(file string) bool { return slices.Contains(sources, file) })
		files = append(files, sources...)
		return files[:min(len(files), maxScanned)]
	}
	if folder == "" || !within(p.Root, folder) {
		return nil
	}
	seen := 0
	_ = filepath.WalkDir(p.Root, func(path string, d fs.DirEntry, err error) error {
		seen++
		switch {
		case seen > maxScanned:
			return fs.SkipAll
		case err != nil:
			return fs.SkipDir
		case d.IsDir() && path != p.Root && (d.Name()[0] == '.' || d.Name() == "node_modules" || d.Name() == "lib"):
			return fs.SkipDir
		case d.Type().IsRegular() && filepath.Ext(path) == ".sol" && !strings.HasSuffix(path, solc.TestSuffix):
			files = append(files, path)
		}
		return nil
	})
	return files
}

// closure returns the files that import a file, directly or through others, and define
// contracts that can be fuzzed: a harness imports its base contracts one by one.
func (x *importIndex) closure(from string, files []string) []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	known := map[string]imports{}
	for _, file := range files {
		if found, ok := x.scan(file); ok {
			known[file] = found
		}
	}
	x.files = known
	list := []string{from}
	for at := 0; at < len(list); at++ {
		name := filepath.Base(list[at])
		for _, file := range files {
			if !slices.Contains(list, file) && slices.Contains(known[file].names, name) {
				list = append(list, file)
			}
		}
	}
	return slices.DeleteFunc(list[1:], func(file string) bool { return !known[file].defines })
}

// scan returns the imports of a file, which it reads if the file changed.
func (x *importIndex) scan(file string) (imports, bool) {
	info, err := os.Stat(file)
	if err != nil {
		return imports{}, false
	}
	if last, ok := x.files[file]; ok && last.modified.Equal(info.ModTime()) && last.size == info.Size() {
		return last, true
	}
	text, err := trust.ReadRegular(file, maxDocument)
	if err != nil {
		return imports{}, false
	}
	found := imports{modified: info.ModTime(), size: info.Size(), defines: len(scan.Contracts(text)) > 0}
	_, list := scan.Directives(text)
	for _, i := range list {
		found.names = append(found.names, path.Base(i.Path))
	}
	return found, true
}
