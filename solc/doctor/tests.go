package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"leveret/solc"
	"leveret/solc/project"
	"leveret/solc/selection"
	"leveret/solc/trust"
)

// tests counts the files of tests and scripts. Listing them needs a compiler,
// which can take minutes, so it is left to those who ask for their folder.
func (r *report) tests(p *project.Project) {
	tests, scripts := testsUnder(p, ""), scriptsOf(p)
	if len(tests) > 0 {
		r.rows("Tests", fmt.Sprintf("%s; leveret doctor %s lists them", count(len(tests), "file"), folderOf(p, tests)))
	}
	if len(scripts) > 0 {
		r.rows("Scripts", fmt.Sprintf("%s in %s", count(len(scripts), "file"), folderOf(p, scripts)))
	}
	configs, failed := p.HarnessConfigs()
	var lines []string
	for _, c := range configs {
		lines = append(lines, c.Name()+": "+checks(c.Checks))
	}
	r.rows("Harnesses", lines...)
	for _, err := range failed {
		r.rows("Note", err.Error())
	}
}

// checks says what fails in a harness.
func checks(c solc.HarnessChecks) string {
	var parts []string
	for _, part := range []struct {
		checked bool
		text    string
	}{
		{c.Properties, "properties " + strings.Join(c.Prefixes, ", ")},
		{c.Assertions, "assertions"},
		{c.Overflows, "overflows"},
		{c.ForgeTests, "tests of forge"},
		{c.Optimization, "maximises " + strings.Join(c.Maximized, ", ")},
	} {
		if part.checked {
			parts = append(parts, part.text)
		}
	}
	if len(parts) == 0 {
		return "coverage only"
	}
	return strings.Join(parts, "; ")
}

// testsUnder returns the files of tests and scripts in a folder that is not the
// root of the project; all files of tests if path is empty.
func testsUnder(p *project.Project, path string) []string {
	folder, err := filepath.Abs(path)
	if path == "" {
		folder = p.Root
	} else if info, statErr := os.Stat(folder); err != nil || statErr != nil || !info.IsDir() || folder == p.Root {
		return nil
	}
	files, err := p.TestFiles()
	if err != nil {
		return nil
	}
	sources, _ := p.Files()
	if path != "" {
		files = append(files, scriptsOf(p)...)
	}
	return slices.DeleteFunc(files, func(file string) bool { return !trust.Within(folder, file) || slices.Contains(sources, file) })
}

func scriptsOf(p *project.Project) []string {
	files, err := p.Scripts()
	if err != nil {
		return nil
	}
	return files
}

// folderOf returns the folder below the root that all files lie in.
func folderOf(p *project.Project, files []string) string {
	dir := filepath.Dir(files[0])
	for _, file := range files {
		for !trust.Within(dir, file) {
			dir = filepath.Dir(dir)
		}
	}
	if rel, err := filepath.Rel(p.Root, dir); err == nil {
		return filepath.ToSlash(rel)
	}
	return dir
}

// state says whether a contract is fuzzed, what tests it has, or why it is
// neither fuzzed nor a test.
func state(c selection.Candidate) string {
	suite := solc.Suite(c.Contract)
	switch h := c.Contract.Harness(); {
	case h != nil:
		return harness(h)
	case suite != nil && (c.Note != "" || c.Contract.RunsTests()):
		return tests(suite)
	case c.Contract.IsScript():
		return "script"
	case c.Note != "":
		return strings.TrimPrefix(c.Note, c.Contract.Name+" ")
	case !c.Contract.Callable():
		return "has no function that can be called from outside"
	}
	return "will be fuzzed, solc " + c.Unit.Build.Version
}

// harness says by which configuration a harness is fuzzed, and what fails.
func harness(h *solc.HarnessConfig) string {
	by := "defaults of " + string(h.Tool)
	if h.File != "" {
		by = filepath.Base(h.File)
	}
	return fmt.Sprintf("harness by %s: %s", by, checks(h.Checks))
}

// tests counts the tests of a suite by kind, "2 unit tests, 1 invariant test".
func tests(s *solc.TestSuite) string {
	var parts []string
	for _, kind := range []solc.TestKind{solc.UnitTest, solc.FuzzTest, solc.TableTest, solc.InvariantTest} {
		n := 0
		for _, t := range s.Tests {
			if t.Kind == kind {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, count(n, string(kind)+" test"))
		}
	}
	text := strings.Join(parts, ", ")
	if slices.ContainsFunc(s.Tests, func(t solc.Test) bool { return t.Removed }) {
		text += "; " + solc.RemovedTest
	}
	for _, w := range append(s.Warnings, s.Fault) {
		if w != "" {
			text += "; " + w
		}
	}
	return text
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
