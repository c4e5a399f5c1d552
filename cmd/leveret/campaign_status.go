package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"leveret/campaign"
	"leveret/cmd/leveret/live"
	"leveret/engine/finding"
	"leveret/engine/report"
	"leveret/engine/report/printable"
)

func campaignStopCommand(c console) *cobra.Command {
	var address addressFlags
	cmd := &cobra.Command{
		Use:   "stop [flags] [URL]",
		Short: "End the work on a campaign",
		Long: `End the work of all workers. The campaign keeps what it has; leveret campaign start goes on with it.

` + addressUsage + ` It has to be the owner's.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			link, closed, err := address.open(cmd.Context(), args, true)
			if err != nil {
				return err
			}
			defer closed()
			if err := link.Stop(cmd.Context()); err != nil {
				return err
			}
			fmt.Fprintf(c.err, "Campaign %s is stopped.\n", link.Name())
			return nil
		},
	}
	address.add(cmd.Flags())
	return cmd
}

func campaignStatusCommand(c console) *cobra.Command {
	var address addressFlags
	var ui uiFlag
	cmd := &cobra.Command{
		Use:   "status [flags] [URL]",
		Short: "Show workers, contracts and findings of a campaign",
		Long: `Show the workers of a campaign, what they say they did on each contract, and the findings. Each
finding is shown because its witness was executed here. With --ui, serve a page with findings and
coverage until Ctrl-C; what it shows was executed here.

` + addressUsage,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := ui.check(); err != nil {
				return err
			}
			ctx, stop := stoppable(cmd.Context())
			defer stop()
			link, closed, err := address.open(ctx, args, true)
			if err != nil {
				return err
			}
			defer closed()
			r, err := newReviewer(ctx, link)
			if err != nil {
				return err
			}
			if ui.ui != "" {
				return r.serve(ctx, c, ui.ui)
			}
			return r.print(ctx, c)
		},
	}
	cmd.Flags().SortFlags = false
	address.add(cmd.Flags())
	ui.add(cmd.Flags())
	cmd.Flags().Lookup("ui").Usage = "serve a page that shows the campaign while it goes on, and /metrics for Prometheus; at `ADDRESS`, on loopback alone"
	return cmd
}

// print prints the state of a campaign.
func (r *reviewer) print(ctx context.Context, c console) error {
	workers, err := r.link.Workers(ctx)
	if err != nil {
		return err
	}
	efforts, err := r.link.Efforts(ctx, len(r.list), workers)
	if err != nil {
		return err
	}
	counts, err := r.link.Counts(ctx, len(r.list))
	if err != nil {
		return err
	}
	inputs, witnesses := 0, 0
	for _, n := range counts {
		inputs, witnesses = inputs+n.Inputs, witnesses+n.Witnesses
	}
	fmt.Fprintf(c.out, "Campaign %s is %s; it was started at %s. It has %s and %s.\n", r.link.Name(), r.state(workers), r.header.Started.Format("2006-01-02 15:04 MST"),
		english.Plural(inputs, "published input", ""), english.Plural(witnesses, "witness", "witnesses"))
	r.printWorkers(c.out, workers)
	r.printEfforts(c.out, efforts)
	return r.printFindings(ctx, c)
}

// state says whether the campaign goes on.
func (r *reviewer) state(workers []campaign.WorkerState) string {
	switch {
	case r.header.Stopped:
		return "stopped"
	case len(workers) == 0:
		return "waiting for workers"
	}
	return "running"
}

// nameOf returns the name of a contract; empty if workers say that it is one and there is
// none.
func (r *reviewer) nameOf(contract int) string {
	if contract < 0 || contract >= len(r.list) {
		return ""
	}
	return r.list[contract].Contract.Name
}

func (r *reviewer) printWorkers(w io.Writer, workers []campaign.WorkerState) {
	if len(workers) == 0 {
		fmt.Fprintln(w, "No worker was heard of in the last 30 seconds.")
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\nWorker\tThreads\tContract\tInputs/s\tUnpublished")
	for _, s := range workers {
		contract := cmp.Or(r.nameOf(s.Contract), "none")
		waiting := fmt.Sprint(s.Waiting)
		if s.Dropped > 0 {
			waiting += fmt.Sprintf(", %d dropped", s.Dropped)
		}
		if s.Problem != "" {
			waiting += ": " + printable.String(oneLine(s.Problem))
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%.0f\t%s\n", printable.String(s.ID), s.Threads, contract, s.Rate(), waiting)
	}
	t.Flush()
}

func (r *reviewer) printEfforts(w io.Writer, efforts []campaign.Effort) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\nContract\tTime\tInputs\tInstructions\tBranches\tTurns without news")
	for i, e := range efforts {
		covered := "0 %"
		if e.Total > 0 {
			covered = fmt.Sprintf("%d %%", 100*e.Covered/e.Total)
		}
		spent := time.Duration(e.Seconds * float64(time.Second)).Round(time.Second)
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%d\n", r.list[i].Contract.Name, spent, humanize.Comma(int64(e.Inputs)), covered, e.Branches, e.Dry)
	}
	t.Flush()
}

// printFindings prints the findings whose witnesses show them here.
func (r *reviewer) printFindings(ctx context.Context, c console) error {
	shown := newProgress(c.out, 0)
	any := false
	for i := range r.list {
		result, err := r.review(ctx, i)
		if err != nil {
			return err
		}
		for j := range result.Findings {
			if !any {
				fmt.Fprintln(c.out)
			}
			any = true
			shown.print(&result.Findings[j])
		}
	}
	if !any {
		fmt.Fprintln(c.out, "\nNo findings so far.")
	}
	return nil
}

// reviewInterval is the time between two looks at a campaign for its page.
const reviewInterval = 5 * time.Second

// A campaignPage is what the page of a campaign shows.
type campaignPage struct {
	*reviewer
	run    *fuzzRun         // traces findings
	counts []campaign.Count // of what was executed, by contract

	mu        sync.Mutex
	away      bool // the server did not answer
	workers   []campaign.WorkerState
	contracts []report.Contract
	efforts   []campaign.Effort // by contract
}

// serve serves the page of a campaign until ctx is done.
func (r *reviewer) serve(ctx context.Context, c console, address string) error {
	p := &campaignPage{reviewer: r, run: &fuzzRun{console: c, fuzzFlags: new(fuzzFlags)}, counts: make([]campaign.Count, len(r.list)), efforts: make([]campaign.Effort, len(r.list))}
	p.run.forks = newForkOpener(ctx, c, environment(compilerFlags{}), "")
	defer p.run.forks.close()
	for _, candidate := range r.list {
		result := &finding.Result{Name: candidate.Contract.Name, File: candidate.Contract.File}
		p.contracts = append(p.contracts, reported(candidate, result, noTexts))
	}
	server, err := live.Listen(address, p.snapshot)
	if err != nil {
		return fmt.Errorf("--ui: %w", err)
	}
	fmt.Fprintf(c.err, "The page of this campaign: %s\n", server.URL())
	go p.link.Watch(ctx, func(h *campaign.Header) {
		p.mu.Lock()
		p.header = h
		p.mu.Unlock()
		server.News()
	})
	said := ""
	for ctx.Err() == nil {
		began := time.Now()
		err := p.look(ctx)
		if err != nil && ctx.Err() == nil && err.Error() != said {
			said = err.Error()
			fmt.Fprintln(c.err, "leveret:", oneLine(said))
		}
		p.mu.Lock()
		p.away = err != nil
		p.mu.Unlock()
		server.News()
		select {
		case <-ctx.Done():
		case <-time.After(max(reviewInterval, 4*time.Since(began))): // others use this machine too
		}
	}
	return server.End()
}

// look takes over what workers say, and executes what was published on contracts with
// something new.
func (p *campaignPage) look(ctx context.Context) error {
	if err := p.ask(ctx); err != nil {
		return err
	}
	counts, err := p.link.Counts(ctx, len(p.list))
	if err != nil {
		return err
	}
	for i, n := range counts {
		if p.counts[i] == n {
			continue
		}
		if err := p.update(ctx, i); err != nil {
			return err
		}
		p.counts[i] = n
	}
	p.sample()
	return nil
}

// noTexts has the texts of files with findings alone.
func noTexts(string) bool { return false }

// ask takes over what workers say.
func (p *campaignPage) ask(ctx context.Context) error {
	workers, err := p.link.Workers(ctx)
	if err != nil {
		return err
	}
	efforts, err := p.link.Efforts(ctx, len(p.list), workers)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.workers, p.efforts = workers, efforts
	return nil
}

// sample goes on with the curves.
func (p *campaignPage) sample() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.efforts {
		c := &p.contracts[i]
		takeOver(&c.Stats, &p.efforts[i])
		if n := len(c.Curve.Samples); n == 0 || c.Curve.Samples[n-1].Seconds < c.Stats.Seconds {
			c.Curve.Add(report.NewSample(&c.Stats, len(c.Findings)))
		}
	}
}

// update executes what was published about a contract.
func (p *campaignPage) update(ctx context.Context, contract int) error {
	result, curve, err := p.reviewAll(ctx, contract, spent(&p.efforts[contract]))
	if err != nil {
		return err
	}
	c := reported(p.list[contract], result, noTexts)
	addTexts(&c, p.list[contract])
	for i := range result.Findings {
		p.run.trace(ctx, &c, p.list[contract], &result.Findings[i])
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	c.Curve = curve
	p.contracts[contract] = c
	return nil
}

// snapshot returns the report so far.
func (p *campaignPage) snapshot() *report.Report {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.report()
	out.Run.Seconds, out.Run.State = time.Since(p.header.Started).Seconds(), p.state(p.workers)
	if p.away && !p.header.Stopped {
		out.Run.State = "out of reach"
	}
	for _, w := range p.workers {
		out.Run.Workers += w.Threads
		out.Run.Team = append(out.Run.Team, report.Worker{
			ID: w.ID, Threads: w.Threads, Contract: p.nameOf(w.Contract), Rate: w.Rate(), Waiting: w.Waiting, Dropped: w.Dropped, Problem: w.Problem,
		})
	}
	for i := range p.contracts {
		c := p.contracts[i]
		c.Curve.Samples = append([]report.Sample(nil), c.Curve.Samples...)
		out.Contracts = append(out.Contracts, c)
	}
	return &out
}
