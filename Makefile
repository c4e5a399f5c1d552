# Sets up everything that the tests and the demonstration need. A machine needs
# Go, Node.js with npm, make, git and a shell.

NPM     := solc/testdata/npm
NEXT    := lsp/server/testdata/neighbour
DEMO    := docs/examples/Auction.sol
DEMO_SOLC := 0.8.30

# Packages with goroutines of their own are tested with the race detector, which
# makes them several times as slow. Of those whose values the workers of
# a campaign share, only the tests with workers are.
RACED   := $(addprefix leveret/,cmd/leveret/live lsp/rpc lsp/server lsp/session solc/compiler solc/release engine/corpus)
SHARED  := $(addprefix leveret/,engine engine/evm)
WORKERS := 'Determinism$$|Workers|SurvivesPanics|Cancel|TimeIsOver|FreeToRace|Codes'
# These check what compilers and campaigns lead to, not what runs at the same time.
SERVED  := '^Test(BuildsAgree|DebugTraceLines|HostileFiles|InheritedFindingIsOne|Markers|UntrustedWorkspaceChoosesNoProgram)$$'
# The editors wait most of the time, so the long tests run beside them with what they leave of
# the processors. Those that are not installed are skipped.
EDITORS := leveret/editors
# The packages that take longest come first, so that none is left to run alone.
SLOW  := $(addprefix leveret/,engine cmd/leveret lsp/storm lsp/present engine/triage engine/lookahead engine/bench solc/project)
PLAIN  = $(SLOW) $(filter-out $(RACED) $(SLOW) $(EDITORS),$(shell go list ./...))
# Tests whose names end in Long are larger forms of others: more seeds, more
# inputs. They run if LEVERET_LONG is 1.
LONG   = ./engine ./lsp/server $(filter-out ./engine ./lsp/server,$(shell grep -rlE --include='*_test.go' '^func Test[A-Za-z]*Long[^A-Za-z]' campaign cmd dap engine lsp solc | xargs -n1 dirname | sort -u | sed 's,^,./,'))
# make check has run vet. The timeout stops tests that hang; none depends on it.
TEST  := go test -vet=off -timeout 60m

# The race detector needs a C compiler.
RACE := $(shell if [ "$$(go env CGO_ENABLED)" = 1 ]; then echo -race; fi)

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST)

.PHONY: build
build: ## the command, in ./leveret
	go build -o leveret ./cmd/leveret

.PHONY: demo
demo: build ## fuzz an example contract; show what an editor receives
	@export LEVERET_TOOLS="$(CURDIR)/.tools"; \
	XDG_CACHE_HOME="$(CURDIR)/.tools/cache" ./leveret doctor $(DEMO) >/dev/null 2>&1 || { \
		echo "No Solidity compiler was found for $(DEMO); installing one in .tools"; \
		npm install --prefix .tools --no-audit --no-fund --ignore-scripts --loglevel=error solc@$(DEMO_SOLC); }; \
	echo; echo "\$$ leveret fuzz --time 5s $(DEMO)"; \
	./leveret fuzz --time 5s $(DEMO); code=$$?; \
	echo; \
	if [ $$code -eq 1 ]; then echo "The bug was found."; else echo "The bug was not found (exit code $$code)."; exit 1; fi; \
	echo; echo "The same in an editor, as leveret lsp sends it:"; \
	go run ./lsp/demo -server ./leveret -file $(DEMO)

.PHONY: test
test: tools check ## formatting, vet, staticcheck, all tests but the long ones
	@if [ -z "$(RACE)" ]; then echo "note: no C compiler, so the tests run without the race detector"; fi
	$(TEST) $(PLAIN)
	@$(MAKE) --no-print-directory -j 3 raced $(if $(RACE),workers served)

# These leave two fifths of the processors idle one after the other, so they run side by side.
.PHONY: raced workers served
raced:
	$(TEST) $(RACE) $(if $(RACE),-skip $(SERVED)) $(RACED)
workers:
	$(TEST) $(RACE) -run $(WORKERS) $(SHARED)
served:
	$(TEST) -run $(SERVED) leveret/lsp/server

.PHONY: test-long
test-long: tools ## the tests with more seeds and inputs, and the editors that are installed
	@$(MAKE) --no-print-directory -j 2 edited larger

.PHONY: edited larger
edited:
	$(TEST) -v $(EDITORS)
larger:
	LEVERET_LONG=1 nice -n 19 $(TEST) -run 'Long$$' $(LONG)

