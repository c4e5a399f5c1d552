package cheat

import (
	_ "embed"
	"errors"
	"strconv"
	"strings"
	"sync"
)

//go:embed chains.txt
var chainList string

// A chain is one that forge knows by name.
type chain struct {
	id   uint64
	name string
}

// chainsByName has the chains by their names, and by their ids in decimal.
var chainsByName = sync.OnceValue(func() map[string]chain {
	all := map[string]chain{}
	for line := range strings.Lines(chainList) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Fields(line)
		id, err := strconv.ParseUint(words[0], 10, 64)
		if err != nil {
			panic("engine/cheat: chains.txt: " + err.Error())
		}
		for _, name := range words {
			all[name] = chain{id, words[1]}
		}
	}
	return all
})

var chainRows = []row{
	{"getChain(string)", "((string,uint256,string,string))", func(c *call) error { return c.chain(c.text(0)) }, "returns name, id, alias and endpoint of a chain by its name"},
	{"getChain(uint256)", "((string,uint256,string,string))", func(c *call) error { return c.chain(c.args[0].Word.Dec()) }, "returns name, id, alias and endpoint of a chain by its id"},
}

// chain gives a chain by one of its names or its id. Its URL is that of the endpoint of
// foundry.toml with its name, and empty if tests may not connect to it.
func (c *call) chain(alias string) error {
	known, ok := chainsByName()[alias]
	if !ok {
		return errors.New("invalid chain alias: " + alias)
	}
	url := ""
	if c.Config.Host != nil {
		if found, ok, err := c.Config.Host.Endpoint(known.name); ok && err == nil {
			url, alias = found, known.name
		}
	}
	return c.give(tupleValue(c.code.outputs[0].Type, textValue(known.name), numberValue(known.id), textValue(alias), textValue(url)))
}
