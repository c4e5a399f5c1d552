package cover

import "leveret/engine/evm"

// Codes returns the codes numbered so far, by evm.Code.ID.
func (m *Map) Codes() []*evm.Code {
	var list []*evm.Code
	for _, c := range m.numbering.Load().codes {
		if c != nil {
			list = append(list, c.of)
		}
	}
	return list
}
