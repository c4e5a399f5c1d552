package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"leveret/solc/compiler"
	"leveret/solc/release"
	"leveret/solc/version"
)

func solcCommand(c console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "solc",
		Short: "List, install and remove Solidity compilers",
		Long: `List, install and remove Solidity compilers. Those that are installed here belong to you alone,
lie in your cache directory, and are found by all that Leveret does. Compilers that others
installed are found too, and left alone.

Nothing is downloaded but by "leveret solc install", and by an editor after it asked.`,
	}
	cmd.AddCommand(solcListCommand(c), solcInstallCommand(c), solcRemoveCommand(c))
	return cmd
}

// addresses adds the flags that say where compilers are published.
func addresses(cmd *cobra.Command, i *release.Installer) {
	cmd.Flags().StringVar(&i.Official, "official", i.Official, "address of the official release lists, `URL`; empty: do not ask there")
	cmd.Flags().StringVar(&i.Registry, "registry", i.Registry, "address of the npm registry, `URL`; empty: do not ask there")
}

func solcListCommand(c console) *cobra.Command {
	i := installer(environment(compilerFlags{}))
	remote := false
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the compilers that are found from here, or with --remote those that can be installed",
		Example: "  leveret solc list\n  leveret solc list --remote",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if remote {
				return listRemote(cmd.Context(), c, i)
			}
			return listInstalled(cmd.Context(), c)
		},
	}
	cmd.Flags().BoolVar(&remote, "remote", false, "ask the network what can be installed")
	addresses(cmd, i)
	return cmd
}

// listInstalled prints the compilers that a project in the current folder may
// use.
func listInstalled(ctx context.Context, c console) error {
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	list := compiler.Find(ctx, environment(compilerFlags{}), here)
	if len(list) == 0 {
		fmt.Fprintln(c.err, "There is no compiler; see leveret solc install --help.")
		return nil
	}
	tab := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, i := range list {
		fmt.Fprintf(tab, "%s\t%s\t%s\t%s\n", i.Version, form(i.Node), i.Origin, i.Path)
	}
	return tab.Flush()
}

func listRemote(ctx context.Context, c console, i *release.Installer) error {
	list, err := i.List(ctx)
	if err != nil {
		return err
	}
	tab := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	last := version.Version{}
	for _, r := range list {
		if r.Version != last { // the best of each
			fmt.Fprintf(tab, "%s\t%s\t%s\n", r.Version, form(r.Node), r.From)
		}
		last = r.Version
	}
	return tab.Flush()
}

func form(node bool) string {
	if node {
		return "JavaScript"
	}
	return "native"
}

func solcInstallCommand(c console) *cobra.Command {
	i := installer(environment(compilerFlags{}))
	cmd := &cobra.Command{
		Use:   "install VERSION...",
		Short: "Download compilers into your cache directory",
		Long: `Download compilers into your cache directory: from the official release lists, native if there is
one for this machine, else from the npm registry. What arrives is used only if its checksum is the
one that was published.

VERSION is a version or a range as in a pragma; of a range, the highest release is installed unless
one that fits is there already.`,
		Example: "  leveret solc install 0.8.30\n  leveret solc install '^0.7.0' 0.6.12",
		Args:    someVersions,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer stop()
			return install(ctx, c, i, args)
		},
	}
	addresses(cmd, i)
	return cmd
}

func someVersions(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("which compiler? Name a version, as in %s 0.8.30", cmd.CommandPath())
	}
	for _, arg := range args {
		if _, err := version.ParseRange(arg); err != nil {
			return fmt.Errorf("%w; write it like 0.8.30 or ^0.8.20", err)
		}
	}
	return nil
}

func install(ctx context.Context, c console, i *release.Installer, versions []string) error {
	if i.Dir == "" {
		return fmt.Errorf("there is no cache directory to install into; set HOME or XDG_CACHE_HOME")
	}
	for _, text := range versions {
		wanted, err := version.ParseRange(text)
		if err != nil {
			return err
		}
		i.Progress = announce(c.err)
		have, err := i.Install(ctx, wanted)
		if ctx.Err() != nil {
			return fmt.Errorf("stopped before solc %s was installed", text)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(c.out, "solc %s is installed: %s\n", have.Version, have.Path)
	}
	return nil
}

// announce tells once where a download comes from, and then every few seconds
// how far it is.
func announce(w io.Writer) func(r release.Release, done, total int64) {
	var told time.Time
	return func(r release.Release, done, total int64) {
		now := time.Now()
		switch {
		case told.IsZero():
			fmt.Fprintf(w, "Downloading %s\n", r)
		case now.Sub(told) < plainInterval:
			return
		case total > 0:
			fmt.Fprintf(w, "%d of %d MB\n", done>>20, total>>20)
		default:
			fmt.Fprintf(w, "%d MB\n", done>>20)
		}
		told = now
	}
}

func solcRemoveCommand(c console) *cobra.Command {
	return &cobra.Command{
		Use:   "remove VERSION...",
		Short: "Remove compilers that leveret solc install has installed",
		Args:  someVersions,
		RunE: func(_ *cobra.Command, args []string) error {
			i := installer(environment(compilerFlags{}))
			for _, text := range args {
				wanted, err := version.ParseRange(text)
				if err != nil {
					return err
				}
				gone, err := i.Remove(wanted)
				for _, g := range gone {
					fmt.Fprintf(c.out, "solc %s is removed\n", g.Version)
				}
				if err != nil {
					return err
				}
				if len(gone) == 0 {
					return fmt.Errorf("leveret has not installed solc %s, so there is nothing to remove; see leveret solc list", text)
				}
			}
			return nil
		},
	}
}

// installer is the only place that reads the environment for where compilers
// come from: LEVERET_SOLC_OFFICIAL and LEVERET_SOLC_REGISTRY, and what npm
// itself goes by.
func installer(env compiler.Env) *release.Installer {
	official, set := os.LookupEnv("LEVERET_SOLC_OFFICIAL")
	if !set {
		official = release.Official
	}
	registry, set := os.LookupEnv("LEVERET_SOLC_REGISTRY")
	if !set {
		registry = cmp.Or(os.Getenv("npm_config_registry"), npmRegistry(env.Home), release.Registry)
	}
	return &release.Installer{Dir: env.CompilerDir(), Official: official, Registry: registry, Platform: release.Platform(), Node: env.HasNode()}
}

// npmRegistry reads the registry of the user's own .npmrc. One that a project
// brings along is not asked: it would choose what is run here.
func npmRegistry(home string) string {
	if home == "" {
		return ""
	}
	text, err := os.ReadFile(filepath.Join(home, ".npmrc"))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		key, value, ok := strings.Cut(line, "=")
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		if ok && strings.TrimSpace(key) == "registry" && !strings.Contains(value, "${") {
			return value
		}
	}
	return ""
}
