package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"leveret/campaign"
	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/report"
	"leveret/solc/project"
	"leveret/solc/selection"
)

func campaignCommand(c console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "campaign",
		Short: "Fuzz on several machines",
		Long: `Fuzz the contracts of a project on several machines, for days if need be. Start compiles the
contracts, serves them, and fuzzes; join, on the same or another machine, needs neither sources nor
a compiler. Workers exchange the inputs that cover something and the witnesses of findings through
a NATS server with JetStream: one that start contains, or the user's own. Each worker executes what
it gets. A campaign goes on where it was when it is started again.`,
	}
	cmd.AddCommand(campaignStartCommand(c), campaignJoinCommand(c), campaignStatusCommand(c), campaignStopCommand(c), campaignExportCommand(c))
	return cmd
}

// defaultCampaign is the folder of a campaign without --dir.
var defaultCampaign = filepath.Join(".leveret", "campaign")

// addressFlags say how to reach a campaign.
type addressFlags struct{ address campaign.Address }

func (f *addressFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.address.Name, "name", "", "the campaign's `NAME`, if the server has several")
	f.addServer(flags)
}

// addServer adds the flags of a server that is not the embedded one.
func (f *addressFlags) addServer(flags *pflag.FlagSet) {
	flags.StringVar(&f.address.Credentials, "creds", "", "`FILE` with the credentials for the NATS server")
	flags.StringVar(&f.address.CA, "tls-ca", "", "PEM `FILE` with the authority that signed the server's certificate (default the system's)")
}

// check looks for the files.
func (f *addressFlags) check() error {
	for flag, file := range map[string]string{"--creds": f.address.Credentials, "--tls-ca": f.address.CA} {
		if file == "" {
			continue
		}
		if _, err := os.ReadFile(file); err != nil {
			return fmt.Errorf("%s %s: %w", flag, file, cause(err))
		}
	}
	return nil
}

// open connects to the campaign that an argument names, a URL or the folder of a
// campaign, until the returned function is called. Without an argument, it is the folder
// of leveret campaign start. In a folder, owner chooses the user.
func (f *addressFlags) open(ctx context.Context, args []string, owner bool) (link *campaign.Link, closed func(), err error) {
	if err := f.check(); err != nil {
		return nil, nil, err
	}
	where, a := defaultCampaign, f.address
	if len(args) > 0 {
		where = args[0]
	}
	served := func() {}
	switch info, err := os.Stat(where); {
	case len(args) == 0, err == nil && info.IsDir():
		if a, served, err = campaign.OpenFolder(where, owner); err != nil {
			return nil, nil, err
		}
	case !strings.Contains(where, ":"):
		return nil, nil, fmt.Errorf("%q is neither a folder nor a URL such as nats://host:4222; name what leveret campaign start printed", where)
	default:
		a.URL = where
	}
	if link, err = campaign.Open(ctx, a); err != nil {
		served()
		return nil, nil, err
	}
	return link, func() { link.Close(); served() }, nil
}

// addressUsage describes the argument of open.
const addressUsage = "URL is what leveret campaign start printed, or the folder of the campaign (default " + ".leveret/campaign)."

// A reviewer executes what the workers of a campaign published.
type reviewer struct {
	link    *campaign.Link
	header  *campaign.Header
	options engine.Options
	list    []selection.Candidate
}

