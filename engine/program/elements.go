package program

import (
	"slices"

	"leveret/engine/input"
	"leveret/solc"
	"leveret/solc/ast"
)

// maxElements is how many elements a list has at most because code reads so many.
const maxElements = 16

// setElements sets how many elements the lists among the inputs of a function of c need.
// All get the same length, since functions with several lists usually require that.
func setElements(c *solc.Contract, inputs []input.Field, parameters []*ast.Node) {
	need := 0
	for i, parameter := range parameters {
		if inputs[i].Type.Kind == input.KindSlice {
			need = max(need, elementsRead(c, parameter.ID))
		}
	}
	for i := range inputs {
		inputs[i].Elements = min(need, maxElements)
	}
}

// elementsRead returns how many elements the code of c reads by number, as in list[3], of
// the list that a variable holds, wherever it goes; 0 if none.
func elementsRead(c *solc.Contract, variable int) (count int) {
	lists := dataFlowOf(c.Build).reaches(variable, anyVariable)
	for _, f := range FunctionsOf(c) {
		for _, element := range f.Find(ast.IndexAccess) {
			list, index := element.Child("baseExpression").Bare(), element.Child("indexExpression")
			if index == nil || list.ValueType().Kind != ast.TypeSlice || !slices.Contains(lists, list.Refers()) {
				continue
			}
			if n := index.ValueType().Number; n != nil && n.IsInt64() {
				count = max(count, int(min(n.Int64(), maxElements))+1)
			}
		}
	}
	return count
}
