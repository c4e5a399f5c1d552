package program

import (
	"leveret/solc"
	"leveret/solc/ast"
)

// Imports reports whether a source unit is that of c, or imported by it or by what
// it imports.
func Imports(c *solc.Contract, unit string) bool {
	files := []string{c.File}
	seen := map[string]bool{c.File: true}
	for i := 0; i < len(files) && files[i] != unit; i++ {
		source := c.Build.Source(files[i])
		if source == nil || source.Unit == nil {
			continue
		}
		for _, n := range source.Unit.Root.Children {
			if file := n.Attr("absolutePath"); n.Type == ast.ImportDirective && !seen[file] {
				seen[file], files = true, append(files, file)
			}
		}
	}
	return seen[unit]
}
