#!/usr/bin/env bash
# Installs hx (Helix), nvim (0.10) and nvim-latest (0.11 or later) from later
# Debian releases into newer/bin, each with its own libraries. Changes nothing
# else on the machine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
[ -x newer/bin/hx ] && [ -x newer/bin/nvim ] && [ -x newer/bin/nvim-latest ] && exit 0
rm -rf newer
mkdir -p newer/bin

# fetch RELEASE PROGRAM...: unpacks programs and their libraries into newer/RELEASE.
fetch() {
	local release=$1 work=$PWD/newer/work packages package
	shift
	mkdir -p newer/"$release" "$work"/{lists/partial,cache/archives/partial}
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $release main" >"$work/sources.list"
	local apt=(-qq -o Acquire::Retries=3 -o APT::Sandbox::User=root -o APT::Install-Recommends=false -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false
		-o Acquire::Languages=none -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=- -o Dir::State::Lists="$work/lists"
		-o Dir::State::Status=/dev/null -o Dir::Cache="$work/cache")
	apt-get "${apt[@]}" update
	packages=$(apt-get "${apt[@]}" -s install "$@" | awk '$1 == "Inst" { print $2 }')
	(cd "$work/cache" && apt-get "${apt[@]}" download $packages)
	for package in "$work"/cache/*.deb; do dpkg-deb -x "$package" newer/"$release"; done
	rm -rf "$work"
}

# wrapper NAME RELEASE PROGRAM VARIABLE=VALUE: writes a script that runs a program with its own loader.
wrapper() {
	local loader
	loader=$(cd newer/"$2" && find usr/lib -name 'ld-linux*' -path '*-linux-gnu/*' | head -n 1)
	cat >"newer/bin/$1" <<-END
		#!/bin/sh
		root=$PWD/newer/$2
		export $4
		exec \$root/$loader --library-path \$root/${loader%/*} \$root/usr/bin/$3 "\$@"
	END
	chmod +x "newer/bin/$1"
	"newer/bin/$1" --version | head -n 1
}

fetch trixie hx neovim
fetch forky neovim
wrapper nvim trixie nvim 'VIMRUNTIME=$root/usr/share/nvim/runtime'
wrapper hx trixie hx 'HELIX_RUNTIME=$root/usr/lib/hx/runtime'
wrapper nvim-latest forky nvim 'VIMRUNTIME=$root/usr/share/nvim/runtime'
