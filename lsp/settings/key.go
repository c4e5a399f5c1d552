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
	Type string // for people
	Doc  string
	// Restricted is set for a key that chooses what is run or read, or whether
	// that may be chosen: a workspace's own file cannot set it unless the
	// workspace is trusted.
	Restricted bool

	get func(Settings) any
	set func(*Settings, any) error
}

// oraclePrefix starts the names of the keys that there is one of for each
// oracle.
const oraclePrefix = "oracles."

// Keys lists all settings.
var Keys = []Key{
	{
		Name: "budget", Type: "seconds, or a duration like \"3s\"",
		Doc: "How long the campaign after a save may take, shared by the contracts that the edit changed.",
		get: func(s Settings) any { return s.Budget },
		set: func(s *Settings, v any) error { return setDuration(&s.Budget, v) },
	},
	{
		Name: "idle", Type: "boolean",
		Doc: "Go on fuzzing after the first campaign, with doubling budgets up to two minutes, until nothing new is to be expected or you type.",
		get: func(s Settings) any { return s.Idle },
		set: func(s *Settings, v any) error { return setBool(&s.Idle, v) },
	},
	{
		Name: "baseline", Type: "\"save\", \"git:HEAD\" or \"git:<revision>\"", Restricted: true,
		Doc: "What an edit is compared with to find the lines to aim at: the text of the last completed campaign, or a git revision. Git is read only in a trusted workspace.",
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
		Doc: "Show the compiler's own errors and warnings; without it, a note in the first line says what keeps a file from being fuzzed.",
		get: func(s Settings) any { return s.CompilerDiagnostics },
		set: func(s *Settings, v any) error { return setBool(&s.CompilerDiagnostics, v) },
	},
	{
		Name: "oracles.<name>", Type: "\"off\", \"hint\", \"information\", \"warning\" or \"error\"",
		Doc: "How strongly findings of one oracle are shown, or that it is not watched at all.",
	},
	{
		Name: "seed", Type: "number",
		Doc: "Seed of the search. The same seed tries the same inputs in the same order.",
		get: func(s Settings) any { return s.Seed },
		set: setSeed,
	},
	{
		Name: "workers", Type: "number",
		Doc: "Threads of a campaign; 0 means half the processors, and more than that is not used.",
		get: func(s Settings) any { return s.Workers },
		set: setWorkers,
	},
	{
		Name: "solc.path", Type: "path", Restricted: true,
		Doc: "Compiler to use: a native solc or a solc npm package. A name is looked up on the PATH; a relative path counts from the workspace, and only if it is trusted. Empty: one that fits the file's pragma is looked for.",
		get: func(s Settings) any { return s.SolcPath },
		set: func(s *Settings, v any) error { return setString(&s.SolcPath, v) },
	},
	{
		Name: "solc.ask", Type: "boolean",
		Doc: "Ask whether to download a compiler that a file needs and that is not installed. Nothing is ever downloaded unasked.",
		get: func(s Settings) any { return s.AskForSolc },
		set: func(s *Settings, v any) error { return setBool(&s.AskForSolc, v) },
	},
	{
		Name: "trusted", Type: "boolean", Restricted: true,
		Doc: "The workspace may choose what is run: a compiler in its own node_modules or by its leveret.toml, and its Hardhat or Truffle configuration, evaluated where reading it is not enough. Forge, if you have it, is asked about its foundry.toml, its git repository is read, and imports may lead to libraries outside it.",
		get: func(s Settings) any { return s.Trusted },
		set: func(s *Settings, v any) error { return setBool(&s.Trusted, v) },
	},
}

func setBool(to *bool, v any) error {
	b, ok := v.(bool)
	if !ok {
		return fmt.Errorf("want true or false, got %v", v)
	}
	*to = b
	return nil
}

func setString(to *string, v any) error {
	text, ok := v.(string)
	if !ok {
		return fmt.Errorf("want text, got %v", v)
	}
	*to = text
	return nil
}

// number takes what JSON and TOML decoders make of a number.
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

// maxBudget keeps a slip of the keyboard from fuzzing for days after a save.
const maxBudget = time.Hour

func setDuration(to *time.Duration, v any) error {
	var d time.Duration
	if n, ok := number(v); ok {
		if !(n >= 0 && n <= maxBudget.Seconds()) {
			return fmt.Errorf("want between 0 and %v seconds, got %v", maxBudget.Seconds(), v)
		}
		d = time.Duration(n * float64(time.Second))
	} else {
		text, _ := v.(string)
		parsed, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("want seconds or a duration like \"3s\", got %v", v)
		}
		d = parsed
	}
	if d <= 0 || d > maxBudget {
		return fmt.Errorf("want more than nothing and at most %v, got %v", maxBudget, v)
	}
	*to = d
	return nil
}

func setBaseline(s *Settings, v any) error {
	text, _ := v.(string)
	rev, git := strings.CutPrefix(text, "git:")
	// A revision that starts with a dash would be an option to git.
	if text != BaselineSave && (!git || rev == "" || rev[0] == '-' || strings.ContainsAny(rev, " \t\n\x00:")) {
		return fmt.Errorf("want \"save\" or \"git:<revision>\", got %v", v)
	}
	s.Baseline = text
	return nil
}

func setSeed(s *Settings, v any) error {
	n, ok := number(v)
	if !ok || n < 0 || n >= 1<<53 || n != float64(uint64(n)) {
		return fmt.Errorf("want a whole number from 0, got %v", v)
	}
	s.Seed = uint64(n)
	return nil
}

func setWorkers(s *Settings, v any) error {
	n, ok := number(v)
	if !ok || n < 0 || n > 1024 || n != float64(int(n)) {
		return fmt.Errorf("want a whole number from 0 to 1024, got %v", v)
	}
	s.Workers = int(n)
	return nil
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
