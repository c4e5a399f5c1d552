// Packages the extension with the server for each platform in the arguments
// (none: this machine's), as leveret-PLATFORM.vsix in ../../bin. LEVERET_BINARY
// names a server that was built already.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const here = import.meta.dirname;
const root = path.join(here, '../..');
const systems = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const processors = { x64: 'amd64', arm64: 'arm64' };

function server(platform) {
  const [system, processor] = platform.split('-');
  if (!systems[system] || !processors[processor]) throw new Error(`no such platform: ${platform}`);
  const file = path.join(here, 'bin', platform, system === 'win32' ? 'leveret.exe' : 'leveret');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  if (process.env.LEVERET_BINARY) {
    fs.copyFileSync(process.env.LEVERET_BINARY, file);
  } else {
    const env = { ...process.env, GOOS: systems[system], GOARCH: processors[processor], CGO_ENABLED: '0' };
    execFileSync('go', ['build', '-trimpath', '-ldflags=-s -w', '-o', file, './cmd/leveret'], { cwd: root, env, stdio: 'inherit' });
  }
  fs.chmodSync(file, 0o755);
}

const out = process.env.VSIX_DIR ?? path.join(root, 'bin');
fs.mkdirSync(out, { recursive: true });
const asked = process.argv.slice(2);
for (const platform of asked.length > 0 ? asked : [`${process.platform}-${process.arch}`]) {
  fs.rmSync(path.join(here, 'bin'), { recursive: true, force: true }); // each package has one server
  server(platform);
  const file = path.join(out, `leveret-${platform}.vsix`);
  const vsce = path.join(here, 'node_modules/@vscode/vsce/vsce');
  execFileSync(process.execPath, [vsce, 'package', '--no-dependencies', '--skip-license', '--allow-missing-repository', '--no-rewrite-relative-links', '--target', platform, '--out', file], {
    cwd: here, stdio: ['ignore', 'ignore', 'inherit'],
  });
  console.log(file);
}
