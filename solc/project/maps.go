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
	wrong := b.Misfits()
	for len(wrong) > 0 {
		settings.Compiled = solc.Selection{}
		for name := range sources {
			settings.Compiled[name] = append([]string{}, wrong[name]...)
		}
		other, err := run(settings)
		if err != nil {
			break
		}
		corrected, err := solc.WithMaps(output, other, wrong)
		if err != nil {
			break
		}
		read, err := solc.ReadOutput(corrected, sources)
		if err != nil {
			break
		}
		before := wrong
		if output, b, wrong = corrected, read, read.Misfits(); maps.EqualFunc(before, wrong, slices.Equal) {
			break
		}
	}
	return output, b
}
