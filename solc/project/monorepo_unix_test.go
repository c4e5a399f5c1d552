//go:build unix

package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leveret/solc/solctest"
)

// A package of a monorepo is a link in node_modules. Its sources are those that an editor
// has open, under the names that the user gave the folders, and no library.
func TestPackagesOfMonorepo(t *testing.T) {
	dir := solctest.Write(t, "real/packages/app/hardhat.config.js", "module.exports = {solidity: '0.8.30'}",
		"real/packages/app/contracts/A.sol", "import '@o/base/Base.sol'; contract A is Base {}",
		"real/packages/base/package.json", "{}", "real/packages/base/Base.sol", "import './Root.sol'; contract Base is Root {}",
		"real/packages/base/Root.sol", "contract Old {}", "real/node_modules/@o/other/Other.sol", "")
	for link, to := range map[string]string{"real/node_modules/@o/base": "../../packages/base", "named": "real"} {
		if err := os.Symlink(to, filepath.Join(dir, filepath.FromSlash(link))); err != nil {
			t.Fatal(err)
		}
	}
	root := filepath.Join(dir, "named", "packages")
	p := open(t, filepath.Join(root, "app"), realTools(t))
	edited := filepath.Join(root, "base", "Root.sol")
	b, err := p.Compile(t.Context(), []string{filepath.Join(root, "app", "contracts", "A.sol")}, map[string][]byte{edited: []byte("contract Root {}")})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(root, "app", "contracts", "A.sol"), filepath.Join(root, "base", "Base.sol"), edited} {
		if s := b.PathSource(path); s == nil || s.Library {
			t.Errorf("%s: %+v", path, s)
		}
	}
	if name := b.PathSource(edited).Name; !strings.HasSuffix(name, "/node_modules/@o/base/Root.sol") {
		t.Errorf("the compiler knows it as %s", name)
	}
}
