package cheat

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// A folderHost lets cheatcodes at the files of a folder, and has one artifact.
type folderHost struct {
	Host
	root    string
	structs []Struct
}

func (h *folderHost) Root() string { return h.root }

func (h *folderHost) Structs() []Struct { return h.structs }

func (h *folderHost) Readable(path string) (string, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(h.root, path)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path
	}
	if rel, err := filepath.Rel(h.root, real); err != nil || !filepath.IsLocal(rel) {
		return "", errors.New("not allowed")
	}
	return real, nil
}

func (h *folderHost) Writable(path string) (string, error) { return h.Readable(path) }

func (h *folderHost) Broadcasts() (string, error) { return filepath.Join(h.root, "broadcast"), nil }

func (h *folderHost) Now() (time.Time, error) { return time.UnixMilli(1234), nil }

func (h *folderHost) File() (string, error) { return "test/A.t.sol", nil }

func (h *folderHost) Execute(command, variables []string) (int, []byte, []byte, error) {
	switch command[0] {
	case "fail":
		return 3, []byte("out\n"), []byte("bad"), nil
	case "env":
		return 0, []byte(strings.Join(variables, " ")), nil, nil
	case "absent":
		return 0, nil, nil, errors.New("failed to execute command")
	}
	return 0, []byte(strings.Join(command[1:], " ") + "\n"), nil, nil
}

// adder is creation code: it deploys what follows it, an argument included.
var adder = common.FromHex("600a380380600a5f395ff3")

func (h *folderHost) Artifact(name string) (*Artifact, error) {
	switch name {
	case "Adder.sol":
		return &Artifact{Path: "out/Adder.sol/Adder.json", Creation: adder, Deployed: []byte{0xfe}, Selectors: [][4]byte{{1, 2, 3, 4}}}, nil
	case "Reverts":
		return &Artifact{Creation: append(common.FromHex("60aa5f5260205ffd"), 0)}, nil
	case "Abstract":
		return &Artifact{}, nil
	}
	return nil, errors.New("no matching artifact found")
}

func (h *folderHost) ArtifactOf(code []byte, deployed bool) (*Artifact, error) {
	if deployed == (len(code) == 1) {
		return h.Artifact("Adder.sol")
	}
	return nil, errors.New("no matching artifact found")
}

func newFolder(t *testing.T) (*vmTest, string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	v := newVM(t)
	v.Config.Host = &folderHost{root: root}
	return v, root
}

