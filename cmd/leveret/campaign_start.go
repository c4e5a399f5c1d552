package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"leveret/campaign"
	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/selection"
)

// campaignStartFlags are the flags of leveret campaign start.
type campaignStartFlags struct {
	compilerFlags
	fastFlag
	workFlags
	addressFlags
	name      string
	dir       string
	listen    string
	cert, key string
	nats      string
	replicas  int
	store     string
	contracts []string
	oracles   []string
}

func (f *campaignStartFlags) add(flags *pflag.FlagSet) {
	flags.SortFlags = false
	flags.StringVar(&f.name, "name", "main", "`NAME` of the campaign")
	flags.StringArrayVar(&f.contracts, "contract", nil, "fuzz only this contract, `NAME` or FILE:NAME; repeatable")
	flags.StringSliceVar(&f.oracles, "oracles", nil, "report only findings of these oracles, `a,b`")
	f.workFlags.add(flags)
	flags.StringVar(&f.dir, "dir", defaultCampaign, "keep the campaign in `DIR`")
	flags.StringVar(&f.listen, "listen", "127.0.0.1:0", "serve workers at `ADDRESS`; port 0 is any free one, the same each time")
	flags.StringVar(&f.cert, "tls-cert", "", "PEM `FILE` with the server's certificate, for addresses that other machines reach")
	flags.StringVar(&f.key, "tls-key", "", "PEM `FILE` with its key")
	flags.StringVar(&f.store, "store", "1GB", "keep at most `SIZE` at the server")
	flags.StringVar(&f.nats, "nats", "", "use the NATS server at `URL` in place of an own one")
	flags.IntVar(&f.replicas, "replicas", 1, "with --nats: keep `N` copies in the cluster")
	f.addServer(flags)
	f.compilerFlags.add(flags)
	f.fastFlag.add(flags)
}

func campaignStartCommand(c console) *cobra.Command {
	f := new(campaignStartFlags)
	cmd := &cobra.Command{
		Use:   "start [flags] PATH...",
		Short: "Compile contracts and start a campaign, or go on with it",
		Long: `Compile files, folders or a project, start a campaign over the contracts, and work on it until
--time is over, leveret campaign stop, or Ctrl-C. The same command goes on with the campaign later.
It prints the commands for other workers and for the owner; their URLs contain passwords.`,
		Example: "  leveret campaign start src\n  leveret campaign start --listen 10.0.0.5:4222 --tls-cert server.pem --tls-key server.key --workers 0 .",
		Args:    somePaths,
		RunE: func(cmd *cobra.Command, paths []string) error {
			return f.run(cmd.Context(), c, paths)
		},
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *campaignStartFlags) run(ctx context.Context, c console, paths []string) error {
	size, err := f.check()
	if err != nil {
		return err
	}
	ctx, stop := stoppable(ctx)
	defer stop()
	m, err := f.manifest(ctx, c, paths)
	if err != nil {
		return err
	}
	me, err := identity()
	if err != nil {
		return err
	}
	a := f.address
	a.Name, a.URL = f.name, f.nats
	join, own := a.URL, a.URL
	if f.nats == "" {
		b, err := campaign.StartBroker(campaign.BrokerOptions{
			Name: f.name, Dir: f.dir, Address: f.listen, Cert: f.cert, Key: f.key, Store: size + brokerRoom,
		})
		if err != nil {
			return err
		}
		defer b.Close()
		a, join, own = b.Address(true), b.URL(false), b.URL(true)
	}
	link, err := campaign.Dial(a)
	if err != nil {
		return err
	}
	defer link.Close()
	if err := link.Create(ctx, m, me, campaign.StoreOptions{Store: size, Replicas: f.replicas}); err != nil {
		return err
	}
	fmt.Fprintf(c.err, "Campaign %s over %s.\n", f.name, english.Plural(len(m.Contracts), "contract", ""))
	fmt.Fprintf(c.err, "Other workers: leveret campaign join %s\n", join)
	fmt.Fprintf(c.err, "Its owner:     leveret campaign status %s (or stop, export)\n", own)
	err = f.work(ctx, c, link, me)
	if f.nats == "" {
		tellWaiting(c, link)
	}
	return err
}

// tellWaiting tells of the workers that go on without the server of this command.
func tellWaiting(c console, link *campaign.Link) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	h, err := link.Header(ctx)
	if err != nil || h.Stopped {
		return
	}
	if others, err := link.Workers(ctx); err == nil && len(others) > 0 {
		fmt.Fprintf(c.err, "The server ends with this command. %s may still work, and publish once it is started again; leveret campaign stop ends the work for all.\n",
			english.Plural(len(others), "other worker", ""))
	}
}

