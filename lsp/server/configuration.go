package server

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"

	"go.lsp.dev/protocol"

	"leveret/lsp/session"
	"leveret/lsp/settings"
)

// settingsSection is the section of a client's settings that is ours.
const settingsSection = "leveret"

// settingsFile is the file with a workspace's own settings.
const settingsFile = "leveret.toml"

// DidChangeConfiguration takes settings that are sent along, and asks for
// those that are not.
func (s *server) DidChangeConfiguration(_ context.Context, params *protocol.DidChangeConfigurationParams) error {
	if s.caps.configuration {
		signal(s.refetch)
		return nil
	}
	s.mu.Lock()
	s.configured = params.Settings
	s.mu.Unlock()
	s.configure()
	return nil
}

// fetchConfiguration asks the client for its settings. It must not be called
// from a notification's handler.
func (s *server) fetchConfiguration() {
	if !s.caps.configuration {
		return
	}
	ctx, cancel := s.callTime()
	defer cancel()
	section := settingsSection
	values, err := s.peer.Configuration(ctx, &protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: &section}}})
	if err != nil || len(values) == 0 {
		if err != nil && s.ctx.Err() == nil {
			s.log.Sugar().Warnf("the client did not tell its settings: %v", err)
		}
		return
	}
	s.mu.Lock()
	s.configured = values[0]
	s.mu.Unlock()
	s.configure()
}

// configure lays the settings over each other: defaults, the workspace's
// file, what initialize brought, what the client says now. Whether the
// workspace is trusted is the client's to say, so that is read first.
func (s *server) configure() {
	s.mu.Lock()
	configured := s.configured
	s.mu.Unlock()
	var warnings []settings.Warning
	client := func(base settings.Settings) settings.Settings {
		base, w1 := s.reader.JSON(base, ours(s.initial), settings.Source{Name: "initializationOptions"})
		base, w2 := s.reader.JSON(base, configured, settings.Source{Name: "settings"})
		warnings = append(append(warnings, w1...), w2...)
		return base
	}
	base := client(settings.Default())
	s.session.Configure(base, func(folder string) settings.Settings {
		text, err := session.ReadSettings(folder, settingsFile, base.Trusted)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				warnings = append(warnings, settings.Warning(err.Error()))
			}
			return base
		}
		of := settings.Default()
		of.Trusted = base.Trusted
		of, w := s.reader.TOML(of, text, settings.Source{Name: settingsFile, Workspace: true})
		warnings = append(warnings, w...)
		return client(of)
	})
	if base.Baseline != settings.BaselineSave && !base.Trusted {
		warnings = append(warnings, "leveret.baseline: ignored, because the workspace is not trusted")
	}
	s.warn(warnings)
}

// ours takes what is not a setting out of initializationOptions.
func ours(raw []byte) []byte {
	var options map[string]json.RawMessage
	if json.Unmarshal(raw, &options) != nil {
		return raw
	}
	delete(options, richOption)
	clean, err := json.Marshal(options)
	if err != nil {
		return raw
	}
	return clean
}

// richOption is what a client sets in initializationOptions that wants the
// notifications of our own.
const richOption = "notifications"

// wantsRich reads it.
func wantsRich(raw []byte) bool {
	var options struct {
		Notifications bool `json:"notifications"`
	}
	return json.Unmarshal(raw, &options) == nil && options.Notifications
}

// maxWarnings bounds the warnings that are told, and remembered.
const maxWarnings = 100

// warn tells each warning once, to the log and to the user.
func (s *server) warn(warnings []settings.Warning) {
	for _, w := range warnings {
		s.mu.Lock()
		told := s.warned[w] || len(s.warned) >= maxWarnings
		if !told {
			s.warned[w] = true
		}
		s.mu.Unlock()
		if told {
			continue
		}
		s.log.Sugar().Warnf("%s", w)
		s.say(protocol.MessageTypeWarning, "Leveret: "+string(w))
	}
}

// say shows a message to the user. It never waits for the client.
func (s *server) say(kind protocol.MessageType, text string) { s.toClient.add(kind, text, true) }
