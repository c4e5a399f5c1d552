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
		Long: `List, install and remove Solidity compilers. Leveret installs compilers into your cache directory
and finds them in every project. It also finds compilers that other tools installed, and never
changes them.

Only "leveret solc install" and, after confirmation, editors download compilers.`,
	}
	cmd.AddCommand(solcListCommand(c), solcInstallCommand(c), solcRemoveCommand(c))
	return cmd
}

// addresses adds the flags for the servers that publish compilers.
func addresses(cmd *cobra.Command, i *release.Installer) {
	cmd.Flags().StringVar(&i.Official, "official", i.Official, "`URL` of the official release lists; empty: do not use them")
	cmd.Flags().StringVar(&i.Registry, "registry", i.Registry, "`URL` of the npm registry; empty: do not use it")
}

func solcListCommand(c console) *cobra.Command {
	i := installer(environment(compilerFlags{}))
	remote := false
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the compilers that are found here, or with --remote those that can be installed",
		Example: "  leveret solc list\n  leveret solc list --remote",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if remote {
				return listRemote(cmd.Context(), c, i)
			}
			return listInstalled(cmd.Context(), c)
		},
	}
	cmd.Flags().BoolVar(&remote, "remote", false, "list the compilers that can be downloaded; needs the network")
	addresses(cmd, i)
	return cmd
}

// listInstalled prints the compilers that a project in the current folder can use.
func listInstalled(ctx context.Context, c console) error {
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	list := compiler.Find(ctx, environment(compilerFlags{}), here)
	if len(list) == 0 {
		fmt.Fprintln(c.err, "No compiler found; install one, for example with leveret solc install 0.8.30.")
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
		if r.Version != last { // the preferred release of each version
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
		Long: `Download compilers into your cache directory: a native compiler of the official release lists if
there is one for this machine, else the package of the npm registry. Leveret verifies the published
checksum before it uses a download.

VERSION is a version or a range as in a pragma. For a range, the highest release is installed, unless
a matching compiler is installed already.`,
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
		return fmt.Errorf("missing VERSION, for example `%s 0.8.30`", cmd.CommandPath())
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
		return fmt.Errorf("no cache directory to install into; set HOME or XDG_CACHE_HOME")
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

// announce prints the source of a download, and its progress every plainInterval.
func announce(w io.Writer) func(r release.Release, done, total int64) {
	var last time.Time
	return func(r release.Release, done, total int64) {
		now := time.Now()
		switch {
		case last.IsZero():
			fmt.Fprintf(w, "Downloading %s\n", r)
		case now.Sub(last) < plainInterval:
			return
		case total > 0:
			fmt.Fprintf(w, "%d of %d MB\n", done>>20, total>>20)
		default:
			fmt.Fprintf(w, "%d MB\n", done>>20)
		}
		last = now
	}
}

func solcRemoveCommand(c console) *cobra.Command {
	return &cobra.Command{
		Use:   "remove VERSION...",
		Short: "Remove compilers that leveret solc install installed",
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
					return fmt.Errorf("leveret has not installed solc %s; leveret solc list shows the compilers", text)
				}
			}
			return nil
		},
	}
}

// installer reads the addresses of compilers from the environment, and nothing else
// does: LEVERET_SOLC_OFFICIAL, LEVERET_SOLC_REGISTRY, else npm's registry.
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

// npmRegistry reads the registry from the user's own .npmrc. A project's .npmrc is
// ignored: it would choose what runs here.
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
