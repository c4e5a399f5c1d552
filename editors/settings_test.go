// Package editors tests the clients: their lists of the server's settings and
// commands, and what the real editors show. It uses the server through LSP and
// its tables only.
package editors

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"leveret/engine/oracle"
	"leveret/lsp/settings"
)

var update = flag.Bool("update", false, "write the generated settings instead of comparing them")

// property is the VS Code schema of a setting.
type property struct {
	Type                any                 `json:"type"`
	Default             any                 `json:"default,omitempty"`
	Enum                []string            `json:"enum,omitempty"`
	Pattern             string              `json:"pattern,omitempty"`
	Minimum             *int                `json:"minimum,omitempty"`
	Scope               string              `json:"scope"`
	MarkdownDescription string              `json:"markdownDescription"`
	Properties          map[string]property `json:"properties,omitempty"`
	Additional          *bool               `json:"additionalProperties,omitempty"`
}

// own are the settings that only the extension reads.
var own = map[string]property{
	"leveret.path": {
		Type: "string", Default: "", Scope: "machine-overridable",
		MarkdownDescription: "Absolute path of the program `leveret`. If empty, the extension uses the one in PATH or its own.",
	},
	"leveret.trace.server": {
		Type: "string", Default: "off", Enum: []string{"off", "messages", "verbose"}, Scope: "window",
		MarkdownDescription: "Log the messages between the extension and the server.",
	},
}

var zero, no = 0, false

// forms are the VS Code schemas of the types.
var forms = map[string]property{
	"boolean":                                {Type: "boolean", Scope: "resource"},
	"number":                                 {Type: "integer", Minimum: &zero, Scope: "resource"},
	"path":                                   {Type: "string", Scope: "machine-overridable"},
	"URL":                                    {Type: "string"},
	`"fast" or "project"`:                    {Type: "string", Enum: []string{"fast", "project"}, Scope: "resource"},
	`seconds, or a duration like "3s"`:       {Type: []string{"string", "number"}, Scope: "resource"},
	`"save", "git:HEAD" or "git:<revision>"`: {Type: "string", Pattern: "^(save|git:[^-\\s:][^\\s:]*)$", Scope: "resource"},
	`"off", "hint", "information", "warning" or "error"`: {
		Type: "object", Scope: "resource", Additional: &no, Properties: map[string]property{},
	},
}

// decided is the server setting that the extension sets from workspace trust.
const decided = "leveret.trusted"

// defaults reads the defaults from the server's table of settings.
func defaults(t *testing.T) map[string]any {
	t.Helper()
	values := map[string]any{}
	for line := range strings.Lines(settings.Table()) {
		cells := strings.Split(line, " | ")
		name, ok := strings.CutPrefix(cells[0], "| `")
		if !ok {
			continue
		}
		var v any
		if json.Unmarshal([]byte(strings.Trim(cells[2], "`")), &v) == nil {
			values[strings.TrimSuffix(name, "`")] = v
		}
	}
	return values
}

// properties returns all settings of the extension.
func properties(t *testing.T) map[string]property {
	t.Helper()
	all := map[string]property{}
	for name, p := range own {
		all[name] = p
	}
	values := defaults(t)
	for _, key := range settings.Keys {
		name := "leveret." + key.Name
		form, ok := forms[key.Type]
		if !ok {
			t.Fatalf("%s has a type without a VS Code schema: %s", name, key.Type)
		}
		form.Default, form.MarkdownDescription = values[name], key.Doc
		if key.User {
			form.Scope = "machine" // no settings of a workspace
		}
		switch {
		case name == decided:
			continue
		case strings.HasSuffix(name, ".<name>"):
			name = strings.TrimSuffix(name, ".<name>")
			form.Default = map[string]any{}
			form.MarkdownDescription = "How strongly findings of each oracle are shown, or that it is not watched at all."
			form.Properties = oracles()
		case form.Default == nil:
			t.Errorf("the table has no default for %s", name)
		}
		all[name] = form
	}
	return all
}

func oracles() map[string]property {
	all := map[string]property{}
	for _, o := range oracle.All {
		all[o.Name] = property{
			Type: "string", Enum: []string{"off", "hint", "information", "warning", "error"}, Scope: "resource",
			MarkdownDescription: o.Title + ".",
		}
	}
	return all
}

const manifest = "vscode/package.json"

// The extension has the server's settings with the server's descriptions and
// defaults: `go test ./editors -run TestSettings -update` writes them.
func TestSettings(t *testing.T) {
	raw, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	var have struct {
		Contributes struct {
			Configuration struct {
				Properties json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(raw, &have); err != nil {
		t.Fatal(err)
	}
	want := encode(t, properties(t))
	old := have.Contributes.Configuration.Properties
	if *update {
		raw = bytes.Replace(raw, append([]byte(`"properties": `), old...), append([]byte(`"properties": `), want...), 1)
		if err := os.WriteFile(manifest, raw, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(old, want) {
		t.Errorf("the settings in %s differ from the server's; run go test ./editors -run TestSettings -update", manifest)
	}
}

// VS Code ignores the restricted settings of an untrusted workspace. The
// extension has no setting for trust.
func TestRestrictedSettings(t *testing.T) {
	raw, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	var have struct {
		Capabilities struct {
			UntrustedWorkspaces struct{ RestrictedConfigurations []string }
		}
	}
	if err := json.Unmarshal(raw, &have); err != nil {
		t.Fatal(err)
	}
	want := []string{"leveret.path"} // the path of the server
	for _, key := range settings.Keys {
		if name := "leveret." + key.Name; key.Restricted && name != decided {
			want = append(want, name)
		}
	}
	slices.Sort(want)
	if got := have.Capabilities.UntrustedWorkspaces.RestrictedConfigurations; !slices.Equal(got, want) {
		t.Errorf("restricted settings %q, want %q", got, want)
	}
}

// encode formats the settings as in the manifest.
func encode(t *testing.T, all map[string]property) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("      ", "  ")
	if err := e.Encode(all); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(b.Bytes())
}