.PHONY: check
check: ## formatting, vet, staticcheck
	@unformatted=$$(gofmt -l campaign cmd dap docs editors/*.go engine lsp solc); \
	if [ -n "$$unformatted" ]; then echo "gofmt -w is needed for:"; echo "$$unformatted"; exit 1; fi
	go vet ./...
	go run honnef.co/go/tools/cmd/staticcheck ./...

.PHONY: warm
warm: ## compile all tests without running them
	go vet ./...
	go list -export -deps -test $(PLAIN) $(EDITORS) leveret/lsp/server >/dev/null
	go list $(RACE) -export -deps -test $(RACED) $(SHARED) >/dev/null
	go run honnef.co/go/tools/cmd/staticcheck ./...

.PHONY: bench
bench: tools ## measure; nothing here is asserted
	go test -run '^$$' -bench . -benchmem ./engine/... ./lsp/...

.PHONY: digests
digests: tools ## check that campaigns execute the same inputs as recorded
	go run ./engine/bench/digests

.PHONY: record-digests
record-digests: tools ## record what campaigns execute, after a change of the engine's behavior
	go run ./engine/bench/digests -record

.PHONY: storm
storm: tools build ## attack the server and the command for minutes, and count what fails
	go run ./lsp/storm -leveret ./leveret -tools $(NPM) $(STORM)

.PHONY: tools
tools: $(NPM)/node_modules/.package-lock.json $(NEXT)/node_modules/.package-lock.json ## compilers, real contracts and another server for the tests

$(NPM)/node_modules/.package-lock.json: $(NPM)/package.json $(NPM)/package-lock.json
	cd $(NPM) && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $@

$(NEXT)/node_modules/.package-lock.json: $(NEXT)/package.json $(NEXT)/package-lock.json
	cd $(NEXT) && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $@

# The version of the next release is written once, in version.go.
export VERSION := $(shell sed -n 's/^const toolVersion = "\(.*\)"/\1/p' cmd/leveret/version.go)

# Tools for releases are built here, so that the module does not depend on them.
TOOLS      := $(CURDIR)/.tools/bin
GORELEASER := $(TOOLS)/goreleaser-v2.15.1
CYCLONEDX  := $(TOOLS)/v1.10.0/cyclonedx-gomod

# 1: release builds for half of the platforms.
DRY := 0

# As releases are built, which compiles the standard library once for all.
$(GORELEASER) $(CYCLONEDX) manual: export CGO_ENABLED := 0

$(GORELEASER):
	GOBIN=$(TOOLS) go install -trimpath -ldflags='-s -w' github.com/goreleaser/goreleaser/v2@v2.15.1
	mv $(TOOLS)/goreleaser $@

$(CYCLONEDX):
	GOBIN=$(@D) go install -trimpath -ldflags='-s -w' github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0

.PHONY: release
release: $(GORELEASER) $(CYCLONEDX) ## archives for all platforms with checksums and SBOMs, in ./bin/release; publishes nothing
	PATH="$(dir $(CYCLONEDX)):$$PATH" DRY=$(DRY) $(GORELEASER) release --snapshot --clean --parallelism 1
	LEVERET_RELEASE_DRY=$(DRY) LEVERET_RELEASE="$(CURDIR)/bin/release" CGO_ENABLED=0 go test -tags release -count=1 -trimpath -v -run '^TestRelease$$' ./cmd/leveret

# Without optimization and debug information, compiling takes half the time. What
# packs the archives is optimized.
.PHONY: release-dry
release-dry: export GOFLAGS := $(shell go env GOFLAGS) '-gcflags=all=-N -l -dwarf=false' -gcflags=compress/flate=-dwarf=false
release-dry: DRY := 1
release-dry: release ## the same for three of them, without optimization: shows that all compiles, packs and is described

.PHONY: manual
manual: ## man pages and completions of shells, in ./bin/manual
	rm -rf bin/manual
	mkdir -p bin/manual/man bin/manual/completions
	go build -trimpath -o bin/manual.leveret ./cmd/leveret
	bin/manual.leveret man bin/manual/man
	for shell in bash zsh fish powershell; do bin/manual.leveret completion $$shell >bin/manual/completions/leveret.$$shell || exit 1; done
	rm bin/manual.leveret

CODE := editors/vscode

.PHONY: editors
editors: $(CODE)/node_modules/.package-lock.json ## VS Code in a page and what its extension is built with, for the tests and the tour
	editors/e2e/setup.sh

.PHONY: test-editors
test-editors: tools editors ## the clients in the real editors, as far as they are installed
	$(TEST) -v -count=1 $(EDITORS)

.PHONY: tour
tour: tools editors vsix ## VS Code in the browser on an example workspace, to play with
	LEVERET_TOOLS="$(CURDIR)/$(NPM)" node editors/e2e/tour.mjs

.PHONY: pictures
pictures: tools editors vsix build ## take the pictures in the READMEs anew
	LEVERET_TOOLS="$(CURDIR)/$(NPM)" PICTURES="$(CURDIR)/$(CODE)/screenshots" node editors/e2e/tour.mjs
	LEVERET_TOOLS="$(CURDIR)/$(NPM)" ./leveret fuzz --max-inputs 40000 --workers 1 --seed 1 --format html --output bin/report.html editors/e2e/report || [ $$? -eq 1 ]
	cd editors/e2e && LEVERET_TOOLS="$(CURDIR)/$(NPM)" node pictures.mjs ../../bin/report.html ../../docs/pictures ../../leveret

.PHONY: vsix
vsix: $(CODE)/node_modules/.package-lock.json ## the extension of VS Code with its server, in ./bin; PLATFORMS="linux-x64 darwin-arm64 win32-x64" for others
	cd $(CODE) && node package.mjs $(PLATFORMS)

$(CODE)/node_modules/.package-lock.json: $(CODE)/package.json $(CODE)/package-lock.json
	cd $(CODE) && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $@

.PHONY: clean
clean: ## remove what was built and installed
	rm -rf leveret .tools bin $(NPM)/node_modules $(NEXT)/node_modules editors/*/node_modules $(CODE)/dist $(CODE)/bin
