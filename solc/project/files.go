package project

import "slices"

// Files returns the absolute paths of the project's sources, sorted: without
// libraries, generated folders, tests and scripts.
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

// walks goes through the folders of sources; through all of the project if
// there is nothing in them.
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

// FilesUnder returns the sources below a folder, sorted, leaving out what
// Files does unless the folder itself lies in it, and other projects.
func (p *Project) FilesUnder(folder string) ([]string, error) {
	w, err := p.walk(folder)
	slices.Sort(w.files)
	return w.files, err
}

// ProjectsUnder returns the folders of other projects below a folder, sorted,
// as a repository of several has them. Those in them are not looked for.
func (p *Project) ProjectsUnder(folder string) ([]string, error) {
	w, err := p.walk(folder)
	slices.Sort(w.projects)
	return w.projects, err
}

// Unread lists what Files, or FilesUnder for another folder than the root,
// could not read: an error for each folder.
func (p *Project) Unread(folder string) []error {
	walks, err := p.walks()
	if folder != p.Root {
		var w *walk
		w, err = p.walk(folder)
		walks = []*walk{w}
	}
	if err != nil {
		return nil // Files and FilesUnder say so
	}
	var unread []error
	for _, w := range walks {
		unread = append(unread, w.unread...)
	}
	return unread
}