func newReviewer(ctx context.Context, link *campaign.Link) (*reviewer, error) {
	h, err := link.Header(ctx)
	if err != nil {
		return nil, err
	}
	m, err := link.Manifest(ctx, h)
	if err != nil {
		return nil, err
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	targets, err := m.Targets(here)
	if err != nil {
		return nil, err
	}
	r := &reviewer{link: link, header: h, options: m.Options()}
	for _, t := range targets {
		p := &project.Project{Location: project.Location{Root: cmp.Or(t.Contract.Build.Root, here)}}
		r.list = append(r.list, selection.Candidate{Unit: selection.Unit{Project: p, Build: t.Contract.Build}, Contract: t.Contract})
	}
	return r, nil
}

// review executes the witnesses of a contract. When a finding was found first is not known.
func (r *reviewer) review(ctx context.Context, contract int) (*finding.Result, error) {
	_, witnesses, err := r.link.Published(ctx, contract)
	if err != nil {
		return nil, err
	}
	return r.execute(ctx, contract, nil, campaign.Sequences(witnesses), nil)
}

// reviewAll executes the witnesses and inputs of a contract. The curve has what they
// cover, at the times that workers say, which are those of what was spent at most.
func (r *reviewer) reviewAll(ctx context.Context, contract int, most campaign.Spent) (*finding.Result, report.Curve, error) {
	var curve report.Curve
	inputs, witnesses, err := r.link.Published(ctx, contract)
	if err != nil {
		return nil, curve, err
	}
	campaign.InOrder(inputs, most)
	campaign.InOrder(witnesses, most)
	parts := inParts(inputs)
	var sequences [][]input.Sequence
	for _, part := range parts {
		sequences = append(sequences, campaign.Sequences(part))
	}
	sequences = append(sequences, campaign.Sequences(witnesses))
	var grown []finding.Stats
	result, err := r.execute(ctx, contract, sequences, campaign.Sequences(witnesses), func(_ int, s *finding.Stats) { grown = append(grown, *s) })
	if err != nil {
		return nil, curve, err
	}
	found := foundAt(result.Findings, witnesses)
	for i, part := range parts {
		at := part[len(part)-1].Spent
		grown[i].Seconds, grown[i].Inputs = at.Seconds, at.Inputs
		n, _ := slices.BinarySearch(found, math.Nextafter(at.Seconds, math.Inf(1)))
		curve.Add(report.NewSample(&grown[i], n))
	}
	return result, curve, nil
}

// maxParts bounds the parts of the inputs of a contract, after each of which a page shows
// the coverage.
const maxParts = 240

// inParts divides inputs. Those of a part were published about the same time.
func inParts(inputs []campaign.Published) (parts [][]campaign.Published) {
	if len(inputs) == 0 {
		return nil
	}
	interval := inputs[len(inputs)-1].Seconds / maxParts
	for i, began := 0, 0; i < len(inputs); i++ {
		if i+1 == len(inputs) || inputs[i+1].Seconds-inputs[began].Seconds > interval {
			parts, began = append(parts, inputs[began:i+1]), i+1
		}
	}
	return parts
}

// foundAt returns when workers say that findings were found first, in order.
func foundAt(list []finding.Finding, witnesses []campaign.Published) (seconds []float64) {
	first := map[string]float64{}
	for _, w := range witnesses {
		if _, known := first[w.Finding]; !known {
			first[w.Finding] = w.Seconds
		}
	}
	for _, f := range list {
		if at, known := first[f.ID]; known {
			seconds = append(seconds, at)
		}
	}
	slices.Sort(seconds)
	return seconds
}

// execute executes inputs of a contract, in parts, and witnesses before them.
func (r *reviewer) execute(ctx context.Context, contract int, parts [][]input.Sequence, witnesses []input.Sequence, after func(int, *finding.Stats)) (*finding.Result, error) {
	options := r.options
	options.Known = witnesses
	t := r.list[contract].Contract
	result, err := engine.ReviewParts(ctx, t, t.Build.Contracts, parts, options, after)
	if ctx.Err() != nil {
		return nil, errors.New("stopped before all was executed")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	for i := range result.Findings {
		result.Findings[i].Inputs, result.Findings[i].Seconds = 0, 0
	}
	return result, nil
}

// report returns the report of a campaign, without contracts.
func (r *reviewer) report() report.Report {
	return report.Report{
		Tool: toolVersion, Root: r.list[0].Unit.Project.Root, Block: engine.Start(nil),
		Sources: report.Sources{Total: r.files(), Compiled: r.files()},
		Run:     report.Run{Revision: r.header.Revision, Started: r.header.Started},
	}
}

// files counts the source files with contracts of the campaign.
func (r *reviewer) files() int {
	files := map[string]bool{}
	for _, c := range r.list {
		files[c.Contract.File] = true
	}
	return len(files)
}

// spent returns what workers say they spent on a contract.
func spent(e *campaign.Effort) campaign.Spent {
	return campaign.Spent{Seconds: e.Seconds, Inputs: e.Inputs}
}

// takeOver takes over what workers say they executed.
func takeOver(to *finding.Stats, e *campaign.Effort) {
	to.Seconds, to.Inputs, to.Transactions, to.Sources = e.Seconds, e.Inputs, e.Transactions, e.Sources
}
