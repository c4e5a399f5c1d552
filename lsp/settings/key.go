package settings

import (
	"fmt"
	"strings"
	"time"

	"leveret/engine/finding"
)

// A Key is one setting.
type Key struct {
	Name string // dotted, below "leveret."
	Type string // for documentation
	Doc  string
	// Restricted keys choose which programs run or which files are read. The
	// file of an untrusted workspace cannot set them.
	Restricted bool
	User       bool // no file of a workspace can set it

	get func(Settings) any
	set func(*Settings, any) error
}

// oraclePrefix starts the names of the keys of single oracles.
const oraclePrefix = "oracles."

// Keys lists all settings.
var Keys = []Key{
	{
		Name: "budget", Type: "seconds, or a duration like \"3s\"",
		Doc: "Time of the campaign after a save. The contracts that the edit changed share it. If the machine is busy and a campaign tried little, it runs again with more time, up to eight times as much.",
		get: func(s Settings) any { return s.Budget },
		set: func(s *Settings, v any) error { return setDuration(&s.Budget, v) },
	},
	{
		Name: "idle", Type: "boolean",
		Doc: "Continue fuzzing while the editor is idle, with budgets that double up to two minutes, until campaigns find nothing new or you type.",
		get: func(s Settings) any { return s.Idle },
		set: func(s *Settings, v any) error { return setBool(&s.Idle, v) },
	},
	{
		Name: "baseline", Type: "\"save\", \"git:HEAD\" or \"git:<revision>\"", Restricted: true,
		Doc: "Text that an edit is compared with to find the changed lines to fuzz: that of the last completed campaign, or a git revision. Git is read only in a trusted workspace.",
		get: func(s Settings) any { return s.Baseline },
		set: setBaseline,
	},
	{
		Name: "codeLens", Type: "boolean",
		Doc: "Show state and coverage above contracts and functions.",
		get: func(s Settings) any { return s.CodeLens },
		set: func(s *Settings, v any) error { return setBool(&s.CodeLens, v) },
	},
	{
		Name: "inlayHints", Type: "boolean",
		Doc: "Show the values of a finding's transactions at the parameters of the failing function and at the state variables that the failing lines read.",
		get: func(s Settings) any { return s.InlayHints },
		set: func(s *Settings, v any) error { return setBool(&s.InlayHints, v) },
	},
	{
		Name: "compilerDiagnostics", Type: "boolean",
		Doc: "Show the compiler's errors and warnings. If disabled, a note in the first line says why a file is not fuzzed.",
		get: func(s Settings) any { return s.CompilerDiagnostics },
		set: func(s *Settings, v any) error { return setBool(&s.CompilerDiagnostics, v) },
	},
	{
		Name: "oracles.<name>", Type: "\"off\", \"hint\", \"information\", \"warning\" or \"error\"",
		Doc: "Severity of the findings of one oracle. \"off\" disables the oracle.",
	},
	{
		Name: "seed", Type: "number",
		Doc: "Random seed. The same seed tries the same inputs in the same order.",
		get: func(s Settings) any { return s.Seed },
		set: func(s *Settings, v any) error { return setWhole(&s.Seed, v) },
	},
	{
		Name: "workers", Type: "number",
		Doc: "Threads of a campaign, at most half the processors. 0 means half the processors.",
		get: func(s Settings) any { return s.Workers },
		set: setWorkers,
	},
	{
		Name: "solc.path", Type: "path", Restricted: true,
		Doc: "Compiler to use: a native solc or a solc npm package. A name is looked up on the PATH. A relative path starts at the workspace folder and requires trust. If empty, Leveret finds an installed compiler that satisfies the pragma.",
		get: func(s Settings) any { return s.SolcPath },
		set: func(s *Settings, v any) error { return setString(&s.SolcPath, v) },
	},
	{
		Name: "solc.ask", Type: "boolean",
		Doc: "Ask whether to download a compiler that a file needs and that is not installed. Leveret downloads nothing without your consent.",
		get: func(s Settings) any { return s.AskForSolc },
		set: func(s *Settings, v any) error { return setBool(&s.AskForSolc, v) },
	},
	{
		Name: "solc.settings", Type: "\"fast\" or \"project\"",
		Doc: "Settings to compile with. \"fast\" leaves out the optimiser and compilation via IR, and uses the project's own settings for code that needs them. Findings are then executed again on the project's own build, and say so if they do not show there. \"project\" always compiles with the project's own settings.",
		get: func(s Settings) any { return solcSettings[s.Fast] },
		set: setSolcSettings,
	},
	{
		Name: "ffi", Type: "boolean", Restricted: true, User: true,
		Doc: "Let the tests of trusted workspaces run programs with `vm.ffi`, if their foundry.toml says `ffi = true`. Tests run on every save.",
		get: func(s Settings) any { return s.Programs },
		set: func(s *Settings, v any) error { return setBool(&s.Programs, v) },
	},
	{
		Name: "fork.url", Type: "URL", Restricted: true, User: true,
		Doc: "Endpoint of a chain, Ethereum JSON-RPC over HTTP or HTTPS, whose state campaigns on contracts start from. It may contain a key: Leveret shows and saves no more of it than its host. If empty, they start from a chain without contracts.",
		get: func(s Settings) any { return s.ForkURL },
		set: func(s *Settings, v any) error { return setString(&s.ForkURL, v) },
	},
	{
		Name: "fork.block", Type: "number", Restricted: true, User: true,
		Doc: "Block after which campaigns start, with `fork.url`. 0 means the latest one when Leveret first asks.",
		get: func(s Settings) any { return s.ForkBlock },
		set: func(s *Settings, v any) error { return setWhole(&s.ForkBlock, v) },
	},
	{
		Name: "trusted", Type: "boolean", Restricted: true, User: true,
		Doc: "Trust the workspace to choose programs that run: a compiler in its node_modules or its leveret.toml, and its Hardhat or Truffle configuration if it must be evaluated. Leveret also runs an installed forge to read foundry.toml, reads the git repository, and follows imports outside the workspace.",
		get: func(s Settings) any { return s.Trusted },
		set: func(s *Settings, v any) error { return setBool(&s.Trusted, v) },
	},
}

