package selection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/project"
	"leveret/solc/trust"
)

// OpenTests returns the projects that paths belong to, with the files to compile
// for their tests: those below a folder, with the project's sources, whose code a
// test may ask for by name; a file alone; for the root of a project all of
// project.TestFiles. A folder with other projects selects theirs too. The failures
// are those of single projects.
func OpenTests(tools *compiler.Toolchain, paths []string) (out []Batch, failures []error, err error) {
	return open(tools, paths, selector{
		files: testFilesOf, unread: unreadTests,
		none: "no Solidity file with tests in this folder (libraries and hidden files are skipped); name a file or a folder with tests",
	})
}

// Declaring returns a batch of the files that declare contracts with names, as Choose takes
// them.
func (b Batch) Declaring(names []string) Batch {
	b.Files = slices.DeleteFunc(slices.Clone(b.Files), func(path string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return b.Project.Declares(path, NameOf(name)) })
	})
	return b
}

// NameOf returns the name of a contract without its file.
func NameOf(name string) string { return name[strings.LastIndex(name, ":")+1:] }

// AskForArtifacts reports whether the user's sources in units may ask for any contract of
// their project by its name.
func AskForArtifacts(units []Unit) bool {
	return slices.ContainsFunc(units, func(u Unit) bool {
		return slices.ContainsFunc(u.Build.Sources, func(s *solc.Source) bool {
			return !u.Project.InLibrary(s.Path) && solc.AsksForArtifact(s.Text)
		})
	})
}

// WithTests returns batches with the test files of their projects that declare contracts
// with names, as Choose takes them, which no file of theirs declares: tests and harnesses
// that are fuzzed by name.
func WithTests(batches []Batch, names []string) []Batch {
	batches = slices.Clone(batches)
	for i := range batches {
		b := &batches[i]
		for _, name := range names {
			declares := func(path string) bool { return b.Project.Declares(path, NameOf(name)) }
			if slices.ContainsFunc(b.Files, declares) {
				continue
			}
			tests, _ := b.Project.TestFiles() // what cannot be read declares nothing
			for _, path := range tests {
				if declares(path) && !slices.Contains(b.Files, path) {
					b.Files = append(slices.Clip(b.Files), path)
				}
			}
		}
	}
	return batches
}

// testFilesOf lists the files to compile for the tests that path selects.
func testFilesOf(p *project.Project, path string) ([]string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []string{path}, err
	}
	files, err := p.TestFiles()
	if err != nil || path == p.Root {
		return files, err
	}
	sources, err := p.Files()
	if err != nil {
		return nil, err
	}
	selected := false
	files = slices.DeleteFunc(files, func(file string) bool {
		within := trust.Within(path, file)
		selected = selected || within
		return !within && !slices.Contains(sources, file)
	})
	if !selected {
		return nil, nil
	}
	return files, nil
}

// maxSetUpFiles bounds the files that BuiltBySetUp compiles.
const maxSetUpFiles = 8

// BuiltBySetUp returns a contract in builds that have test contracts beside it whose
// setUp may build it: those in the files of its project that name it.
func BuiltBySetUp(ctx context.Context, c Candidate) (list []Candidate) {
	p := c.Unit.Project
	all, err := p.TestFiles()
	if err != nil {
		return nil
	}
	var files []string
	for _, path := range all {
		if len(files) < maxSetUpFiles && !slices.Contains(c.Unit.Files, path) && p.NamesInSetUp(path, c.Contract.Name) {
			files = append(files, path)
		}
	}
	if len(files) == 0 {
		return nil
	}
	units, _ := Batch{Project: p, Files: files}.Compile(ctx)
	for _, u := range units {
		at := slices.IndexFunc(u.Build.Contracts, func(o *solc.Contract) bool { return o.File == c.Contract.File && o.Name == c.Contract.Name })
		if at >= 0 && slices.ContainsFunc(u.Build.Contracts, (*solc.Contract).RunsTests) {
			list = append(list, Candidate{Unit: u, Contract: u.Build.Contracts[at]})
		}
	}
	return list
}

// unreadTests lists the folders that testFilesOf could not read.
func unreadTests(p *project.Project, path string) []error {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil
	}
	return p.UnreadTests()
}

