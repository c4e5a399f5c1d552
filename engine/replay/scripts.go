package replay

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// plainerScripts lists replacements of a script, the plainest first: none, without
// re-entrant calls or answers, with fewer of them, calls that are made earlier or
// fewer times. Words of both are Parameters.
func plainerScripts(s *input.Script) (list []*input.Script) {
	if s == nil {
		return nil
	}
	list = []*input.Script{nil}
	try := func(change func(*input.Script)) {
		plainer := *s
		plainer.Calls = slices.Clone(s.Calls)
		change(&plainer)
		list = append(list, &plainer)
	}
	if s.Mode != input.Accept && len(s.Answers) > 0 {
		try(func(p *input.Script) { p.Mode, p.Calls = input.Accept, nil })
	}
	if len(s.Answers) > 0 {
		try(func(p *input.Script) { p.Answers = nil })
	}
	for i := range s.Calls {
		if len(s.Calls) > 1 {
			try(func(p *input.Script) { p.Calls = slices.Delete(p.Calls, i, i+1) })
		}
		if s.Calls[i].Times > 1 {
			try(func(p *input.Script) { p.Calls[i].Times = 1 })
		}
		if s.Calls[i].First > 1 {
			try(func(p *input.Script) { p.Calls[i].First = 1 })
		}
	}
	for i := range s.Answers {
		if len(s.Answers) > 1 {
			try(func(p *input.Script) { p.Answers = slices.Delete(slices.Clone(s.Answers), i, i+1) })
		}
	}
	for i, words := range s.Answers {
		if len(words) > 1 { // usually one word is read
			try(func(p *input.Script) {
				p.Answers = slices.Clone(s.Answers)
				p.Answers[i] = []uint256.Int{words[0]}
			})
		}
	}
	return list
}
