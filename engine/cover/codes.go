package cover

import "leveret/engine/evm"

// Codes returns the codes numbered so far, by evm.Code.ID: of each template the first.
func (m *Map) Codes() []*evm.Code {
	var list []*evm.Code
	for id, c := range m.numbering.Load().codes {
		if c != nil && c.of.ID == id {
			list = append(list, c.of)
		}
	}
	return list
}
