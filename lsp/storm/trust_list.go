package main

// evil is a program that writes to the file MARK. It imitates a compiler, so that
// the search for compilers runs it.
const evil = "#!/bin/sh\necho ran >> MARK\necho 'solc, the solidity compiler commandline interface'\necho 'Version: 0.8.30+commit.73712a01.Linux.g++'\n"

// evilModule is the same for node.
const evilModule = "require('fs').writeFileSync('MARK', 'ran');\n"

// gitTrial is a repository whose configuration runs a program. The workspace's
// settings make the server read it.
func gitTrial(name, config string, files map[string]string, control ...string) hostileWorkspace {
	all := map[string]string{"evil.sh*": evil, "leveret.toml": "baseline = \"git:HEAD\"\n", ".git/config": gitConfig(config)}
	for file, text := range files {
		all[file] = text
	}
	return hostileWorkspace{name: name, files: all, repo: true, git: control, flags: []string{"--since", "HEAD"}}
}

// programTrial is a workspace that names or contains a program.
func programTrial(name string, trusted bool, files map[string]string) hostileWorkspace {
	all := map[string]string{"evil.sh*": evil}
	for file, text := range files {
		all[file] = text
	}
	return hostileWorkspace{name: name, files: all, trusted: trusted}
}

// importTrial is a workspace that imports a file from outside.
func importTrial(name, path string, trusted bool, files map[string]string) hostileWorkspace {
	return hostileWorkspace{name: name, imports: path, files: files, trusted: trusted}
}

// with adds the user's settings and environment to a trial.
func (h hostileWorkspace) with(settings string, env ...string) hostileWorkspace {
	h.settings, h.env = settings, env
	return h
}

// cold gives a trial a new home without the compiler output of other trials.
func (h hostileWorkspace) cold() hostileWorkspace {
	h.fresh = true
	return h
}

var solcPackage = map[string]string{
	"node_modules/solc/package.json": `{"name":"solc","version":"0.8.30","main":"index.js"}`,
	"node_modules/solc/soljson.js":   evilModule,
	"node_modules/solc/index.js":     evilModule,
}

const promisor = "[extensions]\n\tpartialClone = o\n[remote \"o\"]\n\turl = WS/other\n\tpromisor = true\n"

