package solctest

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Program writes a shell script that appends each of its runs to the returned
// file.
func Program(t testing.TB, path, text string) (ran string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs of this test are shell scripts")
	}
	ran = filepath.Join(t.TempDir(), "ran")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho x >> "+ran+"\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return ran
}

// Runs returns the number of runs of a script from Program.
func Runs(t testing.TB, ran string) int {
	t.Helper()
	text, err := os.ReadFile(ran)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Count(string(text), "x")
}

const manifest = `{"name":"solc","version":"VERSION"}`

// Machine creates compilers as every tool stores them, which never run. Below
// home it creates bin (as on the PATH), tools, and ws, the workspace.
func Machine(t testing.TB) (root string) {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the layout is that of Linux on amd64")
	}
	pack := func(version string) string { return strings.Replace(manifest, "VERSION", version, 1) }
	root = Write(t,
		"home/.svm/0.8.20/solc-0.8.20", "",
		"home/.local/share/svm/0.8.21/solc-0.8.21", "",
		"home/.solc-select/artifacts/solc-0.7.6/solc-0.7.6", "",
		"home/.solc-select/artifacts/solc-0.7.5", "a file where a directory belongs",
		"home/.cache/hardhat-nodejs/compilers-v2/linux-amd64/solc-linux-amd64-v0.8.19+commit.7dd6d404", "",
		"home/.cache/hardhat-nodejs/compilers-v2/linux-amd64/list.json", "",
		"home/.cache/hardhat-nodejs/compilers-v2/wasm/soljson-v0.6.12+commit.27d51765.js", "",
		"bin/solc", "#!/bin/sh\necho Version: 0.8.25+commit.b61c2a91.Linux.g++\n",
		"tools/node_modules/solc/package.json", pack("0.8.30"), "tools/node_modules/solc/soljson.js", "",
		"tools/node_modules/solc-old/package.json", pack("0.4.26"), "tools/node_modules/solc-old/soljson.js", "",
		"tools/node_modules/solc-ancient/package.json", pack("0.4.10"), "tools/node_modules/solc-ancient/soljson.js", "",
		"tools/node_modules/solc-wrong/package.json", pack("0.8.7"), "tools/node_modules/solc-wrong/soljson.js", "",
		"tools/node_modules/solc-torn/package.json", pack("0.8.1"),
		"tools/node_modules/solc-other/package.json", `{"name":"solc-other","version":"0.8.2"}`, "tools/node_modules/solc-other/soljson.js", "",
		"ws/node_modules/solc/package.json", pack("0.8.20"), "ws/node_modules/solc/soljson.js", "",
		"ws/sub/node_modules/solc-fixed/package.json", pack("0.8.7-fixed"), "ws/sub/node_modules/solc-fixed/soljson.js", "",
		"ws/sub/A.sol", "")
	filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if strings.HasPrefix(d.Name(), "solc") && !d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return nil
	})
	return root
}
