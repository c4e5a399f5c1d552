package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"leveret/campaign"
	"leveret/engine"
	"leveret/solc/selection"
)

func campaignJoinCommand(c console) *cobra.Command {
	var address addressFlags
	var work workFlags
	cmd := &cobra.Command{
		Use:   "join [flags] [URL]",
		Short: "Work on a campaign",
		Long: `Work on a campaign until --time is over, the campaign is stopped, or Ctrl-C. Neither sources nor a
compiler are needed. A worker of another revision of Leveret is refused. If the connection breaks,
the work goes on, and what was found is published later.

` + addressUsage,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := work.check(1); err != nil {
				return err
			}
			ctx, stop := stoppable(cmd.Context())
			defer stop()
			link, closed, err := address.open(ctx, args, false)
			if err != nil {
				return err
			}
			defer closed()
			me, err := identity()
			if err != nil {
				return err
			}
			return work.work(ctx, c, link, me)
		},
	}
	cmd.Flags().SortFlags = false
	address.add(cmd.Flags())
	work.add(cmd.Flags())
	return cmd
}

// A teller prints how a worker proceeds.
type teller struct {
	console
	mu       sync.Mutex
	progress *progress
	last     int // inputs of the slice so far
	inputs   int // of the slices before
}

func newTeller(c console) *teller { return &teller{console: c, progress: newProgress(c.err, 0)} }

// begin announces a slice.
func (t *teller) begin(target campaign.Target, d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.inputs, t.last = t.inputs+t.last, 0
	t.progress.start(selection.Candidate{Contract: target.Contract}, "for "+(*duration)(&d).String(), d)
}

func (t *teller) observe(e engine.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = e.Stats.Inputs
	t.progress.observe(e)
}

// tell prints a problem that does not end the work.
func (t *teller) tell(problem error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.progress.clear()
	fmt.Fprintln(t.err, "leveret:", oneLine(problem.Error()))
}

// end says what the worker did.
func (t *teller) end(w *campaign.Worker) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.progress.clear()
	fmt.Fprintf(t.err, "Worker %s executed %s inputs; leveret campaign export writes the report.\n", w.ID(), humanize.Comma(int64(t.inputs+t.last)))
}