func TestFiles(t *testing.T) {
	v, root := newFolder(t)
	sub := filepath.Join(root, "sub")
	entry := func(path string, depth int, dir bool) string {
		return fmt.Sprintf("(\"\", %q, %d, %v, false)", filepath.Join(root, path), depth, dir)
	}
	v.check([]cheatTest{
		{"projectRoot()", "()", root},
		{"currentFilePath()", "()", "test/A.t.sol"},
		{"unixTime()", "()", "1234"},
		{"sleep(uint256)", "(1000)", ""},
		{"unixTime()", "()", "2234"},
		{"exists(string)", "(a.txt)", "false"},
		{"writeFile(string,string)", "(a.txt, 'one\r\ntwo\n')", ""},
		{"exists(string)", "(a.txt)", "true"},
		{"isFile(string)", "(a.txt)", "true"},
		{"isDir(string)", "(a.txt)", "false"},
		{"readFile(string)", "(a.txt)", "one\r\ntwo\n"},
		{"readLine(string)", "(a.txt)", "one"},
		{"writeLine(string,string)", "(a.txt, three)", ""},
		{"readLine(string)", "(a.txt)", "two"},
		{"readLine(string)", "(a.txt)", "three"},
		{"readLine(string)", "(a.txt)", ""},
		{"closeFile(string)", "(a.txt)", ""},
		{"readLine(string)", "(a.txt)", "one"},
		{"writeFileBinary(string,bytes)", "(b.bin, 0xff00)", ""},
		{"readFileBinary(string)", "(b.bin)", "0xff00"},
		{"readFile(string)", "(b.bin)", "revert: is not valid UTF-8"},
		{"copyFile(string,string)", "(b.bin, c.bin)", "2"},
		{"readFileBinary(string)", "(c.bin)", "0xff00"},
		{"removeFile(string)", "(c.bin)", ""},
		{"exists(string)", "(c.bin)", "false"},
		{"removeFile(string)", "(c.bin)", "revert: vm.removeFile: "},
		{"readFile(string)", "(c.bin)", "revert: vm.readFile: "},
		{"createDir(string,bool)", "(sub/deep, false)", "revert: vm.createDir: "},
		{"createDir(string,bool)", "(sub/deep, true)", ""},
		{"createDir(string,bool)", "(other, false)", ""},
		{"isDir(string)", "(sub)", "true"},
		{"readFile(string)", "(sub)", "revert: is not a regular file"},
		{"writeFile(string,string)", "(sub, x)", "revert: is not a regular file"},
		{"removeFile(string)", "(sub)", "revert: is not a regular file"},
		{"readDir(string)", "(" + root + ")", "[" + entry("a.txt", 1, false) + ", " + entry("b.bin", 1, false) + ", " + entry("other", 1, true) + ", " + entry("sub", 1, true) + "]"},
		{"readDir(string,uint64)", "(" + sub + ", 2)", "[" + entry("sub/deep", 1, true) + "]"},
		{"readDir(string,uint64,bool)", "(" + root + ", 2, true)", "[" + entry("a.txt", 1, false) + ", " + entry("b.bin", 1, false) + ", " + entry("other", 1, true) + ", " + entry("sub", 1, true) + ", " + entry("sub/deep", 2, true) + "]"},
		{"removeDir(string,bool)", "(sub, false)", "revert: vm.removeDir: "},
		{"removeDir(string,bool)", "(sub, true)", ""},
		{"removeDir(string,bool)", "(other, false)", ""},
		{"removeDir(string,bool)", "(a.txt, true)", "revert: is not a folder"},
		{"removeDir(string,bool)", "('.', true)", "revert: holds the project"},
		{"exists(string)", "(../x)", "revert: not allowed"},
		{"prompt(string)", "(hello)", "revert: nobody is asked"},
		{"promptSecret(string)", "(hello)", "revert: nobody is asked"},
		{"promptSecretUint(string)", "(hello)", "revert: nobody is asked"},
		{"promptAddress(string)", "(hello)", "revert: nobody is asked"},
		{"promptUint(string)", "(hello)", "revert: nobody is asked"},
	})
	if err := os.WriteFile(filepath.Join(root, "long"), []byte(strings.Repeat("x", maxLine+5)), 0o444); err != nil {
		t.Fatal(err)
	}
	v.check([]cheatTest{{"readLine(string)", "(long)", "revert: a line of more than 1 MB"}})
	changed := time.Unix(1_700_000_000, 0)
	if err := os.Chtimes(filepath.Join(root, "long"), changed, changed); err != nil {
		t.Fatal(err)
	}
	v.check([]cheatTest{
		{"fsMetadata(string)", "(long)", fmt.Sprintf("(false, false, %d, true, 1700000000, 1700000000, 1700000000)", maxLine+5)},
		{"fsMetadata(string)", "(absent)", "revert: vm.fsMetadata: "},
	})
}

func TestFileLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege on Windows")
	}
	v, root := newFolder(t)
	outside := t.TempDir()
	for name, to := range map[string]string{"up": ".", "out": outside, "file": "target"} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "target"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	v.check([]cheatTest{
		{"readLink(string)", "(file)", "target"},
		{"readLink(string)", "(target)", "revert: vm.readLink: "},
		{"readFile(string)", "(file)", "x"},
		{"exists(string)", "(out)", "revert: not allowed"},
	})
	got := v.call("readDir(string,uint64,bool)", "("+root+", 100, true)")
	for _, want := range []string{"the link leads to a folder that it is in", "not allowed"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %s", want, got)
		}
	}
	if strings.Count(got, root) > 8 {
		t.Errorf("a loop of links was followed: %s", got)
	}
}

