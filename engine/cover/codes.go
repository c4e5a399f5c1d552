package cover

import "leveret/engine/evm"

// Codes returns the codes numbered so far, by evm.Code.ID.
func (m *Map) Codes() []*evm.Code {
	m.mu.RLock()
	defer m.mu.RUnlock()
	var list []*evm.Code
	for _, c := range m.codes {
		if c != nil {
			list = append(list, c.of)
		}
	}
	return list
}
