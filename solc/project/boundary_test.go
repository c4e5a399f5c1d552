package project

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/scan"
	"leveret/solc/solctest"
	"leveret/solc/trust"
)

// reads lists files in and beside ws, the workspace with the project ws/p.
// ws/p/src/A.sol has one import. Links have the form "name -> target".
var reads = []struct {
	name    string
	imports string
	files   []string
	trusted string // "read", "refused" or "missing"
	not     string // the same for an untrusted workspace
}{
	{"own file", "./B.sol", []string{"ws/p/src/B.sol"}, "read", "read"},
	{"package", "@o/c/B.sol", []string{"ws/p/node_modules/@o/c/B.sol"}, "read", "read"},
	{"hoisted package in the workspace", "@o/c/B.sol", []string{"ws/node_modules/@o/c/B.sol"}, "read", "read"},
	{"hoisted package above the workspace", "@o/c/B.sol", []string{"node_modules/@o/c/B.sol"}, "read", "refused"},
	{"sibling in the workspace", "../../q/B.sol", []string{"ws/q/B.sol"}, "read", "read"},
	{"traversal", "../../../secret.sol", []string{"secret.sol"}, "refused", "refused"},
	{"traversal from a package", "@o/../../../../secret.sol", []string{"secret.sol", "ws/p/node_modules/@o/x"}, "refused", "refused"},
	{"absolute", "ROOT/secret.sol", []string{"secret.sol"}, "refused", "refused"},
	{"remapping", "s/secret.sol", []string{"secret.sol", "ws/p/remappings.txt=s/=ROOT/\n"}, "refused", "refused"},
	{"relative remapping", "s/secret.sol", []string{"secret.sol", "ws/p/remappings.txt=s/=../../\n"}, "refused", "refused"},
	{"remapping of a library", "s/secret.sol", []string{"secret.sol", "ws/p/lib/l/remappings.txt=s/=../../../../\n"}, "refused", "refused"},
	{"configured library", "l/B.sol", []string{"libs/l/B.sol", "ws/p/foundry.toml=[profile.default]\nlibs=['../../libs']\n"}, "read", "missing"},
	{"include path", "B.sol", []string{"inc/B.sol", "ws/p/foundry.toml=[profile.default]\ninclude_paths=['../../inc']\n"}, "read", "refused"},
	{"allowed path", "../../../inc/B.sol", []string{"inc/B.sol", "ws/p/foundry.toml=[profile.default]\nallow_paths=['../../inc']\n"}, "read", "refused"},
	{"link to a file", "./L.sol", []string{"secret", "ws/p/src/L.sol -> ../../../secret"}, "refused", "refused"},
	{"link to a source", "./L.sol", []string{"loose/B.sol", "ws/p/src/L.sol -> ../../../loose/B.sol"}, "refused", "refused"},
	{"link to a folder", "./l/B.sol", []string{"loose/B.sol", "ws/p/src/l -> ../../../loose"}, "refused", "refused"},
	{"link to another project", "./l/B.sol", []string{"other/B.sol", "other/package.json={}", "ws/p/src/l -> ../../../other"}, "read", "refused"},
	{"not a source of another project", "./l/.env", []string{"other/.env", "other/package.json={}", "ws/p/src/l -> ../../../other"}, "refused", "refused"},
	{"linked package", "@o/c/B.sol", []string{"other/B.sol", "other/package.json={}", "ws/p/node_modules/@o/c -> ../../../../other"}, "read", "refused"},
	{"package of a workspace", "@o/c/B.sol", []string{"ws/packages/c/B.sol", "ws/p/node_modules/@o/c -> ../../../packages/c"}, "read", "read"},
	{"pnpm", "@o/c/B.sol", []string{"ws/node_modules/.pnpm/c@1/node_modules/@o/c/B.sol", "ws/p/node_modules/@o/c -> ../../../node_modules/.pnpm/c@1/node_modules/@o/c"}, "read", "read"},
	{"pnpm above the workspace", "@o/c/B.sol", []string{"node_modules/.pnpm/c@1/node_modules/@o/c/B.sol", "ws/p/node_modules/@o/c -> ../../../../node_modules/.pnpm/c@1/node_modules/@o/c"}, "read", "refused"},
	{"repository around the workspace", "../../../shared/B.sol", []string{"shared/B.sol", ".git/HEAD"}, "read", "refused"},
}

// TestReads checks that no link or remapping resolves an import to a file
// outside of the readable folders.
func TestReads(t *testing.T) {
	for _, row := range reads {
		for _, untrusted := range []bool{false, true} {
			root := layReads(t, row.files)
			importer := &solc.Source{Name: "src/A.sol", Path: filepath.Join(root, "ws/p/src/A.sol")}
			p := open(t, importer.Path, compiler.Env{Workspace: filepath.Join(root, "ws"), Untrusted: untrusted, Home: t.TempDir()})
			c := &closure{at: &p.Location, sources: map[string]*solc.Source{}}
			_, err := c.resolve(p.imports, importer, scan.Import{Path: strings.ReplaceAll(row.imports, "ROOT", filepath.ToSlash(root)), Line: 1}, nil)
			got, want := "read", row.trusted
			if untrusted {
				want = row.not
			}
			var failure *solc.Failure
			if errors.As(err, &failure) {
				got = map[solc.FailureKind]string{solc.OutsideProject: "refused", solc.ImportNotFound: "missing"}[failure.Kind]
			}
			if got != want {
				t.Errorf("%s, untrusted %v: %s, want %s: %v", row.name, untrusted, got, want, err)
			}
		}
	}
}