// A Suite is a test contract of a project, with what its comments configure.
type Suite struct {
	Unit     Unit
	Contract *solc.Contract
	Tests    *solc.TestSuite
	Config   *solc.ContractConfig
}

// Path returns the absolute path of the contract's file.
func (s *Suite) Path() string { return s.Unit.Build.Source(s.Contract.File).Path }

// Suites returns the test contracts of units, sorted by file and contract, without
// those of libraries and repeated ones. Like forge, it takes those of imported
// files too. The failures are those of forge-config comments.
func Suites(units []Unit) (list []Suite, failures []error) {
	seen := map[string]bool{}
	for _, u := range units {
		for _, c := range u.Build.Contracts {
			source := u.Build.Source(c.File)
			key := u.Project.Root + "\x00" + c.File + "\x00" + c.Name
			if source == nil || seen[key] || u.Project.InLibrary(source.Path) {
				continue
			}
			tests := solc.Suite(c)
			if tests == nil {
				continue
			}
			seen[key] = true
			config, failed := u.Project.TestConfig.Inline(c)
			list, failures = append(list, Suite{u, c, tests, config}), append(failures, failed...)
		}
	}
	slices.SortStableFunc(list, func(a, b Suite) int {
		return cmp.Or(cmp.Compare(a.Path(), b.Path()), cmp.Compare(a.Contract.Name, b.Contract.Name))
	})
	return list, failures
}

// A Filter is a TestFilter that is ready for use.
type Filter struct {
	solc.TestFilter
	test, noTest, contract, noContract *regexp.Regexp // nil: any
}

// NewFilter returns a filter; the error names the wrong regular expressions by
// their keys.
func NewFilter(f solc.TestFilter) (*Filter, error) {
	filter := &Filter{TestFilter: f}
	var wrong []error
	for _, e := range []struct {
		key, text string
		to        **regexp.Regexp
	}{
		{"match_test", f.MatchTest, &filter.test}, {"no_match_test", f.NoMatchTest, &filter.noTest},
		{"match_contract", f.MatchContract, &filter.contract}, {"no_match_contract", f.NoMatchContract, &filter.noContract},
	} {
		if e.text == "" {
			continue
		}
		expression, err := Expression(e.key, e.text)
		if err != nil {
			wrong = append(wrong, err)
		}
		*e.to = expression
	}
	return filter, errors.Join(wrong...)
}

// Expression compiles a regular expression of a filter; the error names the key or
// flag that has it.
func Expression(name, text string) (*regexp.Regexp, error) {
	compiled, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %q is not a regular expression: %w", name, text, err)
	}
	return compiled, nil
}

// Apply returns the suites with the tests that f selects, without suites that have
// none left. It changes no suite.
func (f *Filter) Apply(list []Suite) []Suite {
	var chosen []Suite
	for _, s := range list {
		if !f.suite(&s) {
			continue
		}
		tests := *s.Tests
		tests.Tests = slices.DeleteFunc(slices.Clone(tests.Tests), func(t solc.Test) bool {
			return f.test != nil && !f.test.MatchString(t.Signature) || f.noTest != nil && f.noTest.MatchString(t.Signature)
		})
		// Of a contract with tests that it no longer runs, forge runs no other ones.
		if slices.ContainsFunc(tests.Tests, removed) {
			tests.Tests = slices.DeleteFunc(tests.Tests, func(t solc.Test) bool { return !removed(t) })
		}
		if s.Tests = &tests; len(tests.Tests) > 0 {
			chosen = append(chosen, s)
		}
	}
	return chosen
}

func removed(t solc.Test) bool { return t.Removed }

// suite reports whether f selects tests of a suite's contract and file.
func (f *Filter) suite(s *Suite) bool {
	root, path := filepath.ToSlash(s.Unit.Project.Root), filepath.ToSlash(s.Path())
	switch {
	case f.contract != nil && !f.contract.MatchString(s.Contract.Name), f.noContract != nil && f.noContract.MatchString(s.Contract.Name):
		return false
	case f.MatchPath != "" && !solc.MatchPath(f.MatchPath, root, path), f.NoMatchPath != "" && solc.MatchPath(f.NoMatchPath, root, path):
		return false
	}
	return true
}
