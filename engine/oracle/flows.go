package oracle

import "leveret/engine/shadow"

// flows merges the Events of the watchers. Events without a listener stay nil,
// so they cost nothing.
func (p *Monitor) flows() (merged shadow.Events, any bool) {
	var all []*shadow.Events
	for i := range p.watchers {
		if f := p.watchers[i].Flows; f != nil {
			all = append(all, f)
		}
	}
	return shadow.Events{
		Branch:       fan(all, func(e *shadow.Events) func(*shadow.Branch) { return e.Branch }),
		Asked:        fan(all, func(e *shadow.Events) func(*shadow.Asked) { return e.Asked }),
		Arith:        fan(all, func(e *shadow.Events) func(*shadow.Arith) { return e.Arith }),
		Compared:     fan(all, func(e *shadow.Events) func(*shadow.Comparison) { return e.Compared }),
		Load:         fan(all, func(e *shadow.Events) func(*shadow.Access) { return e.Load }),
		Store:        fan(all, func(e *shadow.Events) func(*shadow.Access) { return e.Store }),
		Call:         fan(all, func(e *shadow.Events) func(*shadow.Call) { return e.Call }),
		Returned:     fan(all, func(e *shadow.Events) func(*shadow.Call) { return e.Returned }),
		Keccak:       fan(all, func(e *shadow.Events) func(*shadow.Keccak) { return e.Keccak }),
		Jump:         fan(all, func(e *shadow.Events) func(*shadow.Jump) { return e.Jump }),
		Log:          fan(all, func(e *shadow.Events) func(*shadow.Log) { return e.Log }),
		Return:       fan(all, func(e *shadow.Events) func(*shadow.Return) { return e.Return }),
		SelfDestruct: fan(all, func(e *shadow.Events) func(*shadow.SelfDestruct) { return e.SelfDestruct }),
	}, len(all) > 0
}

// fan returns a function that calls the same field of several Events; nil if
// none has it.
func fan[T any](all []*shadow.Events, field func(*shadow.Events) func(*T)) func(*T) {
	var wanted []func(*T)
	for _, e := range all {
		if f := field(e); f != nil {
			wanted = append(wanted, f)
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	return func(x *T) {
		for _, f := range wanted {
			f(x)
		}
	}
}
