package main

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// hidden occurs in all secrets and nowhere else.
const hidden = "hidden7741"

// secrets are the files outside the workspace.
var secrets = map[string]string{
	"Secret.sol":   "pragma solidity ^0.8.0;\ncontract Base { function " + hidden + "(uint256 x) external pure { assert(x != 7); } }\n",
	"secret":       "pragma solidity ^0.8.0;\ncontract Base { function " + hidden + "(uint256 x) external pure { assert(x != 7); } }\n",
	"secret.toml":  "[" + hidden + "\n",
	"package.json": "{}",
}

const vault = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
%scontract Vault%s {
    function f(uint256 x) external pure { assert(x != 5); }
}
`

// vaultThat is the source that is opened, with or without an import.
func vaultThat(imports string) string {
	if imports == "" {
		return fmt.Sprintf(vault, "", "")
	}
	return fmt.Sprintf(vault, "import \""+imports+"\";\n", " is Base")
}

// fill replaces placeholders in a text by the paths of a trial and the folder of
// node.
func (t *trial) fill(text string) string {
	node, _ := exec.LookPath("node")
	return strings.NewReplacer("OUTSIDE", t.outside, "MARK", t.mark, "WS", t.ws, "NODE:", filepath.Dir(node)+":").Replace(text)
}

// lay writes the workspace and what is outside.
func (t *trial) lay() error {
	if err := os.MkdirAll(t.home, 0o755); err != nil {
		return err
	}
	for name, text := range secrets {
		if err := put(filepath.Join(t.outside, name), text); err != nil {
			return err
		}
	}
	files := map[string]string{"src/Vault.sol": vaultThat(t.imports), "remappings.txt": ""}
	if t.repo {
		maps.Copy(files, repository(files["src/Vault.sol"]))
	}
	maps.Copy(files, t.files)
	for name, text := range files {
		if err := put(filepath.Join(t.ws, filepath.FromSlash(name)), t.fill(text)); err != nil {
			return err
		}
	}
	return nil
}

// put writes a file, a program if its name ends in *, or a link.
func put(path, text string) error {
	path, program := strings.CutSuffix(path, "*")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if target, ok := strings.CutPrefix(text, "-> "); ok {
		return os.Symlink(target, path)
	}
	mode := os.FileMode(0o644)
	if program {
		mode = 0o755
	}
	return os.WriteFile(path, []byte(text), mode)
}

// repository returns the files of a git repository with one commit.
func repository(source string) map[string]string {
	files := map[string]string{
		".git/HEAD":   "ref: refs/heads/main\n",
		".git/config": gitConfig(""),
	}
	object := func(kind, body string) string {
		text := fmt.Sprintf("%s %d\x00%s", kind, len(body), body)
		sum := sha1.Sum([]byte(text))
		var packed bytes.Buffer
		z := zlib.NewWriter(&packed)
		z.Write([]byte(text))
		z.Close()
		name := hex.EncodeToString(sum[:])
		files[".git/objects/"+name[:2]+"/"+name[2:]] = packed.String()
		return name
	}
	raw := func(name string) string {
		b, _ := hex.DecodeString(name)
		return string(b)
	}
	blob := object("blob", strings.Replace(source, "x != 5", "x != 6", 1))
	src := object("tree", "100644 Vault.sol\x00"+raw(blob))
	root := object("tree", "40000 src\x00"+raw(src))
	commit := object("commit", "tree "+root+"\nauthor A <a@example.org> 0 +0000\ncommitter A <a@example.org> 0 +0000\n\nfirst\n")
	files[".git/refs/heads/main"] = commit + "\n"
	files[".git/objects/info/packs"] = ""
	return files
}

// gitConfig is the configuration of a repository, with more in it.
func gitConfig(more string) string {
	return "[core]\n\trepositoryformatversion = 0\n\tbare = false\n" + more
}
