package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// toolVersion is the version of the next release. Releases read it here, see the
// Makefile, and a test compares all other places.
const toolVersion = "0.1.0"

func versionCommand(c console) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(c.out, "leveret %s (%s%s/%s, %s)\n", toolVersion, revision(), runtime.GOOS, runtime.GOARCH, runtime.Version())
			return err
		},
	}
}

// identity tells builds of Leveret apart that may execute differently: the commit of
// one without changes, otherwise a digest of the binary.
func identity() (string, error) {
	if r := strings.TrimSuffix(revision(), ", "); r != "" && !strings.Contains(r, " ") {
		return r, nil
	}
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", err
	}
	return "binary " + hex.EncodeToString(h.Sum(nil)), nil
}

// revision is the commit of the build, followed by ", "; empty if it is unknown.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	commit, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = " with changes"
		}
	}
	if commit == "" {
		return ""
	}
	return commit + changed + ", "
}
