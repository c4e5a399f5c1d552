package project

import (
	"maps"
	"slices"

	"leveret/solc"
)

// fitted returns an output and what is read from it, with source maps that fit the code. Compilers
// before 0.8.8 optimize a contract again for each other that creates it, after its code is
// written, and give the map of that (argotorg/solidity#11898). So such contracts are compiled
// once more, without those that create them, and again as long as some create others of them.
func fitted(output []byte, b *solc.Build, sources map[string]*solc.Source, settings solc.Settings, run func(solc.Settings) ([]byte, error)) ([]byte, *solc.Build) {
	settings.NoTrees = true
	for wrong := b.Misfits(); len(wrong) > 0; {
		settings.Compiled = solc.Selection{}
		for name := range sources {
			settings.Compiled[name] = append([]string{}, wrong[name]...)
		}
		other, err := run(settings)
		if err != nil {
			return output, b
		}
		if other, err = solc.WithMaps(output, other, wrong); err != nil {
			return output, b
		}
		read, err := solc.ReadOutput(other, sources)
		if err != nil {
			return output, b
		}
		output, b = other, read
		left := b.Misfits()
		if maps.EqualFunc(wrong, left, slices.Equal) {
			return output, b
		}
		wrong = left
	}
	return output, b
}
