package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// The trust storm opens hostile workspaces that are not trusted, in the server
// and with the command. None may run a program, read a file outside, or write
// one. Where it can, a control shows that the same workspace does harm once it
// is trusted, or once git looks at it.

// A hostileWorkspace tries to make Leveret run, read or write something.
type hostileWorkspace struct {
	name string
	// files are the files of the workspace, with WS, OUTSIDE and MARK for paths. A
	// name that ends in * is a program; a text that starts with "-> " is a link.
	files    map[string]string
	imports  string   // what src/Vault.sol imports its base from
	repo     bool     // it is a git repository, to which files in .git are added
	settings string   // members of the user's own settings
	env      []string // of Leveret
	flags    []string // of leveret fuzz
	git      []string // arguments of git that fall for it
	fresh    bool     // nothing may be compiled yet
	trusted  bool     // Leveret falls for it once the workspace is trusted
}

// A trial is a hostile workspace on the disk.
type trial struct {
	hostileWorkspace
	options
	home, ws, outside, mark string
}

// An attempt runs Leveret, or git, on the workspace and returns its output.
type attempt struct {
	name string
	run  func(*trial, context.Context, bool) (string, error)
}

var (
	inEditor  = attempt{"leveret lsp", (*trial).editor}
	byFuzz    = attempt{"leveret fuzz", (*trial).fuzz}
	byDoctor  = attempt{"leveret doctor", (*trial).doctor}
	byGit     = attempt{"git", (*trial).runGit}
	untrusted = []attempt{inEditor, byFuzz, byDoctor}
)

// runTrust runs the trials, or an even selection if fewer are requested.
func runTrust(ctx context.Context, o options) (out outcome, err error) {
	out.unit = "hostile workspaces"
	attempts, controls := 0, 0
	n := min(o.trials, len(hostileWorkspaces))
	for i := range n {
		h := hostileWorkspaces[i*len(hostileWorkspaces)/n]
		fmt.Fprintln(o.log, h.name)
		dir := filepath.Join(o.dir, strconv.Itoa(i))
		for _, a := range untrusted {
			harm, err := o.try(ctx, h, filepath.Join(dir, "untrusted"), a, false)
			attempts++
			switch {
			case ctx.Err() != nil:
				return out, ctx.Err()
			case err != nil:
				out.fail("%s: %s: %v", h.name, a.name, err)
			case harm != "":
				out.fail("%s: %s %s", h.name, a.name, harm)
			}
		}
		fell, tried, err := o.control(ctx, h, dir)
		if err != nil {
			return out, fmt.Errorf("%s: %w", h.name, err)
		}
		if tried && !fell {
			out.fail("%s: the control did no harm, so this trial shows nothing", h.name)
		}
		if fell {
			controls++
		}
		out.trials++
	}
	out.detail = fmt.Sprintf("looked at %d times, %d controls that did harm", attempts, controls)
	return out, ctx.Err()
}

// control repeats a trial with git, or with trust; fell reports whether that
// did harm, and tried whether there is a control at all.
func (o options) control(ctx context.Context, h hostileWorkspace, dir string) (fell, tried bool, err error) {
	var list []attempt
	if _, missing := exec.LookPath("git"); len(h.git) > 0 && missing == nil {
		list = append(list, byGit)
	}
	if h.trusted {
		list = append(list, byFuzz, inEditor)
	}
	for i, a := range list {
		harm, err := o.try(ctx, h, filepath.Join(dir, "control"+strconv.Itoa(i)), a, true)
		if harm != "" || err != nil {
			return harm != "", true, err
		}
	}
	return false, len(list) > 0, nil
}

// try makes an attempt in a new workspace and describes the harm it did.
func (o options) try(ctx context.Context, h hostileWorkspace, dir string, a attempt, trusted bool) (harm string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	t := &trial{hostileWorkspace: h, options: o, home: filepath.Join(o.dir, "home"), ws: filepath.Join(dir, "ws"), outside: filepath.Join(dir, "outside"), mark: filepath.Join(dir, "mark")}
	if h.fresh {
		t.home = filepath.Join(dir, "home")
	}
	defer os.RemoveAll(dir)
	if err := t.lay(); err != nil {
		return "", err
	}
	w, err := newWatch(t.outside)
	if err != nil {
		return "", err
	}
	before := t.listing()
	output, err := a.run(t, ctx, trusted)
	opened := w.opened()
	if err != nil {
		return "", err
	}
	return t.harm(output, opened, before), nil
}

// harm describes the forbidden effects of an attempt; empty if there are none.
func (t *trial) harm(output string, opened []string, before string) string {
	if _, err := os.Stat(t.mark); err == nil {
		return "ran a program of the workspace"
	}
	switch {
	case strings.Contains(output, hidden):
		return "showed what is in a file outside the workspace"
	case t.listing() != before:
		return "wrote outside the workspace"
	case len(opened) > 0:
		return "read " + opened[0] + " outside the workspace"
	}
	return ""
}

// listing describes the files outside the workspace.
func (t *trial) listing() string {
	var all []string
	list, _ := os.ReadDir(t.outside)
	for _, e := range list {
		if info, err := e.Info(); err == nil {
			all = append(all, fmt.Sprint(e.Name(), info.Size(), info.ModTime()))
		}
	}
	return strings.Join(all, "\n")
}

// fuzz and doctor run the command, with --untrusted unless it is a control.
func (t *trial) fuzz(ctx context.Context, trusted bool) (string, error) {
	args := append([]string{"fuzz", "--max-inputs", "200", "--workers", "1", "--seed", "1"}, t.flags...)
	return t.command(ctx, trusted, args)
}

func (t *trial) doctor(ctx context.Context, trusted bool) (string, error) {
	return t.command(ctx, trusted, []string{"doctor"})
}

// command runs Leveret in the workspace. Findings and an empty workspace are no
// errors; a crash is.
func (t *trial) command(ctx context.Context, trusted bool, args []string) (string, error) {
	if !trusted {
		args = append(args, "--untrusted")
	}
	for i := range args {
		args[i] = t.fill(args[i])
	}
	cmd := exec.CommandContext(ctx, t.leveret, append(args, ".")...)
	cmd.Dir, cmd.Env = t.ws, t.environment()
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); err != nil && code != 1 && (code != 2 || strings.Contains(string(out), "goroutine ")) {
		return "", fmt.Errorf("%v: %w\n%s", args, err, out)
	}
	return string(out), nil
}

// runGit runs git, to show that the repository is harmful.
func (t *trial) runGit(ctx context.Context, _ bool) (string, error) {
	cmd := exec.CommandContext(ctx, "git", t.git...)
	cmd.Dir = t.ws
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "HOME="+t.home)
	out, _ := cmd.CombinedOutput() // whether it succeeds does not matter
	return string(out), nil
}

// environment returns Leveret's environment: the machine's PATH, an empty home,
// and the trial's variables.
func (t *trial) environment() []string {
	env := append(os.Environ(), "HOME="+t.home, "XDG_CACHE_HOME="+filepath.Join(t.home, "cache"), "LEVERET_TOOLS="+t.tools, "NODE_OPTIONS=", "NODE_PATH=")
	for _, e := range t.env {
		env = append(env, t.fill(e))
	}
	return env
}