// brokerRoom is what an embedded server may take beside the campaign, in bytes.
const brokerRoom = 64 << 20

// minStore is the least that a campaign may take, in bytes.
const minStore = 8 << 20

// check validates the flags and returns the size of --store.
func (f *campaignStartFlags) check() (int64, error) {
	if err := campaign.CheckName(f.name); err != nil {
		return 0, fmt.Errorf("--name: %w", err)
	}
	size, err := humanize.ParseBytes(f.store)
	if err != nil || size < minStore || size > 1<<50 {
		return 0, fmt.Errorf("--store: %q is not a size from 8MB on; write 500MB or 2GB", f.store)
	}
	if (f.cert == "") != (f.key == "") {
		return 0, errors.New("--tls-cert and --tls-key belong together; name both")
	}
	if err := f.addressFlags.check(); err != nil {
		return 0, err
	}
	return int64(size), f.workFlags.check(0)
}

// manifest compiles the paths.
func (f *campaignStartFlags) manifest(ctx context.Context, c console, paths []string) (*campaign.Manifest, error) {
	env := environment(f.compilerFlags)
	env.Watch = newCompileProgress(c.err, !f.fast).follow
	tools := compiler.NewToolchain(env)
	defer tools.Close()
	batches, failures, err := selection.Open(tools, paths)
	if err != nil {
		return nil, err
	}
	for _, b := range batches {
		if err := f.checkPath("--dir", b.Project.Root, f.dir); err != nil {
			return nil, err
		}
		b.Project.KeepOutput = true
	}
	units, failed := c.compile(ctx, batches, f.fastFlag.settings())
	if failures = append(failures, failed...); ctx.Err() != nil {
		return nil, errors.New("stopped before anything was compiled")
	}
	if len(units) == 0 && len(failures) > 0 {
		return nil, c.nothing(failures)
	}
	c.failed(failures)
	list, err := selection.Choose(units, f.contracts)
	if err != nil {
		return nil, fmt.Errorf("--contract %w", err)
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	m := &campaign.Manifest{Settings: campaign.Settings{Oracles: f.oracles}}
	for _, u := range units {
		var chosen []*solc.Contract
		for _, candidate := range list {
			if candidate.Unit.Build == u.Build && candidate.Note == "" && !candidate.Contract.RunsTests() {
				chosen = append(chosen, candidate.Contract)
			}
		}
		if len(chosen) == 0 {
			continue
		}
		if err := m.Add(u.Build, here, chosen); err != nil {
			return nil, err
		}
	}
	if len(m.Contracts) == 0 {
		return nil, errors.New("no contract in these paths can be fuzzed by a campaign; test contracts run with leveret test")
	}
	return m, nil
}

// workFlags say how much a worker does.
type workFlags struct {
	time    duration
	workers int
	memoryFlag
	limit int64 // of memory, in bytes
}

func (f *workFlags) add(flags *pflag.FlagSet) {
	flags.Var(&f.time, "time", "work for this time: 30m, 8h, 2d (default until the campaign is stopped)")
	flags.IntVar(&f.workers, "workers", runtime.NumCPU(), "execute `N` inputs in parallel")
	f.memoryFlag.add(flags)
}

func (f *workFlags) check(least int) (err error) {
	if f.workers < least {
		return fmt.Errorf("--workers must be at least %d", least)
	}
	f.limit, err = f.memoryFlag.apply()
	return err
}

// work works on a campaign. That it was stopped is no error.
func (f *workFlags) work(ctx context.Context, c console, link *campaign.Link, me string) error {
	if f.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(f.time))
		defer cancel()
	}
	if f.workers == 0 {
		return f.serve(ctx, c, link)
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	w, err := campaign.Join(ctx, link, me, here)
	if err != nil {
		return err
	}
	t := newTeller(c)
	w.Threads, w.Memory, w.Begin, w.Observe, w.Tell = f.workers, f.limit, t.begin, t.observe, t.tell
	err = w.Work(ctx)
	t.end(w)
	if errors.Is(err, campaign.ErrStopped) {
		fmt.Fprintf(c.err, "Campaign %s was stopped.\n", link.Name())
		return nil
	}
	return err
}

// serve waits for the end of a campaign without working on it.
func (f *workFlags) serve(ctx context.Context, c console, link *campaign.Link) error {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		if h, err := link.Header(ctx); err == nil && h.Stopped {
			fmt.Fprintf(c.err, "Campaign %s was stopped.\n", link.Name())
			return nil
		}
	}
}