func TestFileLimits(t *testing.T) {
	v, root := newFolder(t)
	f, err := os.Create(filepath.Join(root, "huge"))
	if err == nil {
		err = f.Truncate(maxFile + 1)
	}
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	deep := root
	for range 5 {
		deep = filepath.Join(deep, "d")
	}
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	code := cheatcodes()[[4]byte(crypto.Keccak256([]byte("readDir(string,uint64,bool)")))]
	for most, bad := range map[int]bool{5: true, 6: false} {
		l := &lister{call: &call{Cheats: v.Cheats, code: code}, depth: 100, most: most}
		if err := l.list(root, root, 1); (err != nil) != bad || len(l.entries) > most {
			t.Errorf("%d of at most %d entries: %v", len(l.entries), most, err)
		}
	}
	v.check([]cheatTest{
		{"readFile(string)", "(huge)", "revert: the file is too large: the limit is 64 MB"},
		{"readFileBinary(string)", "(huge)", "revert: the file is too large: the limit is 64 MB"},
		{"readLine(string)", "(huge)", "revert: the file is too large: the limit is 64 MB"},
		{"copyFile(string,string)", "(huge, other)", "revert: the file is too large: the limit is 64 MB"},
		{"writeLine(string,string)", "(huge, x)", "revert: more than 64 MB"},
	})
	if runtime.GOOS == "linux" {
		v.Config.Host = &folderHost{root: "/dev"}
		v.check([]cheatTest{
			{"readFile(string)", "(zero)", "revert: is not a regular file"},
			{"writeFile(string,string)", "(null, x)", "revert: is not a regular file"},
		})
	}
}

// TestNoHost checks that each cheatcode that reaches outside is refused without a
// host.
func TestNoHost(t *testing.T) {
	v := newVM(t)
	for _, rows := range [][]row{fileRows, ffiRows, artifactRows} {
		for _, r := range rows {
			f, err := input.ParseSignature(r.signature)
			if err != nil {
				t.Fatal(err)
			}
			reason, ok := v.callWith(f, f.Zero())
			if ok || !strings.HasSuffix(reason, errNoHost.Error()) && !strings.Contains(reason, "nobody is asked") && !strings.Contains(reason, "broadcast") {
				t.Errorf("%s: %s", r.signature, reason)
			}
		}
	}
}

func TestPrograms(t *testing.T) {
	v, _ := newFolder(t)
	v.check([]cheatTest{
		{"ffi(string[])", "([echo, 0x0102])", "0x0102"},
		{"ffi(string[])", "([echo, 0102])", "0x0102"},
		{"ffi(string[])", "([echo, gm])", "0x676d"},
		{"setEnv(string,string)", "(B, 'of the test')", ""},
		{"setEnv(string,string)", "(A, 1)", ""},
		{"ffiString(string[])", "([env])", "A=1 B=of the test"},
		{"ffi(string[])", "([fail])", `revert: ffi command ["fail"] exited with code 3. stderr: bad`},
		{"ffi(string[])", "([absent])", "revert: failed to execute command"},
		{"ffi(string[])", "([])", "revert: can't execute empty command"},
		{"ffi(string[])", "([''])", "revert: can't execute empty command"},
		{"ffi(string[])", "([echo, \"\xff\"])", "revert: not valid UTF-8"},
		{"ffiString(string[])", "([echo, 0x0102])", "0x0102"},
		{"ffiBytes(string[])", "([echo, 0x0102])", "0x0102"},
		{"ffiBytes(string[])", "([echo, gm])", "revert: failed parsing ffi stdout as bytes"},
		{"ffiUint(string[])", "([echo, 12])", "12"},
		{"ffiUint(string[])", "([echo, gm])", "revert: failed parsing"},
		{"tryFfi(string[])", "([echo, gm])", "(0, 0x676d, 0x)"},
		{"tryFfi(string[])", "([fail])", "(3, 0x6f7574, 0x626164)"},
		{"tryFfi(string[])", "([absent])", "revert: failed to execute command"},
	})
}

func TestArtifacts(t *testing.T) {
	v, _ := newFolder(t)
	v.check([]cheatTest{
		{"getCode(string)", "(Adder.sol)", "0x" + common.Bytes2Hex(adder)},
		{"getDeployedCode(string)", "(Adder.sol)", "0xfe"},
		{"getCode(string)", "(Abstract)", "revert: no bytecode for contract; is it abstract or unlinked?"},
		{"getCode(string)", "(Absent)", "revert: no matching artifact found"},
		{"getSelectors(string)", "(Adder.sol)", "[0x01020304]"},
		{"getArtifactPathByCode(bytes)", "(0x0102)", "out/Adder.sol/Adder.json"},
		{"getArtifactPathByDeployedCode(bytes)", "(0x01)", "out/Adder.sol/Adder.json"},
		{"getArtifactPathByDeployedCode(bytes)", "(0x0102)", "revert: no matching artifact found"},
	})
}

