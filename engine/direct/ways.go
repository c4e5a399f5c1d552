package direct

import (
	"slices"

	"leveret/engine/deploy"
	"leveret/engine/input"
	"leveret/engine/lookahead"
)

// callsTo lists calls of a function to ask the analysis about.
type callsTo func(deploy.Callee) []lookahead.Calls

// allWays asks the analysis about calls of each function.
func (l *Lookahead) allWays(of callsTo) [][]*lookahead.Distances {
	all := make([][]*lookahead.Distances, len(l.subject.Callees))
	for i, callee := range l.subject.Callees {
		all[i] = l.waysOf(callee, of(callee))
	}
	return all
}

// waysOf asks the analysis about calls of a function. It returns nothing if the
// analysis does not know the code.
func (l *Lookahead) waysOf(callee deploy.Callee, all []lookahead.Calls) (list []*lookahead.Distances) {
	code := l.subject.Deployment.World.Code(callee.Address)
	if code == nil {
		return nil
	}
	for _, calls := range all {
		if ways, ok := l.analyzer.Distances(code.ID, calls); ok {
			list = append(list, ways)
		}
	}
	return list
}

// reaching keeps the calls that may get to a target.
func (l *Lookahead) reaching(of callsTo) callsTo {
	return func(callee deploy.Callee) []lookahead.Calls {
		code := l.subject.Deployment.World.Code(callee.Address)
		return slices.DeleteFunc(of(callee), func(calls lookahead.Calls) bool {
			return code == nil || !l.analyzer.Reaches(code.ID, calls)
		})
	}
}

// sentTo lists the calls that campaigns make: only payable functions get wei.
func (l *Lookahead) sentTo(f deploy.Callee) []lookahead.Calls {
	all := l.callsOf(f)
	for i := range all {
		all[i].Free = f.Function.Mutability != input.Payable
	}
	return all
}

// rawTo lists what may be sent to a function that takes raw data: the selector
// of another function, with wei that this one refuses, or any data. In November
// 2026 that cut the inputs to the places where a crowdsale refuses wei from
// more than 12,000 to 32.
func (l *Lookahead) rawTo(f deploy.Callee) (all []lookahead.Calls) {
	if !f.Function.Raw || f.Function.Name == "receive" {
		return nil
	}
	free := f.Function.Mutability != input.Payable
	for _, other := range l.subject.Callees {
		if other.Address == f.Address && !other.Function.Raw {
			all = append(all, lookahead.Calls{Selector: &other.Function.Selector, Free: free})
		}
	}
	return append(all, lookahead.Calls{Free: free})
}

// callsOf returns the calldata that a function gets. Functions without a
// selector get what fits no other function.
func (l *Lookahead) callsOf(f deploy.Callee) []lookahead.Calls {
	if !f.Function.Raw {
		return []lookahead.Calls{{Selector: &f.Function.Selector}}
	}
	var foreign [4]byte
	for slices.ContainsFunc(l.subject.Callees, hasSelector(&foreign)) {
		foreign[3]++
	}
	return []lookahead.Calls{{Short: true}, {Selector: &foreign}}
}

func hasSelector(selector *[4]byte) func(deploy.Callee) bool {
	return func(c deploy.Callee) bool { return c.Function.Selector == *selector }
}
