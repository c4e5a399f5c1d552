package project

import "slices"

// Files returns the absolute paths of the project's sources, sorted, without
// libraries, generated files, tests and scripts.
func (p *Project) Files() ([]string, error) {
	walks, err := p.walks()
	if err != nil {
		return nil, err
	}
	var files []string
	for _, w := range walks {
		files = append(files, w.files...)
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// walks walks the source folders, or the whole project if they are empty.
func (p *Project) walks() ([]*walk, error) {
	var walks []*walk
	some := false
	for _, dir := range p.sourceDirs {
		if dir = absolute(p.Root, dir); !p.limits.Allows(dir) || !isDir(dir) {
			continue
		}
		w, err := p.walk(dir)
		if err != nil {
			return nil, err
		}
		walks = append(walks, w)
		some = some || len(w.files)+len(w.unread) > 0
	}
	if some {
		return walks, nil
	}
	w, err := p.walk(p.Root)
	return []*walk{w}, err
}

// FilesUnder returns the sources below a folder, sorted, without other projects.
// It skips the same folders as Files, but not folder itself.
func (p *Project) FilesUnder(folder string) ([]string, error) {
	w, err := p.walk(folder)
	slices.Sort(w.files)
	return w.files, err
}

// ProjectsUnder returns the folders of other projects below a folder, sorted. It
// does not look into them.
func (p *Project) ProjectsUnder(folder string) ([]string, error) {
	w, err := p.walk(folder)
	slices.Sort(w.projects)
	return w.projects, err
}

// Unread returns an error for each file and folder that Files could not read, or
// FilesUnder if folder is not the root.
func (p *Project) Unread(folder string) []error {
	walks, err := p.walks()
	if folder != p.Root {
		var w *walk
		w, err = p.walk(folder)
		walks = []*walk{w}
	}
	if err != nil {
		return nil // Files and FilesUnder return it
	}
	var unread []error
	for _, w := range walks {
		unread = append(unread, w.unread...)
	}
	return unread
}
