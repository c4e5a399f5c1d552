package evm

type translations struct{}
type translation struct{}

func (m *Machine) translationOf(f *frame) *translation { return nil }
func (f *frame) fast(p *translation) error             { return nil }
