package main

import (
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
