package session

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"leveret/solc/compiler"
	"leveret/solc/doctor"
)

// Doctor reports on the projects of a file or, without one, of each folder; see
// package doctor.
func (s *Session) Doctor(ctx context.Context, path string) string {
	snapshot := s.Snapshot()
	if path != "" {
		root := snapshot.root(path)
		if info, err := os.Stat(path); root == "" && err == nil && info.IsDir() {
			return path + " is a folder outside the workspace: add it to the workspace, or ask about one of its files"
		}
		return s.config.Doctor(ctx, SourceFile{Root: root, File: path, Settings: snapshot.SettingsFor(path)})
	}
	var parts []string
	for _, f := range snapshot.Folders {
		parts = append(parts, s.config.Doctor(ctx, SourceFile{Root: f.Path, File: f.Path, Settings: f.Settings}))
	}
	return strings.Join(parts, "\n")
}

// doctor is the default of Config.Doctor. It examines what is on the disk, with
// the compiler and the trust that the settings choose.
func (c *Config) doctor(ctx context.Context, source SourceFile) string {
	env := c.Compiler.Env
	env.Solc, env.Untrusted = source.Settings.SolcPath, !source.Settings.Trusted
	env.SolcDir, env.Workspace, env.Watch = source.Root, source.Root, nil
	tools := compiler.NewToolchain(env)
	defer tools.Close()
	var text bytes.Buffer
	for _, failure := range doctor.Write(ctx, &text, tools, c.Version, source.File) {
		fmt.Fprintln(&text, strings.Join(strings.Fields(failure.Error()), " "))
	}
	return text.String()
}
