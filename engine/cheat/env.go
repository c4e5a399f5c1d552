package cheat

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// vars are the variables that vm.setEnv set. They hide those of the host.
type vars map[string]string

func (v vars) clone() vars { return maps.Clone(v) }

// list returns NAME=VALUE of each, sorted.
func (v vars) list() (list []string) {
	for _, name := range slices.Sorted(maps.Keys(v)) {
		list = append(list, name+"="+v[name])
	}
	return list
}

var envRows = slices.Concat([]row{
	{"setEnv(string,string)", "", (*call).setEnv, "sets an environment variable, for cheatcodes and the programs of ffi"},
	{"envExists(string)", "(bool)", (*call).envExists, "reports whether an environment variable is set"},
	{"resolveEnv(string)", "(string)", (*call).resolveEnv, "replaces ${NAME} by environment variables"},
	{"isContext(uint8)", "(bool)", (*call).isContext, "reports whether tests run"},
}, envTypeRows())

func envTypeRows() (list []row) {
	for _, t := range scalarTypes {
		one := t.typ.String()
		list = append(list,
			row{"env" + t.name + "(string)", "(" + one + ")", (*call).env, "reads an environment variable"},
			row{"env" + t.name + "(string,string)", "(" + one + "[])", (*call).envList, "reads an environment variable as a list with a delimiter"},
			row{"envOr(string," + one + ")", "(" + one + ")", func(c *call) error { return c.orDefault(c.env()) }, "reads an environment variable or returns a default"},
			row{"envOr(string,string," + one + "[])", "(" + one + "[])", func(c *call) error { return c.orDefault(c.envList()) }, "reads an environment variable as a list with a delimiter or returns a default"})
	}
	return list
}

func (c *call) setEnv() error {
	key, value := c.text(0), c.text(1)
	switch {
	case key == "":
		return errors.New("environment variable key can't be empty")
	case strings.Contains(key, "="):
		return errors.New("environment variable key can't contain equal sign `=`")
	case strings.Contains(key, "\x00"):
		return errors.New("environment variable key can't contain NUL character `\\0`")
	case strings.Contains(value, "\x00"):
		return errors.New("environment variable value can't contain NUL character `\\0`")
	}
	if c.memory.vars == nil {
		c.memory.vars = vars{}
	}
	c.memory.vars[key] = value
	c.rememberArgs()
	return nil
}

// lookUp returns an environment variable.
func (c *call) lookUp(name string) (value string, set bool, err error) {
	if value, set = c.memory.vars[name]; set {
		return value, true, nil
	}
	h, err := c.host()
	if err != nil {
		return "", false, errRefused{err}
	}
	if value, set, err = h.Env(name); err != nil {
		return "", false, errRefused{err}
	}
	return value, set && utf8.ValidString(value), nil
}

// errRefused is the error of a host that refuses: a default is no way around it.
type errRefused struct{ error }

func (c *call) envExists() error {
	_, set, err := c.lookUp(c.text(0))
	if err != nil {
		return err
	}
	return c.give(boolValue(set))
}

// variable returns an environment variable that must be set.
func (c *call) variable(name string) (string, error) {
	value, set, err := c.lookUp(name)
	if err == nil && !set {
		err = fmt.Errorf("environment variable %q not found", name)
	}
	return value, err
}

// env gives a variable. Errors do not tell its value, which may be a secret.
func (c *call) env() error {
	value, err := c.variable(c.text(0))
	if err != nil {
		return err
	}
	return c.giveOne(coerceNamed(value, "$"+c.text(0), c.code.outputs[0].Type))
}

func (c *call) envList() error {
	value, err := c.variable(c.text(0))
	if err != nil {
		return err
	}
	list := listValue(c.code.outputs[0].Type.Elem, nil)
	parts := strings.Split(value, c.text(1))
	if strings.TrimSpace(parts[0]) == "" {
		return c.give(list)
	}
	for _, part := range parts {
		v, err := coerceNamed(strings.TrimSpace(part), "a part of $"+c.text(0), list.Type.Elem)
		if err != nil {
			return err
		}
		list.Elems = append(list.Elems, v)
	}
	return c.give(list)
}

// orDefault gives the last argument if the variable is not set or not readable.
func (c *call) orDefault(err error) error {
	if refused := (errRefused{}); err == nil || errors.As(err, &refused) {
		return err
	}
	return c.give(c.args[len(c.args)-1])
}

var placeholder = regexp.MustCompile(`\$\{\s*(.*?)\s*\}`)

func (c *call) resolveEnv() error {
	var failed error
	text := placeholder.ReplaceAllStringFunc(c.text(0), func(found string) string {
		value, err := c.variable(placeholder.FindStringSubmatch(found)[1])
		if err != nil {
			failed = fmt.Errorf("failed to resolve env var: %w", err)
		}
		return value
	})
	if failed != nil {
		return failed
	}
	return c.give(textValue(text))
}

// Values of Vm.ForgeContext that are true in a test.
const (
	contextTestGroup = 0
	contextTest      = 1
)

func (c *call) isContext() error {
	n := c.number(0)
	return c.give(boolValue(n == contextTestGroup || n == contextTest))
}