// hostileWorkspaces are all trials.
var hostileWorkspaces = []hostileWorkspace{
	gitTrial("core.fsmonitor", "\tfsmonitor = WS/evil.sh\n", nil, "status"),
	gitTrial("partial clone with an upload pack", promisor+"\tuploadpack = WS/evil.sh\n[core]\n\trepositoryformatversion = 1\n", map[string]string{".git/refs/heads/main": "1111111111111111111111111111111111111111\n"}, "cat-file", "blob", "HEAD:./src/Vault.sol"),
	gitTrial("partial clone over ssh", "[extensions]\n\tpartialClone = o\n[remote \"o\"]\n\turl = ssh://localhost/x\n\tpromisor = true\n[core]\n\trepositoryformatversion = 1\n\tsshCommand = WS/evil.sh\n", map[string]string{".git/refs/heads/main": "1111111111111111111111111111111111111111\n"}, "cat-file", "blob", "HEAD:./src/Vault.sol"),
	gitTrial("partial clone with an ext remote", "[extensions]\n\tpartialClone = o\n[remote \"o\"]\n\turl = ext::WS/evil.sh\n\tpromisor = true\n[protocol]\n\tallow = always\n[core]\n\trepositoryformatversion = 1\n", map[string]string{".git/refs/heads/main": "1111111111111111111111111111111111111111\n"}, "cat-file", "blob", "HEAD:./src/Vault.sol"),
	gitTrial("included configuration", "[include]\n\tpath = ../more\n", map[string]string{"more": "[core]\n\tfsmonitor = WS/evil.sh\n"}, "status"),
	gitTrial("conditionally included configuration", "[includeIf \"gitdir:WS/\"]\n\tpath = ../more\n", map[string]string{"more": "[core]\n\tfsmonitor = WS/evil.sh\n"}, "status"),
	gitTrial("hooks", "\thooksPath = WS/hooks\n", map[string]string{"hooks/post-index-change*": evil, "hooks/pre-commit*": evil, ".git/hooks/post-index-change*": evil}, "add", "src"),
	gitTrial("hooks in .git", "", map[string]string{".git/hooks/post-index-change*": evil, ".git/hooks/pre-auto-gc*": evil, ".git/hooks/post-checkout*": evil}, "add", "src"),
	gitTrial("filter", "[filter \"x\"]\n\tclean = WS/evil.sh\n\tsmudge = WS/evil.sh\n\tprocess = WS/evil.sh\n", map[string]string{".gitattributes": "*.sol filter=x\n"}, "add", "src"),
	gitTrial("textconv", "[diff \"x\"]\n\ttextconv = WS/evil.sh\n", map[string]string{".gitattributes": "*.sol diff=x\n"}, "grep", "--no-index", "--textconv", "-n", "Vault", "--", "src"),
	gitTrial("external diff", "[diff]\n\texternal = WS/evil.sh\n", map[string]string{".gitattributes": "*.sol diff=x\n"}, "diff", "HEAD"),
	gitTrial("diff driver", "[diff \"x\"]\n\tcommand = WS/evil.sh\n", map[string]string{".gitattributes": "*.sol diff=x\n"}, "diff", "HEAD"),
	gitTrial("alias", "[alias]\n\tevil = !WS/evil.sh\n\tcat-file = !WS/evil.sh\n", nil, "evil"),
	gitTrial("pager", "\tpager = WS/evil.sh\n[pager]\n\tdiff = WS/evil.sh\n", nil),
	gitTrial("signatures", "[log]\n\tshowSignature = true\n[gpg]\n\tprogram = WS/evil.sh\n[gpg \"ssh\"]\n\tprogram = WS/evil.sh\n", nil),
	gitTrial("editor and credentials", "\teditor = WS/evil.sh\n\taskpass = WS/evil.sh\n[credential]\n\thelper = !WS/evil.sh\n[sequence]\n\teditor = WS/evil.sh\n", nil),
	gitTrial("work tree in the configuration", "\tworktree = WS\n\tfsmonitor = WS/evil.sh\n", nil, "status"),
	{name: "folder that looks like a bare repository", repo: true, git: []string{"-C", "src", "--work-tree=.", "status"}, flags: []string{"--since", "HEAD"}, files: map[string]string{
		"evil.sh*": evil, "leveret.toml": "baseline = \"git:HEAD\"\n",
		"src/HEAD": "ref: refs/heads/main\n", "src/refs/x": "", "src/objects/x": "", "src/config": "[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tfsmonitor = WS/evil.sh\n"}},
	{name: "file .git that leads to a hostile folder", git: []string{"status"}, flags: []string{"--since", "HEAD"}, files: map[string]string{
		"evil.sh*": evil, "leveret.toml": "baseline = \"git:HEAD\"\n", ".git": "gitdir: here\n",
		"here/HEAD": "ref: refs/heads/main\n", "here/refs/x": "", "here/objects/x": "", "here/config": gitConfig("\tfsmonitor = WS/evil.sh\n")}},
	{name: "common folder of a hostile work tree", git: []string{"status"}, flags: []string{"--since", "HEAD"}, files: map[string]string{
		"evil.sh*": evil, "leveret.toml": "baseline = \"git:HEAD\"\n", ".git": "gitdir: here\n", "here/HEAD": "ref: refs/heads/main\n", "here/commondir": "../common\n",
		"common/HEAD": "ref: refs/heads/main\n", "common/refs/x": "", "common/objects/x": "", "common/config": gitConfig("\tfsmonitor = WS/evil.sh\n")}},
	gitTrial("the user's own baseline", "\tfsmonitor = WS/evil.sh\n", nil, "status").with(`"baseline":"git:HEAD"`),
	{name: "references outside", repo: true, flags: []string{"--since", "HEAD"}, settings: `"baseline":"git:HEAD"`, files: map[string]string{
		".git/refs/heads/main": "-> OUTSIDE/secret", ".git/objects/info/alternates": "OUTSIDE\n", ".git/packed-refs": "-> OUTSIDE/secret"}},
	{name: "git folder outside", flags: []string{"--since", "HEAD"}, settings: `"baseline":"git:HEAD"`, files: map[string]string{".git": "gitdir: OUTSIDE\n"}},
	{name: "git folder that is a link", flags: []string{"--since", "HEAD"}, settings: `"baseline":"git:HEAD"`, files: map[string]string{".git": "-> OUTSIDE"}},

	programTrial("leveret.toml", true, map[string]string{"leveret.toml": "[solc]\npath = \"WS/evil.sh\"\n"}),
	programTrial("leveret.toml with a relative path", true, map[string]string{"leveret.toml": "[solc]\npath = \"./evil.sh\"\n"}),
	programTrial("leveret.toml that trusts itself", true, map[string]string{"leveret.toml": "trusted = true\n[leveret]\ntrusted = true\n[solc]\npath = \"WS/evil.sh\"\n"}),
	programTrial("leveret.toml with dotted keys", true, map[string]string{"leveret.toml": "\"leveret.trusted\" = true\n\"leveret.solc.path\" = \"WS/evil.sh\"\n"}),
	programTrial("settings of VS Code", false, map[string]string{".vscode/settings.json": `{"leveret.trusted":true,"leveret.path":"WS/evil.sh","leveret.solc.path":"WS/evil.sh"}`}),
	programTrial("solc in node_modules", true, solcPackage).with("", "LEVERET_TOOLS="),
	programTrial("solc in node_modules under another name", true, map[string]string{
		"node_modules/solc-latest/package.json": `{"name":"solc","version":"0.8.99","main":"index.js"}`, "node_modules/solc-latest/soljson.js": evilModule, "node_modules/solc-latest/index.js": evilModule}),
	programTrial("foundry.toml with a compiler", false, map[string]string{"foundry.toml": "[profile.default]\nsolc = \"./evil.sh\"\n"}),
	programTrial("foundry.toml with a version that is a path", false, map[string]string{"foundry.toml": "[profile.default]\nsolc_version = \"WS/evil.sh\"\n"}),
	programTrial("foundry.toml with ffi and a forge", false, map[string]string{"foundry.toml": "[profile.default]\nffi = true\n", "forge*": evil, "bin/forge*": evil, ".foundry/bin/forge*": evil}).with("", "PATH=WS/bin:NODE:/usr/bin:/bin"),
	programTrial("foundry.toml that extends another", false, map[string]string{"foundry.toml": "[profile.default]\nextends = \"evil.toml\"\n", "evil.toml": "[profile.default]\nsolc = \"WS/evil.sh\"\n", ".env": "FOUNDRY_SOLC=WS/evil.sh\n"}),
	programTrial("hardhat.config.js", true, map[string]string{
		"hardhat.config.js": evilModule + "module.exports = { solidity: require('./versions') };", "versions.js": "module.exports = '0.8.30';", "contracts/A.sol": "contract A {}",
		"node_modules/hardhat/package.json": `{"name":"hardhat","main":"index.js"}`, "node_modules/hardhat/index.js": evilModule}),
	programTrial("hardhat.config.ts", true, map[string]string{
		"hardhat.config.ts": "import { solidity } from './versions'; export default { solidity };", "contracts/A.sol": "contract A {}",
		"node_modules/hardhat/package.json": `{"name":"hardhat","type":"module","exports":"./index.js"}`, "node_modules/hardhat/index.js": "import fs from 'node:fs'; fs.writeFileSync('MARK', '');"}),
	programTrial("truffle-config.js", true, map[string]string{"truffle-config.js": evilModule + "const v = () => '0.8.30'; module.exports = { compilers: { solc: { version: v() } } };", "contracts/A.sol": "contract A {}"}),
	programTrial("truffle.js", true, map[string]string{"truffle.js": evilModule + "const v = () => '0.8.30'; module.exports = { compilers: { solc: { version: v() } } };", "contracts/A.sol": "contract A {}"}),
	programTrial("brownie-config.yaml", false, map[string]string{"brownie-config.yaml": "compiler:\n  solc:\n    version: !!python/object/apply:os.system ['WS/evil.sh']\n"}),
	programTrial("solc on a PATH in the workspace", true, map[string]string{"node_modules/.bin/solc*": evil}).with("", "PATH=WS/node_modules/.bin:NODE:/usr/bin:/bin"),
	programTrial("node on a PATH in the workspace", true, map[string]string{"node_modules/.bin/node*": evil}).with("", "PATH=WS/node_modules/.bin:NODE:/usr/bin:/bin").cold(),
	programTrial("solc on a PATH with a link into the workspace", true, map[string]string{"tools/solc*": evil, "bin": "-> WS/tools"}).with("", "PATH=WS/bin:NODE:/usr/bin:/bin"),
	programTrial("solc on a relative PATH", false, map[string]string{"solc*": evil, "bin/solc*": evil, "node*": evil, "bin/node*": evil}).with("", "PATH=:.:bin:NODE:/usr/bin:/bin").cold(),
	programTrial("the user's solc, a program in the folder", false, map[string]string{"solc*": evil}).with(`"solc":{"path":"solc"}`),
	programTrial("the user's solc, a folder in the folder", false, map[string]string{"solc/package.json": `{"name":"solc","version":"0.8.30"}`, "solc/soljson.js": evilModule, "solc/index.js": evilModule}).with(`"solc":{"path":"solc"}`),
	programTrial("the user's solc on a PATH in the workspace", true, map[string]string{"bin/solc*": evil}).with(`"solc":{"path":"solc"}`, "PATH=WS/bin:NODE:/usr/bin:/bin"),
	programTrial("the user's ./evil.sh", true, nil).with(`"solc":{"path":"./evil.sh"}`),
	programTrial("the user's node_modules/solc", true, solcPackage).with(`"solc":{"path":"node_modules/solc"}`),
	programTrial("the user's tools/../evil.sh", true, map[string]string{"tools/x": ""}).with(`"solc":{"path":"tools/../evil.sh"}`),
	programTrial("the user's path through a parent", true, nil).with(`"solc":{"path":"../ws/evil.sh"}`),
	programTrial("node options", false, map[string]string{"evil.js": evilModule}).with("", "NODE_OPTIONS=--require ./evil.js").cold(),
	programTrial("node path", false, map[string]string{"fs/index.js": evilModule, "path.js": evilModule, "tmp.js": evilModule}).with("", "NODE_PATH=WS").cold(),
	programTrial("configuration of npm and node", false, map[string]string{
		".npmrc": "node-options=--require WS/evil.js\nscript-shell=WS/evil.sh\nregistry=http://127.0.0.1:9/\n", "evil.js": evilModule,
		"node.config.json": `{"nodeOptions":{"require":["WS/evil.js"]}}`, "package.json": `{"type":"module","imports":{"#x":"./evil.js"},"scripts":{"preinstall":"WS/evil.sh"}}`, "node_modules/fs/index.js": evilModule}).cold(),
	programTrial("relative tool folders", false, solcPackage).with("", "LEVERET_TOOLS=.:WS/none"),
	programTrial("relative home and cache", false, map[string]string{"leveret/compilers/solc-v0.8.99*": evil, ".svm/0.8.99/solc-0.8.99*": evil, ".foundry/bin/forge*": evil}).with("", "HOME=.", "XDG_CACHE_HOME=."),
	programTrial("command line", false, map[string]string{"--solc": evil, "-evil.sol": evil, "$(WS/evil.sh).sol": "contract A {}", "`WS/evil.sh`.sol": "contract A {}", "a;WS/evil.sh;.sol": "contract A {}"}),

	importTrial("traversal", "../../outside/secret", false, nil),
	importTrial("long traversal", "../../../../../../../../../../../../../../../../../../OUTSIDE/secret", false, nil),
	importTrial("absolute path", "OUTSIDE/Secret.sol", false, nil),
	importTrial("remapping", "x/secret", false, map[string]string{"remappings.txt": "x/=OUTSIDE/\n"}),
	importTrial("relative remapping", "x/Secret.sol", false, map[string]string{"remappings.txt": "x/=../outside/\n"}),
	importTrial("remapping in foundry.toml", "x/Secret.sol", false, map[string]string{"foundry.toml": "[profile.default]\nremappings = ['x/=OUTSIDE/']\n"}),
	importTrial("remapping of a library", "x/Secret.sol", false, map[string]string{"foundry.toml": "", "lib/l/remappings.txt": "x/=../../../outside/\n"}),
	importTrial("remapping in brownie-config.yaml", "x/Secret.sol", false, map[string]string{"brownie-config.yaml": "compiler:\n  solc:\n    remappings:\n      - x=OUTSIDE\n"}),
	importTrial("package that climbs", "@x/../../../outside/secret", false, map[string]string{"node_modules/@x/y": ""}),
	importTrial("include_paths", "Secret.sol", true, map[string]string{"foundry.toml": "[profile.default]\ninclude_paths = ['OUTSIDE']\n"}),
	importTrial("allow_paths", "../../outside/Secret.sol", true, map[string]string{"foundry.toml": "[profile.default]\nallow_paths = ['..']\n"}),
	importTrial("libraries outside", "l/Secret.sol", true, map[string]string{"foundry.toml": "[profile.default]\nlibs = ['links']\n", "links/l": "-> OUTSIDE"}),
	importTrial("libs", "outside/Secret.sol", true, map[string]string{"foundry.toml": "[profile.default]\nlibs = ['../../ROOT', '..']\n"}),
	importTrial("source that is a link", "./L.sol", false, map[string]string{"src/L.sol": "-> OUTSIDE/secret"}),
	importTrial("folder that is a link", "./l/Secret.sol", true, map[string]string{"src/l": "-> OUTSIDE"}),
	importTrial("package that is a link", "@x/y/Secret.sol", true, map[string]string{"node_modules/@x/y": "-> OUTSIDE"}),
	importTrial("link to a link", "./a/Secret.sol", true, map[string]string{"src/a": "-> b/c", "src/b": "-> ../d", "d/c": "-> OUTSIDE"}),
	{name: "the opened file is a link", files: map[string]string{"src/Vault.sol": "-> OUTSIDE/secret"}},
	{name: "sources outside", trusted: true, files: map[string]string{"foundry.toml": "[profile.default]\nsrc = '../outside'\n"}},
	{name: "Hardhat's sources outside", trusted: true, files: map[string]string{"hardhat.config.js": "module.exports = { solidity: '0.8.30', paths: { sources: '../outside' } };"}},
	{name: "leveret.toml is a link", trusted: true, files: map[string]string{"leveret.toml": "-> OUTSIDE/secret.toml"}},
	{name: "foundry.toml is a link", trusted: true, files: map[string]string{"foundry.toml": "-> OUTSIDE/secret.toml"}},
	{name: "foundry.toml extends a file outside", trusted: true, files: map[string]string{"foundry.toml": "[profile.default]\nextends = '../outside/secret.toml'\n"}},
	{name: "brownie-config.yaml is a link", trusted: true, files: map[string]string{"brownie-config.yaml": "-> OUTSIDE/secret"}},
	{name: "hardhat.config.js is a link", trusted: true, files: map[string]string{"hardhat.config.js": "-> OUTSIDE/secret"}},
	{name: "remappings.txt is a link", trusted: true, files: map[string]string{"remappings.txt": "-> OUTSIDE/secret"}},
	{name: "package.json and .gitmodules are links", imports: "no/such/File.sol", trusted: true, files: map[string]string{"package.json": "-> OUTSIDE/package.json", ".gitmodules": "-> OUTSIDE/secret"}},
	{name: "endless configuration", files: map[string]string{"foundry.toml": "-> /dev/zero", "remappings.txt": "-> /dev/zero", "leveret.toml": "-> /dev/zero"}},
	{name: "corpus that is a link", trusted: true, flags: []string{"--corpus", "corpus"}, files: map[string]string{"corpus": "-> OUTSIDE"}},
	{name: "folder of a corpus that is a link", trusted: true, flags: []string{"--corpus", "corpus"}, files: map[string]string{"corpus/src": "-> OUTSIDE"}},
	{name: "corpus with a file that is a link", trusted: true, flags: []string{"--corpus", "corpus"}, files: map[string]string{"corpus/src/Vault.sol/Vault.corpus": "-> OUTSIDE/secret"}},
	{name: "output that is a link to nothing", flags: []string{"--format", "json", "--output", "report.json"}, files: map[string]string{"report.json": "-> OUTSIDE/new"}},
	{name: "output that is a link", flags: []string{"--format", "json", "--output", "report.json"}, files: map[string]string{"report.json": "-> OUTSIDE/secret"}},
}
