package lookahead

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/project"
	"leveret/solc/solctest"
)

const npm = "../../solc/testdata/npm"

// settings are projects around the real contracts, which take turns: the
// optimiser, no optimiser, and the way through Yul. Compilers that are too old
// for the last do without.
var settings = []string{"", "optimizer = false\n", "optimizer = true\nvia_ir = true\n"}

// projects returns a folder for each of the settings. The folders stay where
// they are, because the compiler's output depends on their paths.
func projects(t *testing.T) (folders []string) {
	t.Helper()
	from, err := filepath.Abs(npm)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range settings {
		made := makeProject(t, from, s)
		key := sha256.New()
		fmt.Fprintf(key, "%q%q", from, s)
		files, err := filepath.Glob(filepath.Join(made, "contracts", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(key, "%q%q", filepath.Base(file), text)
		}
		folder := filepath.Join(solctest.Cache(t), "projects", fmt.Sprintf("%x", key.Sum(nil)[:8]))
		if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
			t.Fatal(err)
		}
		_ = os.Rename(made, folder) // fails if the folder is there
		if _, err := os.Stat(folder); err != nil {
			t.Fatal(err)
		}
		folders = append(folders, folder)
	}
	return folders
}

// makeProject makes a project of the real contracts beside its final folder.
func makeProject(t *testing.T, from, settings string) string {
	t.Helper()
	folder, err := os.MkdirTemp(solctest.Cache(t), "project-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := os.CopyFS(filepath.Join(folder, "contracts"), os.DirFS(filepath.Join(from, "contracts"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(from, "node_modules"), filepath.Join(folder, "node_modules")); err != nil {
		t.Fatal(err)
	}
	if settings != "" {
		config := "[profile.default]\nsrc = \"contracts\"\nlibs = [\"node_modules\"]\n" + settings
		if err := os.WriteFile(filepath.Join(folder, "foundry.toml"), []byte(config), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// realContracts calls f with each contract of the list, compiled.
func realContracts(t *testing.T, f func(*testing.T, *solc.Contract)) {
	t.Helper()
	list, err := os.ReadFile(filepath.Join(npm, "real.txt"))
	if err != nil {
		t.Fatal(err)
	}
	compilers := compiler.NewToolchain(compiler.Env{Path: os.Getenv("PATH"), ToolDirs: []string{solctest.Tools(t)}, CacheDir: solctest.Cache(t)})
	defer compilers.Close()
	folders, count := projects(t), 0
	for line := range strings.Lines(string(list)) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] == "#" {
			continue
		}
		file := filepath.Join(folders[count%len(folders)], fields[0])
		count++
		t.Run(fields[1], func(t *testing.T) {
			f(t, compiledBy(t, compilers, file, fields[1]))
		})
	}
}

func compiledBy(t *testing.T, compilers *compiler.Toolchain, file, name string) *solc.Contract {
	t.Helper()
	p, err := project.Open(compilers, file)
	if err != nil {
		t.Fatal(err)
	}
	build, err := p.Compile(t.Context(), []string{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := build.Contract(name)
	if c == nil {
		t.Fatalf("%s has no %s", file, name)
	}
	t.Logf("solc %s, %v", build.Version, build.Settings)
	return c
}

// interfaceOf reads the ABI of a contract.
func interfaceOf(t *testing.T, c *solc.Contract) abi.ABI {
	t.Helper()
	a, err := abi.JSON(bytes.NewReader(c.ABI))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// constructions is how many constructor arguments are tried.
const constructions = 200

// construct deploys a real contract with arguments that it accepts.
func (p *proving) construct(t *testing.T, c *solc.Contract, known []common.Address, r *rand.Rand) common.Address {
	t.Helper()
	if len(c.Creation.Links) > 0 {
		t.Fatalf("%s wants a library", c.Name)
	}
	constructor := interfaceOf(t, c).Constructor
	var err error
	for range constructions {
		code := append(bytes.Clone(c.Creation.Object), arguments(t, constructor.Inputs, known, r)...)
		var at common.Address
		var frames []*frameRecord
		if at, frames, err = p.create(sender, code); err == nil {
			p.teach(p.a)
			p.check(t, frames, r)
			return at
		}
	}
	t.Fatalf("no arguments suit the constructor: %v", err)
	return common.Address{}
}

// TestSoundOnRealContracts does what TestSound does with contracts that nobody
// wrote to be analysed, and with arguments that fit. Addresses are those of
// users, of the contract and of a token.
func TestSoundOnRealContracts(t *testing.T) { checkRealContracts(t, 15) }

func TestSoundOnRealContractsLong(t *testing.T) {
	solctest.Long(t)
	checkRealContracts(t, 40)
}

func checkRealContracts(t *testing.T, runs int) {
	var token *solc.Contract
	executions, proper := 0, 0
	realContracts(t, func(t *testing.T, c *solc.Contract) {
		if token == nil {
			token = c // the first of the list
		}
		r := rand.New(rand.NewPCG(2, uint64(len(c.Creation.Object))))
		p := newProving()
		known := []common.Address{sender, {0xbb}, {}, common.BytesToAddress([]byte{1})}
		known = append(known, p.construct(t, token, known, r))
		at := p.construct(t, c, known, r)
		known = append(known, at)
		methods := interfaceOf(t, c).Methods
		for range runs {
			p.call(t, known[r.IntN(2)], at, callOf(t, methods, known, r), 1_000_000, r)
		}
		p.report(t)
		executions, proper = executions+runs, proper+p.proper
	})
	t.Logf("%d executions, %d proper prefixes", executions, proper)
}
