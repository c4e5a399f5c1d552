package settings

import (
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"leveret/engine/finding"
)

var update = flag.Bool("update", false, "rewrite SETTINGS.md")

var client = Origin{Name: "client"}
var workspace = Origin{Name: "leveret.toml", Workspace: true}
var reader = Reader{Oracles: []string{"assertion", "overflow", "reentrancy"}}

func TestTableIsDocumented(t *testing.T) {
	const file = "SETTINGS.md"
	want := "# Settings\n\n" + intro + "\n" + Table()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error(file + " differs from the code; run go test ./lsp/settings -update")
	}
}

const intro = "Generated from key.go. An editor sends these keys below `leveret`. A `leveret.toml` at the root of the\nworkspace has the same keys without that prefix; the editor's settings override it.\n"

var decodeTests = []struct {
	name, json string
	want       func(*Settings)
	warning    string // part of the only warning; empty: none
}{
	{"nothing", ``, func(*Settings) {}, ""},
	{"null", `null`, func(*Settings) {}, ""},
	{"nested", `{"solc":{"path":"/bin/solc"}}`, func(s *Settings) { s.SolcPath = "/bin/solc" }, ""},
	{"below leveret", `{"leveret":{"solc":{"path":"/bin/solc"}}}`, func(s *Settings) { s.SolcPath = "/bin/solc" }, ""},
	{"dotted", `{"leveret.solc.path":"/bin/solc"}`, func(s *Settings) { s.SolcPath = "/bin/solc" }, ""},
	{"seconds", `{"budget":1.5}`, func(s *Settings) { s.Budget = 1500 * time.Millisecond }, ""},
	{"duration", `{"budget":"250ms"}`, func(s *Settings) { s.Budget = 250 * time.Millisecond }, ""},
	{"no time", `{"budget":0}`, func(*Settings) {}, "greater than 0"},
	{"too long", `{"budget":"1000h"}`, func(*Settings) {}, "at most 1h"},
	{"not a duration", `{"budget":"soon"}`, func(*Settings) {}, "seconds or a duration"},
	{"flags", `{"idle":false,"inlayHints":true,"codeLens":false,"trusted":true,"compilerDiagnostics":true}`, func(s *Settings) {
		s.Idle, s.InlayHints, s.CodeLens, s.Trusted, s.CompilerDiagnostics = false, true, false, true, true
	}, ""},
	{"programs of tests", `{"ffi":true}`, func(s *Settings) { s.Programs = true }, ""},
	{"fork", `{"fork":{"url":"https://chain.example/key","block":7}}`, func(s *Settings) { s.ForkURL, s.ForkBlock = "https://chain.example/key", 7 }, ""},
	{"not a flag", `{"idle":"no"}`, func(*Settings) {}, "true or false"},
	{"numbers", `{"seed":7,"workers":2}`, func(s *Settings) { s.Seed, s.Workers = 7, 2 }, ""},
	{"negative seed", `{"seed":-7}`, func(*Settings) {}, "whole number"},
	{"half a worker", `{"workers":0.5}`, func(*Settings) {}, "whole number"},
	{"git", `{"baseline":"git:main~2"}`, func(s *Settings) { s.Baseline = "git:main~2" }, ""},
	{"option as revision", `{"baseline":"git:--output=x"}`, func(*Settings) {}, "git:<revision>"},
	{"oracle", `{"oracles":{"overflow":"off","assertion":"info"}}`, func(s *Settings) {
		s.Oracles = map[string]finding.Severity{"overflow": finding.Off, "assertion": finding.Information}
	}, ""},
	{"unknown oracle", `{"oracles":{"overlow":"off"}}`, func(*Settings) {}, `did you mean "overflow"?`},
	{"severity", `{"oracles":{"overflow":"loud"}}`, func(*Settings) {}, "none of off"},
	{"unknown", `{"budgett":3}`, func(*Settings) {}, `unknown setting; did you mean "budget"?`},
	{"unknown nested", `{"solc":{"Path":"x"}}`, func(*Settings) {}, `did you mean "solc.path"?`},
	{"nothing close", `{"telemetryEndpointOfTheCompany":3}`, func(*Settings) {}, "telemetryEndpointOfTheCompany: unknown setting"},
	{"not set", `{"budget":null}`, func(*Settings) {}, ""},
	{"not JSON", `{`, func(*Settings) {}, "not JSON"},
	{"not an object", `[1]`, func(*Settings) {}, "not an object"},
}

func TestJSON(t *testing.T) {
	for _, test := range decodeTests {
		t.Run(test.name, func(t *testing.T) {
			got, warnings := reader.JSON(Default(), []byte(test.json), client)
			want := Default()
			test.want(&want)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
			checkWarning(t, warnings, test.warning)
		})
	}
}

