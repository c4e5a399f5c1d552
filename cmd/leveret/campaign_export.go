package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"leveret/campaign"
	"leveret/engine/report"
)

func campaignExportCommand(c console) *cobra.Command {
	f := &campaignExport{fuzzRun: &fuzzRun{console: c, fuzzFlags: new(fuzzFlags)}}
	cmd := &cobra.Command{
		Use:   "export [flags] [URL]",
		Short: "Write the report of a campaign",
		Long: `Execute the inputs and witnesses of a campaign here, and write the report as leveret fuzz does. What
it contains was executed: a finding that its witness does not show is not in it. Only numbers of inputs,
by source, and times are what workers say. The campaign goes on meanwhile, or need not run. In the folder
that the campaign was started in, names of files are as there, and leveret replay takes the findings.

` + addressUsage + `

Exit code: 0 no findings at or above --fail-on, or written to the baseline, 1 findings, 2 the export failed.`,
		Args: cobra.MaximumNArgs(1),
		RunE: f.run,
	}
	cmd.Flags().SortFlags = false
	f.address.add(cmd.Flags())
	f.reportFlags.add(cmd.Flags())
	return cmd
}

// A campaignExport writes the report of a campaign.
type campaignExport struct {
	*fuzzRun
	address addressFlags
}

func (f *campaignExport) run(cmd *cobra.Command, args []string) (err error) {
	r := f.fuzzRun
	if r.format, r.more, err = parseFormats(r.formats); err != nil {
		return err
	}
	if err := r.checkSeverities(cmd.Flags().Changed); err != nil {
		return err
	}
	if err := r.baselineFlags.read(); err != nil {
		return err
	}
	if err := r.checkOutput(); err != nil {
		return err
	}
	ctx, stop := stoppable(cmd.Context())
	defer stop()
	r.stop = stop
	link, closed, err := f.address.open(ctx, args, true)
	if err != nil {
		return err
	}
	defer closed()
	r.env = environment(compilerFlags{})
	r.forks = newForkOpener(ctx, r.console, r.env, "")
	defer r.forks.close()
	out, err := f.collect(ctx, link)
	if err != nil {
		return err
	}
	if err := errors.Join(r.write(out), r.compare(r.console, out, nil)); err != nil {
		return err
	}
	if out.Count(r.failOn) > 0 && !r.update {
		return errFound
	}
	return nil
}

// collect executes what was published.
func (f *campaignExport) collect(ctx context.Context, link *campaign.Link) (*report.Report, error) {
	review, err := newReviewer(ctx, link)
	if err != nil {
		return nil, err
	}
	workers, err := link.Workers(ctx)
	if err != nil {
		return nil, err
	}
	efforts, err := link.Efforts(ctx, len(review.list), workers)
	if err != nil {
		return nil, err
	}
	out := review.report()
	out.Severity, out.Run.Seconds = f.least, time.Since(out.Run.Started).Seconds()
	if f.accepted != nil {
		out.Accepted = f.accepted.IDs()
	}
	for i, candidate := range review.list {
		result, curve, err := review.reviewAll(ctx, i, spent(&efforts[i]))
		if err != nil {
			return nil, err
		}
		takeOver(&result.Stats, &efforts[i])
		c := reported(candidate, result, f.needs)
		curve.Add(report.NewSample(&c.Stats, len(c.Findings)))
		c.Curve = curve
		out.Contracts = append(out.Contracts, c)
	}
	f.detail(ctx, &out, review.list)
	return &out, nil
}
