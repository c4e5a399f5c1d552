# Everything that the tests and the demonstration need comes from here; Go,
# Node with npm, make, git and a shell are all that a machine must bring.

NPM := testdata/npm

.PHONY: tools
tools: $(NPM)/node_modules/.package-lock.json ## compilers and real contracts for the tests

$(NPM)/node_modules/.package-lock.json: $(NPM)/package.json $(NPM)/package-lock.json
	cd $(NPM) && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $@
