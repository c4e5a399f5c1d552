package finding

// Add adds what another worker did. What several workers may have in common, as
// paths and coverage, is not added.
func (s *Stats) Add(o *Stats) {
	s.Inputs += o.Inputs
	s.Transactions += o.Transactions
	s.Work += o.Work
	s.Unconfirmed += o.Unconfirmed
	s.Rejected += o.Rejected
	s.Reverts += o.Reverts
	s.Predicted.add(&o.Predicted)
	s.Lookahead.add(&o.Lookahead)
	s.Shadow.Add(o.Shadow)
	s.Triage.Add(o.Triage)
	s.Scripted.Add(o.Scripted)
	s.Reuse.Repeats += o.Reuse.Repeats
	s.Reuse.Found += o.Reuse.Found
	s.Reuse.Again += o.Reuse.Again
	AddSources(s.Sources, o.Sources)
}

// AddSources adds the figures of sources of inputs to others.
func AddSources(to, from map[string]SourceStat) {
	for name, stat := range from {
		sum := to[name]
		sum.Tried += stat.Tried
		sum.Repeats += stat.Repeats
		sum.NewPaths += stat.NewPaths
		sum.Findings += stat.Findings
		to[name] = sum
	}
}

func (p *Predicted) add(o *Predicted) {
	p.Tried += o.Tried
	p.OneShot += o.OneShot
	p.Succeeded += o.Succeeded
	p.Searches += o.Searches
	p.Found += o.Found
}

func (l *Lookahead) add(o *Lookahead) {
	l.Calls += o.Calls
	l.Proper += o.Proper
	l.IDs += o.IDs
	l.Seconds += o.Seconds
}

// Add adds the runs of another worker.
func (e *Effort) Add(o Effort) {
	e.Runs += o.Runs
	e.Seconds += o.Seconds
}
