package project

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"leveret/solc"
	"leveret/solc/scan"
	"leveret/solc/version"
)

// A closure is a set of sources with all their direct and indirect imports.
type closure struct {
	at         *Location
	sources    map[string]*solc.Source // by unit name
	order      []*solc.Source          // in the order in which they were found
	asked      int                     // how many of these are not only imports: the first ones
	pragmas    []filePragma
	remappings []string // make the compiler find the same files
}

type filePragma struct {
	file *solc.Source
	scan.Pragma
	version.Range
}

// closure reads files and all that they import.
func (p *importResolver) closure(files []string, overlay map[string][]byte) (*closure, error) {
	c := &closure{at: p.Location, sources: map[string]*solc.Source{}}
	for _, file := range files {
		if p.limits.Untrusted && !p.limits.Allows(file) {
			return nil, p.named(p.outside(file))
		}
		if _, err := c.add(p, filepath.Clean(file), false, overlay); err != nil {
			return nil, err
		}
	}
	c.asked = len(c.order)
	for i := 0; i < len(c.order); i++ {
		if err := c.follow(p, c.order[i], overlay); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// add reads the file at path unless the closure has it. A file that is not imported keeps
// the path that the user gave it.
func (c *closure) add(p *importResolver, path string, imported bool, overlay map[string][]byte) (*solc.Source, error) {
	name := unitName(p.Root, path)
	if s := c.sources[name]; s != nil {
		return s, nil
	}
	if !utf8.ValidString(name) {
		return nil, p.named(&solc.Failure{Kind: solc.NotUTF8, File: path, Sentence: "the name of this file is not UTF-8", Remedy: "rename it"})
	}
	at := path
	if imported {
		at = origin(path)
	}
	text, err := readSource(at, overlay)
	if err != nil {
		return nil, p.named(err)
	}
	s := &solc.Source{Name: name, Path: at, Text: text}
	c.sources[name] = s
	c.order = append(c.order, s)
	return s, nil
}

// follow adds the imports and the pragmas of a source.
func (c *closure) follow(p *importResolver, s *solc.Source, overlay map[string][]byte) error {
	pragmas, imports := scan.Directives(s.Text)
	for _, pragma := range pragmas {
		r, err := version.ParseRange(pragma.Range)
		if err != nil {
			return p.named(&solc.Failure{Kind: solc.BadPragma, File: s.Path, Line: pragma.Line, Sentence: err.Error(),
				Remedy: "write it like ^0.8.20 or >=0.8.0 <0.9.0"})
		}
		c.pragmas = append(c.pragmas, filePragma{s, pragma, r})
	}
	for _, i := range imports {
		target, err := c.resolve(p, s, i, overlay)
		if err != nil {
			return err
		}
		if natural := importName(s.Name, i.Path); natural != target.Name {
			c.remappings = append(c.remappings, remapping{s.Name, natural, target.Name}.String())
		}
	}
	return nil
}

// resolve finds and adds an imported file.
func (c *closure) resolve(p *importResolver, importer *solc.Source, i scan.Import, overlay map[string][]byte) (*solc.Source, error) {
	candidates := p.candidates(importer, i.Path)
	refused := ""
	var missing []string
	for _, path := range candidates {
		switch {
		case !p.limits.OtherVolume(path) && !exists(path, overlay):
			missing = append(missing, path)
		case p.limits.Allows(path):
			return c.add(p, path, true, overlay)
		case refused == "":
			refused = path
		}
	}
	if refused != "" {
		return nil, p.refusedImport(importer, i, refused)
	}
	sentence := fmt.Sprintf("cannot find the import %q", i.Path)
	if tried := p.triedNames(candidates); tried != "" {
		sentence += "; tried " + tried
	}
	return nil, p.named(&solc.Failure{Kind: solc.ImportNotFound, File: importer.Path, Line: i.Line,
		Sentence: sentence, Remedy: p.importRemedy(importer, i.Path), Tried: missing})
}

// triedNames lists the first paths that were tried.
func (p *importResolver) triedNames(paths []string) string {
	const most = 4
	var names []string
	for i, path := range paths {
		if i == most {
			names = append(names, fmt.Sprintf("%d more", len(paths)-most))
			break
		}
		names = append(names, unitName(p.Root, path))
	}
	return strings.Join(names, ", ")
}

// wanted returns the versions that satisfy all pragmas of a closure.
func (c *closure) wanted() (version.Range, error) {
	all := version.Any()
	for n, pragma := range c.pragmas {
		next := all.Intersect(pragma.Range)
		if next.Empty() {
			return version.Range{}, c.conflict(c.pragmas[:n], pragma)
		}
		all = next
	}
	return all, nil
}

// conflict returns the failure that no version satisfies two pragmas.
func (c *closure) conflict(earlier []filePragma, last filePragma) error {
	f := &solc.Failure{Kind: solc.VersionConflict, File: last.file.Path, Line: last.Line,
		Remedy: "change one of them, or import a release made for the same compiler"}
	f.Sentence = fmt.Sprintf("pragma solidity %s allows no version that the other files of this compilation allow", last.Pragma.Range)
	if last.Range.Empty() {
		f.Sentence = fmt.Sprintf("pragma solidity %s allows no version at all", last.Pragma.Range)
		f.Remedy = "correct it"
	}
	for _, e := range earlier {
		if !last.Range.Empty() && e.Range.Intersect(last.Range).Empty() {
			f.Sentence = fmt.Sprintf("pragma solidity %s conflicts with pragma solidity %s of %s:%d, and both files are needed",
				last.Pragma.Range, e.Pragma.Range, e.file.Name, e.Line)
			break
		}
	}
	return c.at.named(f)
}
