package report

import (
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/replay"
	"leveret/engine/report/words"
)

// maxFlow bounds the steps of a code flow. GitHub shows no more than 10,000 in a file.
const maxFlow = 200

// flow is the code flow of a finding: the deployment, at the constructors, then the
// transactions and what they call, at the places of the calls. Without a trace, those are at the finding:
// viewers skip steps without a place.
func (w sarifWriter) flow(f Member) *sarif.CodeFlow {
	flow := sarif.NewThreadFlow()
	for _, made := range words.Deployment(f.Witness) {
		flow.AddLocation(w.step(made.Text, definedAt(f, made.Of)))
	}
	trace, ok := f.Of.Traces[f.ID]
	if !ok {
		for _, s := range words.Steps(f.Witness) {
			flow.AddLocation(w.step(s.Sentence(), f.Place))
		}
	}
	w.nodes(flow, trace, f.Place, 0)
	return sarif.NewCodeFlow().AddThreadFlow(flow)
}

// definedAt returns where the contract of a creation is defined; the place of the finding
// if that is not known.
func definedAt(f Member, c *input.Creation) finding.Place {
	if c != nil {
		if place, ok := f.Of.Defined[Definition{c.File, c.Class()}]; ok {
			return place
		}
	}
	return f.Place
}

// nodes adds the steps of a trace: all transactions, and what has a place.
func (w sarifWriter) nodes(flow *sarif.ThreadFlow, nodes []replay.Node, at finding.Place, depth int) {
	for i := range nodes {
		n := &nodes[i]
		if n.Place == nil && depth > 0 && n.Here == "" || len(flow.Locations) >= maxFlow {
			continue
		}
		place := at
		if n.Place != nil {
			place = *n.Place
		}
		step := w.step(n.Text, place).WithNestingLevel(depth)
		if n.Here != "" {
			step.WithImportance("essential")
		}
		flow.AddLocation(step)
		w.nodes(flow, n.Nodes, place, depth+1)
	}
}

// step is one step of a code flow.
func (w sarifWriter) step(text string, p finding.Place) *sarif.ThreadFlowLocation {
	return sarif.NewThreadFlowLocation().WithLocation(w.location(p).WithMessage(sarif.NewTextMessage(text)))
}