// layReads creates "name", "name=text" and "name -> target".
func layReads(t *testing.T, files []string) string {
	t.Helper()
	all := []string{"ws/p/package.json", "{}", "ws/p/src/A.sol", ""}
	root := t.TempDir()
	for _, file := range files {
		name, text, _ := strings.Cut(file, "=")
		if !strings.Contains(file, " -> ") {
			all = append(all, name, strings.ReplaceAll(text, "ROOT", filepath.ToSlash(root)))
		}
	}
	solctest.WriteIn(t, root, all...)
	for _, file := range files {
		if link, to, ok := strings.Cut(file, " -> "); ok {
			link = filepath.Join(root, filepath.FromSlash(link))
			if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.FromSlash(to), link); err != nil {
				t.Skip(err)
			}
		}
	}
	return root
}

// TestUntrustedFiles checks that sources and configuration of an untrusted
// project must not be links out of it.
func TestUntrustedFiles(t *testing.T) {
	for _, row := range []struct{ file, link, says string }{
		{"foundry.toml=[profile.default]\nextends='../../secret'\n", "", "foundry.toml: it extends ../../secret, outside"},
		{"", "foundry.toml -> ../../secret", "secret"},
		{"", "brownie-config.yaml -> ../../secret", "secret"},
		{"", "src/L.sol -> ../../../secret", "secret"},
	} {
		files := []string{"secret=hush = {"}
		if row.file != "" {
			files = append(files, "ws/p/"+row.file)
		}
		if row.link != "" {
			files = append(files, "ws/p/"+row.link)
		}
		root := layReads(t, files)
		p, err := tryOpen(t, filepath.Join(root, "ws/p"), compiler.Env{Workspace: filepath.Join(root, "ws"), Untrusted: true})
		if err == nil {
			if unread := p.Unread(p.Root); len(unread) == 1 {
				err = unread[0]
			}
		}
		var failure *solc.Failure
		if !errors.As(err, &failure) || failure.Kind != solc.OutsideProject || !strings.Contains(err.Error(), row.says) || !strings.Contains(err.Error(), "not trusted") || strings.Contains(err.Error(), "hush") {
			t.Errorf("%+v: %v", row, err)
		}
	}
	root := layReads(t, []string{"secret=hush/=../\n", "far/S.sol", "ws/p/remappings.txt -> ../../secret", "ws/p/hardhat.config.js=module.exports = { paths: { sources: '../../far' } }"})
	p := open(t, filepath.Join(root, "ws/p"), compiler.Env{Workspace: filepath.Join(root, "ws"), Untrusted: true})
	if files, err := p.Files(); len(p.Remappings()) > 0 || err != nil || len(files) != 1 {
		t.Errorf("remappings %q, files %q, %v", p.Remappings(), files, err)
	}
}

// TestUntrustedLink checks that the error of an import through a link names where
// the link leads.
func TestUntrustedLink(t *testing.T) {
	for link, path := range map[string]string{"ws/p/src/L.sol -> ../../../far/S.sol": "./L.sol", "ws/p/src/lib -> ../../../far": "./lib/S.sol"} {
		root := layReads(t, []string{"far/S.sol=contract S {}", link, fmt.Sprintf("ws/p/src/B.sol=import %q;", path)})
		p := open(t, filepath.Join(root, "ws/p"), compiler.Env{Workspace: filepath.Join(root, "ws"), Untrusted: true})
		_, err := p.Compile(t.Context(), []string{filepath.Join(root, "ws/p/src/B.sol")}, nil)
		solctest.DemandFailure(t, err, solc.OutsideProject,
			fmt.Sprintf("src/B.sol:1: the import %q leads to %s, outside the workspace, which is not trusted;", path, filepath.Join(trust.Resolve(root), "far", "S.sol")))
	}
}

// TestUntrustedRequest checks that a requested file must not be a link out of an
// untrusted project.
func TestUntrustedRequest(t *testing.T) {
	root := layReads(t, []string{"secret=hush", "ws/p/src/L.sol -> ../../../secret"})
	p := open(t, filepath.Join(root, "ws/p"), compiler.Env{Untrusted: true})
	_, err := p.Compile(t.Context(), []string{filepath.Join(root, "ws/p/src/L.sol")}, nil)
	solctest.DemandFailure(t, err, solc.OutsideProject, "secret", "not trusted")
}

// TestUntrustedPath checks that an untrusted workspace provides no programs,
// even if it is on the PATH.
func TestUntrustedPath(t *testing.T) {
	ws := solctest.Write(t, "package.json", "{}")
	bin := filepath.Join(ws, "node_modules", ".bin")
	solctest.Program(t, filepath.Join(bin, "solc"), "echo Version: 0.8.30\n")
	solctest.Program(t, filepath.Join(bin, "node"), "")
	linked := filepath.Join(t.TempDir(), "bin")
	if err := os.Symlink(bin, linked); err != nil {
		t.Skip(err)
	}
	for _, dir := range []string{bin, linked} {
		for _, untrusted := range []bool{false, true} {
			p := open(t, ws, compiler.Env{Path: dir, Untrusted: untrusted, Home: filepath.Dir(ws) + "/home"})
			list, err := p.tools.Installations(t.Context(), ws)
			if err != nil || (len(list) == 0) != untrusted || (p.tools.Node() == "") != untrusted {
				t.Errorf("%s, untrusted %v: %v, %q, %v", dir, untrusted, list, p.tools.Node(), err)
			}
			p = open(t, ws, compiler.Env{Path: dir, Solc: "solc", Untrusted: untrusted})
			if _, err := p.tools.Installations(t.Context(), ws); (err != nil) != untrusted {
				t.Errorf("%s as set, untrusted %v: %v", dir, untrusted, err)
			}
		}
	}
}
