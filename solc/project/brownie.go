package project

import (
	"fmt"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"leveret/solc"
	"leveret/solc/compiler"
)

// brownieConfig has the keys of brownie-config.yaml that are read. A library
// parses the file, though it is the only YAML: users write it in all of YAML's
// styles.
type brownieConfig struct {
	Structure struct {
		Contracts string `yaml:"contracts"`
		Tests     string `yaml:"tests"`
	} `yaml:"project_structure"`
	Compiler struct {
		Solc struct {
			Version    string `yaml:"version"`
			EVMVersion string `yaml:"evm_version"`
			Optimizer  struct {
				Enabled *bool `yaml:"enabled"`
				Runs    *int  `yaml:"runs"`
			} `yaml:"optimizer"`
			ViaIR      bool      `yaml:"viaIR"`
			Remappings oneOrMore `yaml:"remappings"`
		} `yaml:"solc"`
	} `yaml:"compiler"`
}

// oneOrMore is a list of strings, or a single string.
type oneOrMore []string

func (s *oneOrMore) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		*s = oneOrMore{node.Value}
		return nil
	}
	return node.Decode((*[]string)(s))
}

// configureBrownie reads brownie-config.yaml. Brownie installs packages in the
// user's home directory.
func (p *configParser) configureBrownie(env compiler.Env) error {
	p.sourceDirs = []string{"contracts"}
	p.skipDirs = []string{"tests", "interfaces", "reports"}
	text, err := p.readConfig(p.Config)
	if err != nil {
		return unreadable(p.Config, err)
	}
	if env.Home != "" {
		p.allow = []string{filepath.Join(env.Home, ".brownie", "packages")}
	}
	var config brownieConfig
	if err := yaml.Unmarshal(text, &config); err != nil {
		return p.named(&solc.Failure{Kind: solc.BadConfig, File: p.Config, Sentence: fmt.Sprintf("it cannot be read: %v", strings.ReplaceAll(err.Error(), "\n", " ")),
			Remedy: "correct it"})
	}
	if dir := config.Structure.Contracts; dir != "" {
		p.sourceDirs = []string{filepath.ToSlash(filepath.Clean(dir))}
	}
	if dir := config.Structure.Tests; dir != "" {
		p.skipDirs = append(p.skipDirs, filepath.ToSlash(filepath.Clean(dir)))
	}
	own := config.Compiler.Solc
	for _, s := range own.Remappings {
		if r, ok := parseRemapping(s); ok {
			r.target = browniePackage(env, r.target)
			p.remappings = append(p.remappings, r)
		} else {
			p.notef("%s: %q is not a remapping", filepath.Base(p.Config), s)
		}
	}
	s := solc.Settings{Optimizer: true, OptimizerRuns: 200, ViaIR: own.ViaIR, EVMVersion: own.EVMVersion}
	if enabled := own.Optimizer.Enabled; enabled != nil {
		s.Optimizer = *enabled
	}
	if runs := own.Optimizer.Runs; runs != nil {
		s.OptimizerRuns = *runs
	}
	p.addCompiler(own.Version, s)
	return nil
}

// browniePackage returns the folder of a package "owner/name@version". It
// returns other targets unchanged.
func browniePackage(env compiler.Env, target string) string {
	if strings.Count(target, "@") != 1 || strings.Count(target, "/") == 0 || env.Home == "" || strings.HasPrefix(target, "@") {
		return target
	}
	return filepath.ToSlash(filepath.Join(env.Home, ".brownie", "packages", filepath.FromSlash(target)))
}
