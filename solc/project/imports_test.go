package project

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/scan"
	"leveret/solc/solctest"
)

// resolutions lists projects in which src/A.sol (or the named file) has one
// import, and the file that it resolves to.
var resolutions = []struct {
	name     string
	importer string
	path     string
	files    []string
	want     string // "" means not found
}{
	{"relative", "src/A.sol", "./B.sol", []string{"src/B.sol", "B.sol"}, "src/B.sol"},
	{"relative up", "src/a/A.sol", "../../x/B.sol", []string{"x/B.sol", "src/x/B.sol"}, "x/B.sol"},
	{"relative above the root", "src/a/A.sol", "../../../x/B.sol", []string{"x/B.sol", "src/x/B.sol"}, "x/B.sol"},
	{"relative never from elsewhere", "src/A.sol", "./B.sol", []string{"B.sol", "node_modules/B.sol"}, ""},
	{"odd but relative", "src/A.sol", "./x//./y/../B.sol", []string{"src/x/B.sol"}, "src/x/B.sol"},
	{"base path", "src/A.sol", "src/B.sol", []string{"src/B.sol", "src/src/B.sol"}, "src/B.sol"},
	{"remapping", "src/A.sol", "r/B.sol", []string{"vendor/r/B.sol", "r/B.sol", "node_modules/r/B.sol"}, "vendor/r/B.sol"},
	{"longer prefix wins", "src/A.sol", "r/deep/B.sol", []string{"vendor/r/deep/B.sol", "vendor/deep/B.sol"}, "vendor/deep/B.sol"},
	{"longer context wins", "src/special/A.sol", "r/deep/B.sol", []string{"vendor/deep/B.sol", "vendor/special/deep/B.sol"}, "vendor/special/deep/B.sol"},
	{"remapping to nothing falls through", "src/A.sol", "r/B.sol", []string{"node_modules/r/B.sol"}, "node_modules/r/B.sol"},
	{"node_modules", "src/A.sol", "@o/c/B.sol", []string{"node_modules/@o/c/B.sol"}, "node_modules/@o/c/B.sol"},
	{"nearest node_modules", "node_modules/p/A.sol", "@o/c/B.sol", []string{"node_modules/@o/c/B.sol", "node_modules/p/node_modules/@o/c/B.sol"}, "node_modules/p/node_modules/@o/c/B.sol"},
	{"library by name and src", "src/A.sol", "solmate/tokens/B.sol", []string{"lib/solmate/src/tokens/B.sol"}, "lib/solmate/src/tokens/B.sol"},
	{"library by name and contracts", "src/A.sol", "oz/token/B.sol", []string{"lib/oz/contracts/token/B.sol"}, "lib/oz/contracts/token/B.sol"},
	{"library by its folder", "src/A.sol", "oz/contracts/B.sol", []string{"lib/oz/contracts/B.sol"}, "lib/oz/contracts/B.sol"},
	{"library's own remapping, from outside", "src/A.sol", "@oz/B.sol", []string{"lib/mapped/contracts/B.sol"}, "lib/mapped/contracts/B.sol"},
	{"nearest of libraries' remappings", "src/A.sol", "@oz/B.sol", []string{"lib/early/lib/oz/contracts/B.sol", "lib/mapped/contracts/B.sol"}, "lib/mapped/contracts/B.sol"},
	{"longest of libraries' remappings", "src/A.sol", "@oz/far/B.sol", []string{"lib/early/lib/far/B.sol", "lib/mapped/contracts/far/B.sol"}, "lib/early/lib/far/B.sol"},
	{"library's own remapping, from inside", "lib/mapped/src/A.sol", "@oz/B.sol", []string{"lib/mapped/contracts/B.sol"}, "lib/mapped/contracts/B.sol"},
	{"nearest copy of a library first", "lib/mapped/src/A.sol", "ds/B.sol", []string{"lib/ds/src/B.sol", "lib/mapped/lib/ds/src/B.sol"}, "lib/ds/src/B.sol"},
	{"library's own library", "lib/mapped/src/A.sol", "ds/B.sol", []string{"lib/mapped/lib/ds/src/B.sol"}, "lib/mapped/lib/ds/src/B.sol"},
	{"library's library, from outside", "src/A.sol", "ds/B.sol", []string{"lib/mapped/lib/x/lib/ds/src/B.sol", "lib/mapped/lib/ds/contracts/B.sol"}, "lib/mapped/lib/ds/contracts/B.sol"},
	{"one copy for all", "lib/n/lib/m/src/A.sol", "ds/B.sol", []string{"lib/mapped/lib/ds/src/B.sol", "lib/n/lib/m/lib/ds/src/B.sol"}, "lib/mapped/lib/ds/src/B.sol"},
	{"library's own base path first", "lib/mapped/src/A.sol", "src/B.sol", []string{"src/B.sol", "lib/mapped/src/B.sol"}, "lib/mapped/src/B.sol"},
	{"forgotten ./", "src/A.sol", "B.sol", []string{"src/B.sol"}, "src/B.sol"},
	{"open but not saved", "src/A.sol", "./Open.sol", nil, "src/Open.sol"},
	{"nowhere", "src/A.sol", "x/B.sol", nil, ""},
	{"empty", "src/A.sol", "", nil, ""},
}