func checkWarning(t *testing.T, warnings []Warning, want string) {
	t.Helper()
	if want == "" && len(warnings) == 0 {
		return
	}
	if len(warnings) != 1 || want == "" || !strings.Contains(string(warnings[0]), want) {
		t.Errorf("warnings %q, want one with %q", warnings, want)
	}
}

func TestInvalidKeyKeepsOthers(t *testing.T) {
	got, warnings := reader.JSON(Default(), []byte(`{"idle":3,"budgett":1,"seed":5}`), client)
	if got.Seed != 5 || len(warnings) != 2 {
		t.Errorf("seed %d with warnings %q", got.Seed, warnings)
	}
}

func TestUntrustedWorkspaceChoosesNoPrograms(t *testing.T) {
	file := []byte("budget = \"1s\"\n[solc]\npath = \"./evil\"\n")
	got, warnings := reader.TOML(Default(), file, workspace)
	if got.SolcPath != "" || got.Budget != time.Second {
		t.Errorf("untrusted: solc %q, budget %v", got.SolcPath, got.Budget)
	}
	checkWarning(t, warnings, "not trusted")

	trusted := Default()
	trusted.Trusted = true
	if got, warnings := reader.TOML(trusted, file, workspace); got.SolcPath != "./evil" || len(warnings) > 0 {
		t.Errorf("trusted: solc %q, warnings %q", got.SolcPath, warnings)
	}

	got, warnings = reader.TOML(Default(), []byte("baseline = \"git:HEAD\"\n"), workspace)
	if got.Baseline != BaselineSave {
		t.Errorf("untrusted: baseline %q", got.Baseline)
	}
	checkWarning(t, warnings, "not trusted")
	if s := (Settings{Baseline: "git:HEAD"}); s.GitBaseline() != "" {
		t.Error("git runs in an untrusted workspace")
	}

	for _, file := range []string{"[fork]\nurl = \"https://evil.example\"", "[fork]\nblock = 5"} {
		for _, base := range []Settings{Default(), trusted} {
			if got, _ := reader.TOML(base, []byte(file), workspace); got.ForkURL != "" || got.ForkBlock != 0 {
				t.Errorf("a workspace chose a chain: %s", file)
			}
		}
	}
	for _, file := range []string{"ffi = true", "[leveret]\nffi = true", `"leveret.ffi" = true`} {
		for _, base := range []Settings{Default(), trusted} {
			got, warnings := reader.TOML(base, []byte(file), workspace)
			if got.Programs {
				t.Errorf("a workspace agreed that its tests run programs: %s", file)
			}
			checkWarning(t, warnings, "ignored in workspace settings; set it in the editor")
		}
	}

	got, warnings = reader.TOML(Default(), []byte("trusted = true\n[solc]\npath = \"./evil\"\n"), workspace)
	if got.Trusted || got.SolcPath != "" || len(warnings) != 2 {
		t.Errorf("a workspace trusted itself: %+v, %q", got, warnings)
	}
}

func TestTOMLErrors(t *testing.T) {
	got, warnings := reader.TOML(Default(), []byte("seed = 3\n= 3"), workspace)
	if !reflect.DeepEqual(got, Default()) {
		t.Errorf("got %+v", got)
	}
	checkWarning(t, warnings, "leveret.toml:2: invalid TOML")
}

func TestBaseIsNotChanged(t *testing.T) {
	base, _ := reader.JSON(Default(), []byte(`{"oracles":{"overflow":"off"}}`), client)
	_, _ = reader.JSON(base, []byte(`{"oracles":{"overflow":"error","assertion":"hint"}}`), client)
	if len(base.Oracles) != 1 || base.Oracles["overflow"] != finding.Off {
		t.Errorf("earlier settings changed: %v", base.Oracles)
	}
}

func TestThreads(t *testing.T) {
	s := Default()
	half := s.Threads()
	s.Workers = 1 << 10
	if half < 1 || s.Threads() != half {
		t.Errorf("%d threads by default, %d at most", half, s.Threads())
	}
	s.Workers = 1
	if s.Threads() != 1 {
		t.Errorf("%d threads, want 1", s.Threads())
	}
}

func FuzzDecode(f *testing.F) {
	for _, test := range decodeTests {
		f.Add([]byte(test.json))
	}
	f.Add([]byte("budget = \"1s\"\n[solc]\npath = \"./evil\"\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, s := range []func() (Settings, []Warning){
			func() (Settings, []Warning) { return reader.JSON(Default(), in, workspace) },
			func() (Settings, []Warning) { return reader.TOML(Default(), in, workspace) },
		} {
			got, _ := s()
			if got.SolcPath != "" || got.Trusted || got.Programs || got.GitBaseline() != "" {
				t.Fatal("a workspace chose a program")
			}
			if got.Budget <= 0 || got.Budget > maxBudget || got.Workers < 0 {
				t.Fatalf("out of range: %+v", got)
			}
		}
	})
}
