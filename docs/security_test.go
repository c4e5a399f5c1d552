package docs

import (
	"go/ast"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// security is the document that lists all programs that run.
const security = "SECURITY.md"

// starters lists the functions that start a process, of libraries and of this module.
var starters = []string{"exec.Command", "exec.CommandContext", "exec.Cmd", "os.StartProcess", "syscall.StartProcess", "syscall.ForkExec", "syscall.Exec",
	"unix.Exec", "plugin.Open", "newChild", "compilerChild", "runIn", "RunProgram", "RunCommand", "compiler.RunCommand"}

// developers lists the packages that are not part of the command.
var developers = []string{"lsp/demo", "lsp/lsptest", "lsp/storm", "engine/bench", "solc/solctest"}

// TestProgramsAreListed compares the functions that start a process with the table in
// SECURITY.md.
func TestProgramsAreListed(t *testing.T) {
	text, err := os.ReadFile(security)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, m := range regexp.MustCompile("(?m)\\| `([a-z_/]+\\.go)` `(\\w+)` \\|$").FindAllStringSubmatch(string(text), -1) {
		want = append(want, m[1]+" "+m[2])
	}
	var got []string
	files, _ := parseModule(t)
	for _, f := range files {
		if f.test || slices.ContainsFunc(developers, func(dir string) bool { return f.pkg == dir || strings.HasPrefix(f.pkg, dir+"/") }) {
			continue
		}
		for _, d := range f.Decls {
			if name := starts(d); name != "" && !slices.Contains(starters, name) {
				got = append(got, f.path+" "+name)
			}
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the code starts processes in\n%s\nand %s lists\n%s", strings.Join(got, "\n"), security, strings.Join(want, "\n"))
	}
}

// starts returns the name of d if it starts a process or mentions a function that
// does, else "".
func starts(d ast.Decl) (name string) {
	ast.Inspect(d, func(n ast.Node) bool {
		called := ""
		switch n := n.(type) {
		case *ast.SelectorExpr:
			called = n.Sel.Name // of a method
			if x, ok := n.X.(*ast.Ident); ok && called != "RunProgram" {
				called = x.Name + "." + n.Sel.Name
			}
		case *ast.CallExpr:
			if x, ok := n.Fun.(*ast.Ident); ok {
				called = x.Name
			}
		case *ast.StarExpr: // a type of a parameter or a field
			return false
		}
		if slices.Contains(starters, called) {
			name = "a declaration"
			if f, ok := d.(*ast.FuncDecl); ok {
				name = f.Name.Name
			}
		}
		return true
	})
	return name
}

// TestGitIsOnlyRead forbids the parts of go-git that follow a repository's
// configuration, use the network or start programs.
func TestGitIsOnlyRead(t *testing.T) {
	const git = "github.com/go-git/go-git/v5"
	files, _ := parseModule(t)
	for _, f := range files {
		for _, imp := range f.imports() {
			rest, ok := strings.CutPrefix(imp, git)
			if ok && (f.pkg != "solc/change" || rest == "" || strings.HasPrefix(rest, "/plumbing/transport") || strings.HasPrefix(rest, "/plumbing/client") || rest == "/config") {
				t.Errorf("%s imports %s", f.path, imp)
			}
		}
	}
}