func TestResolution(t *testing.T) {
	testResolution(t, "foundry.toml", "[profile.default]\nremappings = ['r/=vendor/r/', 'r/deep/=vendor/deep/', 'src/special/:r/=vendor/special/']\n")
}

// forge and DappTools need no configuration file.
func TestPlainResolution(t *testing.T) {
	testResolution(t, "remappings.txt", "r/=vendor/r/\nr/deep/=vendor/deep/\nsrc/special/:r/=vendor/special/\n")
}

// testResolution resolves imports in projects with a configuration file.
func testResolution(t *testing.T, name, config string) {
	for _, row := range resolutions {
		t.Run(row.name, func(t *testing.T) {
			files := []string{name, config, "lib/early/remappings.txt", "@oz/=lib/oz/contracts/\n@oz/far/=lib/far/\n",
				"lib/mapped/remappings.txt", "@oz/=contracts/\n", row.importer, ""}
			for _, file := range row.files {
				files = append(files, file, "")
			}
			root := solctest.Write(t, files...)
			p := open(t, root, compiler.Env{})
			overlay := map[string][]byte{filepath.Join(root, "src", "Open.sol"): nil}
			importer := &solc.Source{Name: row.importer, Path: filepath.Join(root, filepath.FromSlash(row.importer))}
			c := &closure{at: &p.Location, sources: map[string]*solc.Source{}}
			s, err := c.resolve(p.imports, importer, scan.Import{Path: row.path, Line: 1}, overlay)
			if row.want == "" {
				if s != nil {
					t.Fatalf("found %s", s.Name)
				}
				solctest.DemandFailure(t, err, solc.ImportNotFound)
				if tried := err.(*solc.Failure).Tried; len(tried) == 0 || !filepath.IsAbs(tried[0]) {
					t.Errorf("tried %q", tried)
				}
				return
			}
			if err != nil || s.Name != row.want {
				t.Errorf("found %v, %v, want %s", s, err, row.want)
			}
		})
	}
}

// TestResolutionMatchesCompiler compiles imports of all kinds with the oldest
// and the newest compiler, which must agree with the resolution.
func TestResolutionMatchesCompiler(t *testing.T) {
	for _, version := range []string{"0.4.26", "0.6.12", "0.8.30"} {
		env := realTools(t)
		env.Solc = filepath.Join(env.ToolDirs[0], "node_modules", "solc-"+version)
		outside := solctest.Write(t, "node_modules/far/Far.sol", "import './Near.sol'; contract Far is Near {}", "node_modules/far/Near.sol", "contract Near {}",
			"project/foundry.toml", "[profile.default]\nremappings = ['r/=vendor/r/']\nallow_paths = ['..']",
			"project/src/A.sol", "import 'r/B.sol'; import '@o/C.sol'; import 'far/Far.sol'; import '../../Up.sol'; import 'l/E.sol'; import 'Loose.sol'; import '../../vendor/../vendor/High.sol';\ncontract A is B, C, Far, Up, E, Loose, High {}",
			"project/vendor/r/B.sol", "import '@o/C.sol'; contract B {}",
			"project/node_modules/@o/C.sol", "import './sub/../D.sol'; contract C is D {}",
			"project/node_modules/@o/D.sol", "contract D {}",
			"project/lib/l/src/E.sol", "import 'ds/F.sol'; contract E is F {}",
			"project/lib/ds/src/F.sol", "contract F {}",
			"project/lib/l/lib/ds/src/F.sol", "this is the wrong one",
			"project/src/Loose.sol", "contract Loose {}",
			"project/vendor/High.sol", "contract High {}",
			"Up.sol", "contract Up {}")
		root := filepath.Join(outside, "project")
		p := open(t, root, env)
		b, err := p.Compile(t.Context(), []string{filepath.Join(root, "src", "A.sol")}, nil)
		if err != nil {
			t.Fatalf("%s: %v", version, err)
		}
		var names []string
		for _, c := range b.Contracts {
			names = append(names, c.Name)
		}
		slices.Sort(names)
		if want := []string{"A", "B", "C", "D", "E", "F", "Far", "High", "Loose", "Near", "Up"}; !slices.Equal(names, want) {
			t.Errorf("%s: contracts %q, want %q", version, names, want)
		}
	}
}

