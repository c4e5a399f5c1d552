package release

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"leveret/solc"
	"leveret/solc/atomicfile"
	"leveret/solc/compiler"
	"leveret/solc/version"
)

// Installed returns the installed compilers, the highest version first.
func (i *Installer) Installed() []compiler.Installation { return compiler.InstalledIn(i.Dir) }

// Install installs the highest release in a range and returns it. If a release
// in the range is installed, Install returns it without using the network.
func (i *Installer) Install(ctx context.Context, wanted version.Range) (compiler.Installation, error) {
	for _, have := range i.Installed() {
		if wanted.Contains(have.Version) && (i.Node || !have.Node) {
			return have, nil
		}
	}
	releases, err := i.List(ctx)
	if err != nil {
		return compiler.Installation{}, err
	}
	releases = slices.DeleteFunc(releases, func(r Release) bool { return !wanted.Contains(r.Version) })
	if len(releases) == 0 {
		return compiler.Installation{}, &solc.Failure{Kind: solc.DownloadFailed, Sentence: "no compiler of this version is published for this machine",
			Remedy: "see leveret solc list --remote"}
	}
	best := releases[0].Version
	var failed []error
	for _, r := range releases {
		if r.Version != best {
			break
		}
		have, err := i.get(ctx, r)
		if err == nil || ctx.Err() != nil {
			return have, err
		}
		failed = append(failed, fmt.Errorf("%s: %w", r.From, err))
	}
	return compiler.Installation{}, i.unreachable(fmt.Sprintf("solc %s cannot be downloaded", best), failed)
}

// get downloads one release. The file gets its name when it is complete and its
// checksum is verified.
func (i *Installer) get(ctx context.Context, r Release) (compiler.Installation, error) {
	if err := os.MkdirAll(i.Dir, 0o755); err != nil {
		return compiler.Installation{}, err
	}
	i.sweep()
	path := filepath.Join(i.Dir, r.fileName())
	file, err := atomicfile.Create(path, 0o755, filepath.Ext(path))
	if err != nil {
		return compiler.Installation{}, err
	}
	defer file.Discard()
	if err := i.download(ctx, r, file); err != nil {
		return compiler.Installation{}, err
	}
	if err := errors.Join(file.Chmod(0o755), file.Finish()); err != nil {
		return compiler.Installation{}, err
	}
	if !r.Node {
		if err := runs(ctx, file.Name(), r.Version); err != nil {
			return compiler.Installation{}, err
		}
	}
	// Another process may have installed the same file, and on Windows run it.
	if err := file.Commit(); err != nil && !regular(path) {
		return compiler.Installation{}, err
	}
	for _, have := range i.Installed() {
		if have.Path == path {
			return have, nil
		}
	}
	return compiler.Installation{}, fmt.Errorf("%s is not there any more", path)
}

// runs checks that a binary runs on this machine and has the right version.
func runs(ctx context.Context, path string, want version.Version) error {
	var v version.Version
	var err error
	for range 5 {
		// A process that is just starting may hold the file open for writing for
		// some milliseconds.
		if v, err = compiler.BinaryVersion(ctx, path); !errors.Is(err, syscall.ETXTBSY) {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	switch {
	case err != nil:
		return fmt.Errorf("it does not run on this machine: %w", err)
	case v != want:
		return fmt.Errorf("its version is %s", v)
	}
	return nil
}

// fileName is the name by which package compiler knows a compiler.
func (r Release) fileName() string {
	switch {
	case r.Node:
		return "soljson-v" + r.Version.String() + ".js"
	case runtime.GOOS == "windows":
		return "solc-v" + r.Version.String() + ".exe"
	}
	return "solc-v" + r.Version.String()
}

// download writes a compiler to file and verifies its checksum.
func (i *Installer) download(ctx context.Context, r Release, file io.Writer) error {
	var told func(done, total int64)
	if i.Progress != nil {
		told = func(done, total int64) { i.Progress(r, done, total) }
	}
	var whole bytes.Buffer
	if err := i.fetch(ctx, r.url, "", &whole, maxCompiler, told); err != nil {
		return err
	}
	h := r.sum.new()
	h.Write(whole.Bytes())
	if !bytes.Equal(h.Sum(nil), r.sum.want) {
		return errors.New("the checksum does not match the published one; the file was deleted")
	}
	if r.packed {
		return unpack(file, &whole)
	}
	_, err := whole.WriteTo(file)
	return err
}

// abandoned is the age at which an unfinished file is removed.
const abandoned = 24 * time.Hour

// sweep removes unfinished files of earlier runs.
func (i *Installer) sweep() {
	entries, _ := os.ReadDir(i.Dir)
	for _, e := range entries {
		// atomicfile.TempPrefix; earlier versions wrote it without the dot
		if info, err := e.Info(); err == nil && strings.HasPrefix(strings.TrimPrefix(e.Name(), "."), "new-") && time.Since(info.ModTime()) > abandoned {
			os.Remove(filepath.Join(i.Dir, e.Name()))
		}
	}
}

func regular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// Remove removes the installed compilers in a range and returns them.
func (i *Installer) Remove(wanted version.Range) ([]compiler.Installation, error) {
	var gone []compiler.Installation
	for _, have := range i.Installed() {
		if !wanted.Contains(have.Version) {
			continue
		}
		if err := os.Remove(have.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return gone, err
		}
		gone = append(gone, have)
	}
	return gone, nil
}

// Platform returns the folder of the official lists that has this machine's
// native compilers; empty if there is none.
func Platform() string {
	switch runtime.GOOS + "/" + runtime.GOARCH {
	case "linux/amd64", "linux/arm64", "windows/amd64":
		return runtime.GOOS + "-" + runtime.GOARCH
	case "darwin/amd64", "darwin/arm64": // universal, or by Rosetta
		return "macosx-amd64"
	}
	return ""
}
