package main

import (
	"slices"
	"testing"

	"leveret/campaign"
	"leveret/engine/finding"
	"leveret/engine/report"
	"leveret/solc"
	"leveret/solc/project"
	"leveret/solc/selection"
)

// The page of a campaign shows its workers, also those that lie about what they do.
func TestCampaignPageShowsWorkers(t *testing.T) {
	r := &reviewer{header: new(campaign.Header)}
	r.list = []selection.Candidate{{Unit: selection.Unit{Project: new(project.Project)}, Contract: &solc.Contract{Name: "Gate"}}}
	p := &campaignPage{reviewer: r, contracts: []report.Contract{{Result: finding.Result{Name: "Gate"}}}}
	p.workers = []campaign.WorkerState{
		{ID: "A", Threads: 2, Seconds: 2, Executed: campaign.Executed{Inputs: 300}, Waiting: 4, Problem: "the broker is away"},
		{ID: "B", Threads: 3, Contract: 7, Dropped: 1},
	}
	run := p.snapshot().Run
	if run.Workers != 5 || len(run.Team) != 2 {
		t.Fatalf("%+v", run)
	}
	for i, want := range []report.Worker{
		{ID: "A", Threads: 2, Contract: "Gate", Rate: 150, Waiting: 4, Problem: "the broker is away"},
		{ID: "B", Threads: 3, Dropped: 1},
	} {
		if run.Team[i] != want {
			t.Errorf("%+v, want %+v", run.Team[i], want)
		}
	}
}

// A page says whether the campaign goes on.
func TestCampaignPageSaysState(t *testing.T) {
	p := &campaignPage{reviewer: &reviewer{header: new(campaign.Header), list: []selection.Candidate{{Unit: selection.Unit{Project: new(project.Project)}, Contract: new(solc.Contract)}}}}
	says := func(want string) {
		t.Helper()
		if got := p.snapshot().Run.State; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	says("waiting for workers")
	p.workers = []campaign.WorkerState{{ID: "A"}}
	says("running")
	p.away = true
	says("out of reach")
	p.header = &campaign.Header{Stopped: true}
	says("stopped")
}

// The coverage of a long campaign has a bounded number of points, in order, and each input
// is in one part.
func TestPartsOfPublished(t *testing.T) {
	var list []campaign.Published
	for i := range 5000 {
		list = append(list, campaign.Published{Spent: campaign.Spent{Seconds: float64(i * i), Inputs: i}})
	}
	parts := inParts(list)
	if len(parts) < maxParts/2 || len(parts) > maxParts+1 {
		t.Errorf("%d parts", len(parts))
	}
	next := 0
	for _, part := range parts {
		for _, p := range part {
			if p.Inputs != next {
				t.Fatalf("input %d, want %d", p.Inputs, next)
			}
			next++
		}
	}
	if next != len(list) || inParts(nil) != nil {
		t.Errorf("%d inputs of %d", next, len(list))
	}
}

func TestFoundAt(t *testing.T) {
	of := func(id string, seconds float64) campaign.Published {
		return campaign.Published{Finding: id, Spent: campaign.Spent{Seconds: seconds}}
	}
	witnesses := []campaign.Published{of("b", 2), of("a", 3), of("b", 9), of("false", 1)}
	got := foundAt([]finding.Finding{{ID: "a"}, {ID: "b"}, {ID: "c"}}, witnesses)
	if !slices.Equal(got, []float64{2, 3}) {
		t.Error(got)
	}
}
