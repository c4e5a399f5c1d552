package program

import (
	"leveret/solc"
	"leveret/solc/ast"
)

// Accesses reports whether an expression in a build accesses a member of that name, such as
// a function of a contract.
func Accesses(b *solc.Build, name string) bool {
	type key struct{}
	return b.Derived(key{}, func() any {
		names := map[string]bool{}
		for _, s := range b.Sources {
			if s == nil || s.Unit == nil {
				continue
			}
			for _, n := range s.Unit.Root.Find(ast.MemberAccess) {
				names[n.Name()] = true
			}
		}
		return names
	}).(map[string]bool)[name]
}
