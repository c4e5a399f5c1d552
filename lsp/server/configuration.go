package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"

	"go.lsp.dev/protocol"

	"leveret/engine/report/baseline"
	"leveret/lsp/session"
	"leveret/lsp/settings"
)

// settingsSection is our section of a client's settings.
const settingsSection = "leveret"

// settingsFile is the name of a workspace's settings file.
const settingsFile = "leveret.toml"

// A configuration merges the settings of all origins and passes them to the
// session.
type configuration struct {
	ctx     context.Context // of the connection
	client  *client
	session configurable
	reader  settings.Reader
	initial []byte // initializationOptions; set by initialize
	changed signal // the client's settings changed: fetch them

	applying sync.Mutex // held by apply, so that the last one to start wins

	mu      sync.Mutex
	folders []string // of the workspace
	pending bool     // the client has not answered workspace/configuration yet; set by initialize
	current []byte   // from workspace/configuration or didChangeConfiguration
	warned  map[settings.Warning]bool
}

type configurable interface {
	Configure(base settings.Settings, folders []session.Folder)
}

func newConfiguration(ctx context.Context, c *client, s configurable, r settings.Reader) *configuration {
	return &configuration{ctx: ctx, client: c, session: s, reader: r, changed: newSignal(), warned: map[settings.Warning]bool{}}
}

// didChange fetches the settings if the client answers
// workspace/configuration, else it uses those in the notification.
func (c *configuration) didChange(_ context.Context, params *protocol.DidChangeConfigurationParams) error {
	if c.client.can.configuration {
		c.changed.send()
		return nil
	}
	c.set(params.Settings)
	return nil
}

func (c *configuration) set(raw []byte) {
	c.mu.Lock()
	c.current, c.pending = raw, false
	c.mu.Unlock()
	c.apply()
}

// fetch requests the client's settings. If the client does not answer, the last
// ones stay. Notification handlers must not call it.
func (c *configuration) fetch() {
	if !c.client.can.configuration {
		return
	}
	ctx, cancel := context.WithTimeout(c.ctx, callTimeout)
	defer cancel()
	section := settingsSection
	values, err := c.client.peer.Configuration(ctx, &protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: &section}}})
	if err != nil || len(values) == 0 {
		c.client.warn(c.ctx, "the client did not answer workspace/configuration", err)
		c.mu.Lock()
		values = []protocol.LSPAny{c.current}
		c.mu.Unlock()
	}
	c.set(values[0])
}

// changeFolders adds and removes folders of the workspace.
func (c *configuration) changeFolders(added, removed []string) {
	c.mu.Lock()
	paths := slices.DeleteFunc(slices.Clone(c.folders), func(path string) bool { return slices.Contains(removed, path) })
	for _, path := range added {
		if !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	c.folders = paths
	c.mu.Unlock()
	c.apply()
}

// apply merges the settings in this order: defaults, the workspace's file,
// initializationOptions, the client's current settings. The client's settings
// are read first as well, because only they may trust the workspace. It warns only
// if they are known: until then, a workspace that they trust seems not to be trusted.
func (c *configuration) apply() {
	c.applying.Lock()
	defer c.applying.Unlock()
	c.mu.Lock()
	current, pending, paths := c.current, c.pending, c.folders
	c.mu.Unlock()
	var warnings []settings.Warning
	fromClient := func(base settings.Settings) settings.Settings {
		base, w1 := c.reader.JSON(base, withoutExtensions(c.initial), settings.Origin{Name: "initializationOptions"})
		base, w2 := c.reader.JSON(base, current, settings.Origin{Name: "settings"})
		warnings = append(append(warnings, w1...), w2...)
		return base
	}
	base := fromClient(settings.Default())
	var folders []session.Folder
	for _, folder := range paths {
		name := settingsFile
		if len(paths) > 1 { // say which one
			name = filepath.Join(folder, name)
		}
		set := base
		text, err := session.ReadSettings(folder, settingsFile, base.Trusted)
		switch {
		case err == nil:
			set = settings.Default()
			set.Trusted = base.Trusted
			var w []settings.Warning
			set, w = c.reader.TOML(set, text, settings.Origin{Name: name, Workspace: true})
			warnings = append(warnings, w...)
			set = fromClient(set)
		case !errors.Is(err, fs.ErrNotExist):
			warnings = append(warnings, settings.Warning(err.Error()))
		}
		if set.Accepted, err = accepted(folder, base.Trusted); err != nil {
			warnings = append(warnings, settings.Warning(err.Error()))
		}
		if err := c.missing(folder, set.GitBaseline()); err != nil {
			warnings = append(warnings, settings.Warning(err.Error()))
		}
		folders = append(folders, session.Folder{Path: folder, Settings: set})
	}
	c.session.Configure(base, folders)
	if base.Baseline != settings.BaselineSave && !base.Trusted {
		warnings = append(warnings, "leveret.baseline: ignored, because the workspace is not trusted")
	}
	if !pending {
		c.warn(warnings)
	}
}

// accepted returns the ids in the baseline of a folder; nil if it has none.
func accepted(folder string, trusted bool) (map[string]bool, error) {
	text, err := session.ReadSettings(folder, baseline.Name, trusted)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	b, err := baseline.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(folder, baseline.Name), err)
	}
	return b.IDs(), nil
}

// missing returns why the revision of a folder's baseline cannot be read; nil if it can, or
// if there is none.
func (c *configuration) missing(folder, revision string) error {
	if revision == "" {
		return nil
	}
	if err := session.CheckBaseline(c.ctx, folder, revision); err != nil {
		return fmt.Errorf("leveret.baseline: git:%s in %s: %w. Until it can be read, campaigns aim at no change", revision, folder, err)
	}
	return nil
}

// An extensions is what a client says in initializationOptions that it supports
// besides LSP. It has no settings.
type extensions struct {
	Notifications bool `json:"notifications"` // leveret/…
	Debugger      bool `json:"debugger"`      // it starts one with what leveret.debug returns
	CommandLinks  bool `json:"commandLinks"`  // it runs the command of a document link command:NAME?ARGUMENTS
}

func withoutExtensions(raw []byte) []byte {
	var options map[string]json.RawMessage
	if json.Unmarshal(raw, &options) != nil {
		return raw
	}
	delete(options, "notifications")
	delete(options, "debugger")
	delete(options, "commandLinks")
	clean, err := json.Marshal(options)
	if err != nil {
		return raw
	}
	return clean
}

func readExtensions(raw []byte) (e extensions) {
	if json.Unmarshal(raw, &e) != nil {
		return extensions{}
	}
	return e
}

// maxWarnings bounds the warnings that are shown and remembered.
const maxWarnings = 100

// warn logs and shows each warning once.
func (c *configuration) warn(warnings []settings.Warning) {
	for _, w := range warnings {
		c.mu.Lock()
		skip := c.warned[w] || len(c.warned) >= maxWarnings
		if !skip {
			c.warned[w] = true
		}
		c.mu.Unlock()
		if !skip {
			c.client.log.Sugar().Warnf("%s", w)
			c.client.say(protocol.MessageTypeWarning, "Leveret: "+string(w))
		}
	}
}