func TestDeployCode(t *testing.T) {
	v, _ := newFolder(t)
	salt := common.Hash{31: 9}
	second := func(code []byte) string { return crypto.CreateAddress2(caller, salt, crypto.Keccak256(code)).Hex() }
	first := func(nonce uint64) string { return crypto.CreateAddress(caller, nonce).Hex() }
	withArg := append(append([]byte{}, adder...), 0xaa, 0xbb)
	v.world.SetNonce(caller, 1)
	v.check([]cheatTest{
		{"deployCode(string)", "(Adder.sol)", first(1)},
		{"deployCode(string,bytes)", "(Adder.sol, 0xaabb)", first(2)},
		{"deployCode(string,uint256)", "(Adder.sol, 7)", first(3)},
		{"deployCode(string,bytes,uint256)", "(Adder.sol, 0xaabb, 8)", first(4)},
		{"deployCode(string,bytes32)", "(Adder.sol, " + salt.Hex() + ")", second(adder)},
		{"deployCode(string,bytes,bytes32)", "(Adder.sol, 0xaabb, " + salt.Hex() + ")", second(withArg)},
		{"deployCode(string,bytes32)", "(Adder.sol, " + salt.Hex() + ")", "revert: contract creation failed: contract address collision"},
		{"deployCode(string,uint256)", "(Adder.sol, 10000000000000)", "revert: contract creation failed: insufficient balance"},
		{"deployCode(string)", "(Absent)", "revert: no matching artifact found"},
	})
	a := common.HexToAddress(first(4))
	if code := v.world.Code(a); code == nil || common.Bytes2Hex(code.Bytes) != "f3aabb" {
		t.Errorf("code is %v", code)
	}
	if wei := v.world.Balance(a); wei.Uint64() != 8 {
		t.Errorf("balance is %d", wei.Uint64())
	}
	f, _ := input.ParseSignature("deployCode(string)")
	out := v.send(input.AppendValues(f.Selector[:], []input.Value{textValue("Reverts")}))
	if out.Status != evm.Revert || len(out.Return) != 32 || out.Return[31] != 0xaa {
		t.Errorf("a constructor that reverts gives %v %x", out.Status, out.Return)
	}
	for _, signature := range []string{"deployCode(string,uint256,bytes32)", "deployCode(string,bytes,uint256,bytes32)"} {
		if _, ok := v.try(signature, strings.Replace("(Adder.sol, 1, "+common.Hash{1}.Hex()+")", "1,", map[bool]string{true: "0xcc, 2,", false: "1,"}[strings.Contains(signature, "bytes,")], 1)); !ok {
			t.Errorf("%s fails", signature)
		}
	}
}

// TestDeployCodePrank deploys as the sender of a prank, which is then over.
func TestDeployCodePrank(t *testing.T) {
	v, _ := newFolder(t)
	sender := common.HexToAddress("0x1111111111111111111111111111111111111111")
	v.call("prank(address)", "("+sender.Hex()+")")
	v.check([]cheatTest{
		{"deployCode(string)", "(Adder.sol)", crypto.CreateAddress(sender, 0).Hex()},
		{"deployCode(string)", "(Adder.sol)", crypto.CreateAddress(caller, 0).Hex()},
	})
}

// TestDeployCodeIntercepted deploys when vm.interceptInitcode waits for a creation.
func TestDeployCodeIntercepted(t *testing.T) {
	v, _ := newFolder(t)
	v.call("interceptInitcode()", "()")
	f, _ := input.ParseSignature("deployCode(string)")
	if out := v.send(input.AppendValues(f.Selector[:], []input.Value{textValue("Adder.sol")})); out.Status != evm.Revert || string(out.Return) != string(adder) {
		t.Errorf("an intercepted creation gives %v %x", out.Status, out.Return)
	}
}
