package host

import (
	"slices"
	"strings"

	"leveret/engine/cheat"
	"leveret/engine/input"
	"leveret/solc"
	"leveret/solc/ast"
)

// Structs implements cheat.Host. Of structs with one name, the first counts.
func (h *Host) Structs() []cheat.Struct {
	h.reading.Do(func() {
		for _, build := range h.Builds {
			h.structs = append(h.structs, structsOf(build)...)
		}
		slices.SortStableFunc(h.structs, func(a, b cheat.Struct) int { return strings.Compare(a.Name, b.Name) })
		h.structs = slices.CompactFunc(h.structs, func(a, b cheat.Struct) bool { return a.Name == b.Name })
	})
	return h.structs
}

// structsOf returns the structs of a build whose fields have types of the ABI.
func structsOf(b *solc.Build) (list []cheat.Struct) {
	index := b.Trees()
	for _, source := range b.Sources {
		if source == nil || source.Unit == nil {
			continue
		}
		for _, definition := range source.Unit.Root.Find(ast.StructDefinition) {
			if s, ok := structOf(index, definition); ok {
				list = append(list, s)
			}
		}
	}
	return list
}

func structOf(index *ast.Index, definition *ast.Node) (s cheat.Struct, ok bool) {
	s.Name = definition.Name()
	if contract := definition.Enclosing(ast.ContractDefinition); contract != nil {
		s.Name = contract.Name() + "." + s.Name
	}
	for _, member := range definition.List("members") {
		text, ok := index.ABIType(member)
		if !ok {
			return s, false
		}
		t, err := input.ParseType(text)
		if err != nil {
			return s, false
		}
		s.Fields = append(s.Fields, input.Field{Name: member.Name(), Type: t})
	}
	return s, len(s.Fields) > 0
}