// A linked package, as in pnpm's store, resolves its imports from its real
// location only.
func TestLinkedPackages(t *testing.T) {
	const store = "node_modules/.pnpm/"
	root := solctest.Write(t, "A.sol", "import '@o/up/Up.sol'; contract A is Up {}",
		store+"up@1/node_modules/@o/up/Up.sol", "import '@o/base/Base.sol'; contract Up is Base {}",
		store+"base@1/node_modules/@o/base/Base.sol", "contract Base { function f() public {} }",
		"node_modules/@o/other/Other.sol", "")
	for link, to := range map[string]string{
		"node_modules/@o/up":                "../.pnpm/up@1/node_modules/@o/up",
		store + "up@1/node_modules/@o/base": "../../../base@1/node_modules/@o/base",
	} {
		if err := os.Symlink(to, filepath.Join(root, filepath.FromSlash(link))); err != nil {
			t.Skip(err)
		}
	}
	p := open(t, root, realTools(t))
	b, err := p.Compile(t.Context(), []string{filepath.Join(root, "A.sol")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Contracts) != 3 {
		t.Errorf("%d contracts", len(b.Contracts))
	}
}

func TestOverlay(t *testing.T) {
	root := solctest.Write(t, "A.sol", "import './B.sol'; contract A is B {}", "B.sol", "contract Old {}")
	p := open(t, root, realTools(t))
	overlay := map[string][]byte{
		filepath.Join(root, "B.sol"): []byte("import './New.sol'; contract B is New {}"), filepath.Join(root, "New.sol"): []byte("contract New {}"),
	}
	b, err := p.Compile(t.Context(), []string{filepath.Join(root, "A.sol")}, overlay)
	if err != nil {
		t.Fatal(err)
	}
	if b.Contract("New") == nil || b.Contract("Old") != nil || b.Contract("B.sol:B") == nil || b.Contract("A.sol:B") != nil {
		t.Errorf("contracts: %v", b.Contracts)
	}
	if s := b.PathSource(filepath.Join(root, "New.sol")); s == nil || string(s.Text) != "contract New {}" || b.SpanSource(s.Unit.Root.Span) != s {
		t.Errorf("source of New: %+v", s)
	}
}

// The target of a remapped folder needs no slash at its end, as in forge.
func TestRemappingWithoutSlash(t *testing.T) {
	for text, want := range map[string]string{"x/=lib/x": "x/=lib/x/", "x/=lib/x/": "x/=lib/x/", "c:x/=y": "c:x/=y/", "x/=": "x/=", "x=y": "x=y"} {
		if r, ok := parseRemapping(text); !ok || r.String() != want {
			t.Errorf("%q is %q, want %q", text, r, want)
		}
	}
}

// A remapping into node_modules also finds packages in parent folders of the
// workspace.
func TestHoistedRemapping(t *testing.T) {
	top := t.TempDir()
	root := filepath.Join(top, "packages", "p")
	want := filepath.Join(top, "node_modules", "x", "B.sol")
	for path, text := range map[string]string{
		filepath.Join(root, "remappings.txt"): "y/=node_modules/x/\n",
		filepath.Join(root, "A.sol"):          "import \"y/B.sol\";\n",
		want:                                  "contract B {}\n",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	p, err := tryOpen(t, root, compiler.Env{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.imports.closure([]string{filepath.Join(root, "A.sol")}, nil)
	if err != nil || len(c.order) != 2 || c.order[1].Path != want {
		t.Errorf("%v %v", c, err)
	}
}

// TestScanAgreesWithCompiler compares the scanned imports of real sources with
// those in the compiler's syntax tree.
func TestScanAgreesWithCompiler(t *testing.T) {
	env := realTools(t)
	p := open(t, filepath.Join(env.ToolDirs[0], "node_modules", "@openzeppelin", "contracts", "governance"), env)
	b, err := p.Compile(t.Context(), []string{filepath.Join(p.Root, "governance", "Governor.sol")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range b.Sources {
		var want []string
		for _, n := range s.Unit.Root.Find("ImportDirective") {
			want = append(want, importName(s.Name, n.Attr("file")))
		}
		_, imports := scan.Directives(s.Text)
		var got []string
		for _, i := range imports {
			got = append(got, importName(s.Name, i.Path))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s imports %v, the compiler says %v", s.Name, got, want)
		}
	}
}
