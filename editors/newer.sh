#!/usr/bin/env bash
# Puts Helix and a newer Neovim than Debian 12 has into newer/bin, from
# Debian 13, each with the libraries that it was built for. Nothing else on the
# machine changes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
programs=(hx neovim)
[ -x newer/bin/hx ] && [ -x newer/bin/nvim ] && exit 0
rm -rf newer
mkdir -p newer/{bin,root,lists/partial,cache/archives/partial}
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian trixie main" >newer/sources.list
apt=(-qq -o Acquire::Retries=3 -o APT::Sandbox::User=root -o APT::Install-Recommends=false -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false
	-o Acquire::Languages=none -o Dir::Etc::SourceList="$PWD/newer/sources.list" -o Dir::Etc::SourceParts=- -o Dir::State::Lists="$PWD/newer/lists"
	-o Dir::State::Status=/dev/null -o Dir::Cache="$PWD/newer/cache")
apt-get "${apt[@]}" update
packages=$(apt-get "${apt[@]}" -s install "${programs[@]}" | awk '$1 == "Inst" { print $2 }')
(cd newer/cache && apt-get "${apt[@]}" download $packages)
for package in newer/cache/*.deb; do dpkg-deb -x "$package" newer/root; done

# wrapper NAME VARIABLE=VALUE: a program that brings its own loader.
wrapper() {
	cat >"newer/bin/$1" <<-END
		#!/bin/sh
		root=$PWD/newer/root
		export $2
		exec \$root/$loader --library-path \$root/${loader%/*} \$root/usr/bin/$1 "\$@"
	END
	chmod +x "newer/bin/$1"
}

loader=$(cd newer/root && find usr/lib -name 'ld-linux*' -path '*-linux-gnu/*' | head -n 1)
wrapper nvim 'VIMRUNTIME=$root/usr/share/nvim/runtime'
wrapper hx 'HELIX_RUNTIME=$root/usr/lib/hx/runtime'
rm -rf newer/cache newer/lists
newer/bin/nvim --version | head -n 1
newer/bin/hx --version