func setBool(to *bool, v any) error {
	b, ok := v.(bool)
	if !ok {
		return fmt.Errorf("must be true or false, not %v", v)
	}
	*to = b
	return nil
}

func setString(to *string, v any) error {
	text, ok := v.(string)
	if !ok {
		return fmt.Errorf("must be a string, not %v", v)
	}
	*to = text
	return nil
}

// number returns a number of a JSON or TOML decoder.
func number(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case int64:
		return float64(n), true
	case int:
		return float64(n), true
	}
	return 0, false
}

// maxBudget limits the effect of a typing error.
const maxBudget = time.Hour

func setDuration(to *time.Duration, v any) error {
	var d time.Duration
	if n, ok := number(v); ok {
		if !(n >= 0 && n <= maxBudget.Seconds()) {
			return fmt.Errorf("must be between 0 and %v seconds, not %v", maxBudget.Seconds(), v)
		}
		d = time.Duration(n * float64(time.Second))
	} else {
		text, _ := v.(string)
		parsed, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("must be a number of seconds or a duration like \"3s\", not %v", v)
		}
		d = parsed
	}
	if d <= 0 || d > maxBudget {
		return fmt.Errorf("must be greater than 0 and at most %v, not %v", maxBudget, v)
	}
	*to = d
	return nil
}

func setBaseline(s *Settings, v any) error {
	text, _ := v.(string)
	rev, git := strings.CutPrefix(text, "git:")
	// git would read a revision that starts with a dash as an option.
	if text != BaselineSave && (!git || rev == "" || rev[0] == '-' || strings.ContainsAny(rev, " \t\n\x00:")) {
		return fmt.Errorf("must be \"save\" or \"git:<revision>\", not %v", v)
	}
	s.Baseline = text
	return nil
}

func setWhole(to *uint64, v any) error {
	n, ok := number(v)
	if !ok || n < 0 || n >= 1<<53 || n != float64(uint64(n)) {
		return fmt.Errorf("must be a whole number of at least 0, not %v", v)
	}
	*to = uint64(n)
	return nil
}

func setWorkers(s *Settings, v any) error {
	n, ok := number(v)
	if !ok || n < 0 || n > 1024 || n != float64(int(n)) {
		return fmt.Errorf("must be a whole number from 0 to 1024, not %v", v)
	}
	s.Workers = int(n)
	return nil
}

// solcSettings are the values of solc.settings, by Settings.Fast.
var solcSettings = map[bool]string{true: "fast", false: "project"}

func setSolcSettings(s *Settings, v any) error {
	for fast, name := range solcSettings {
		if v == name {
			s.Fast = fast
			return nil
		}
	}
	return fmt.Errorf("must be \"fast\" or \"project\", not %v", v)
}

func setOracle(s *Settings, name string, v any) error {
	text, _ := v.(string)
	severity, err := finding.ParseSeverity(text)
	if err != nil {
		return err
	}
	*s = s.withOracle(name, severity)
	return nil
}
