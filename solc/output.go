package solc

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"leveret/solc/ast"
	"leveret/solc/layout"
	"leveret/solc/srcmap"
)

// standardOutput is the part of the compiler's standard JSON output that is
// read.
type standardOutput struct {
	Errors    []outputMessage                      `json:"errors"`
	Sources   map[string]outputSource              `json:"sources"`
	Contracts map[string]map[string]outputContract `json:"contracts"`
}

type outputMessage struct {
	Severity  string          `json:"severity"`
	Type      string          `json:"type"`
	Code      string          `json:"errorCode"`
	Message   string          `json:"message"`
	Formatted string          `json:"formattedMessage"`
	Location  *outputLocation `json:"sourceLocation"`
}

func (m outputMessage) fatal() bool { return m.Severity == "error" }

type outputLocation struct {
	File       string `json:"file"`
	Start, End int
}

type outputSource struct {
	ID     int             `json:"id"`
	AST    json.RawMessage `json:"ast"`
	Legacy json.RawMessage `json:"legacyAST"`
}

type outputContract struct {
	ABI    json.RawMessage `json:"abi"`
	Layout json.RawMessage `json:"storageLayout"`
	EVM    struct {
		Bytecode outputCode        `json:"bytecode"`
		Deployed outputCode        `json:"deployedBytecode"`
		Methods  map[string]string `json:"methodIdentifiers"`
	} `json:"evm"`
}

type outputCode struct {
	Object     string                              `json:"object"`
	SourceMap  string                              `json:"sourceMap"`
	Links      map[string]map[string][]outputRange `json:"linkReferences"`
	Immutables map[string][]outputRange            `json:"immutableReferences"`
	Generated  []outputGenerated                   `json:"generatedSources"`
}

type outputRange struct{ Start, Length int }

// within reports whether the range lies in code of some length.
func (r outputRange) within(length int) bool {
	return r.Start >= 0 && r.Length >= 0 && r.Length <= length && r.Start <= length-r.Length
}

type outputGenerated struct {
	ID       int    `json:"id"`
	Name     string `json:"name"`
	Contents string `json:"contents"`
}

// ReadOutput reads standard JSON output into a Build. sources are the compiled
// sources by unit name. If the compiler reported an error, the Build has only
// sources and messages: syntax trees of rejected sources are incomplete.
func ReadOutput(text []byte, sources map[string]*Source) (*Build, error) {
	var out standardOutput
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, fmt.Errorf("read the compiler's output: %w", err)
	}
	b := &Build{}
	failed := slices.ContainsFunc(out.Errors, outputMessage.fatal)
	if failed {
		b.giveSources(sources)
	} else if err := b.addSources(out.Sources, sources); err != nil {
		return nil, err
	}
	for _, m := range out.Errors {
		b.Messages = append(b.Messages, b.message(m, sources))
	}
	if failed {
		return b, nil
	}
	for file, contracts := range out.Contracts {
		for name, c := range contracts {
			if err := b.addContract(file, name, c); err != nil {
				return nil, fmt.Errorf("read contract %s of %s: %w", name, file, err)
			}
		}
	}
	slices.SortFunc(b.Contracts, func(x, y *Contract) int { return b.order(x, y) })
	return b, nil
}

// giveSources numbers the sources by name, for an output without numbers.
func (b *Build) giveSources(sources map[string]*Source) {
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		source := *sources[name]
		source.ID = len(b.Sources)
		source.Lines = srcmap.NewLines(source.Text)
		b.Sources = append(b.Sources, &source)
	}
}

// addSources adds the sources at the compiler's index.
func (b *Build) addSources(out map[string]outputSource, sources map[string]*Source) error {
	for name := range sources {
		if _, ok := out[name]; !ok {
			return fmt.Errorf("the compiler returned neither an error nor the source %q", name)
		}
	}
	for name, s := range out {
		given := sources[name]
		if given == nil || s.ID < 0 || s.ID > len(out)+len(sources) {
			return fmt.Errorf("the compiler returned an unknown source %q", name)
		}
		tree := s.AST
		if len(tree) == 0 || string(tree) == "null" {
			tree = s.Legacy
		}
		source := *given
		source.ID = s.ID
		source.Lines = srcmap.NewLines(source.Text)
		if len(tree) > 0 && string(tree) != "null" {
			unit, err := ast.Read(tree)
			if err != nil {
				return fmt.Errorf("read the syntax tree of %s: %w", name, err)
			}
			source.Unit = unit
		}
		for len(b.Sources) <= s.ID {
			b.Sources = append(b.Sources, nil)
		}
		b.Sources[s.ID] = &source
	}
	return nil
}

func (b *Build) message(m outputMessage, sources map[string]*Source) Message {
	out := Message{
		Severity: m.Severity, Type: m.Type, Code: m.Code, Text: strings.TrimSpace(cut(m.Message)), Formatted: strings.TrimRight(cut(m.Formatted), "\n"),
		Span: srcmap.Span{Source: -1},
	}
	if m.Location == nil {
		m.Location = formattedLocation(cut(m.Formatted), sources)
	}
	out.File = m.Location.File
	if m.Location.Start >= 0 {
		out.Span.Start = m.Location.Start
		out.Span.Length = max(0, m.Location.End-m.Location.Start)
	}
	if s := b.Source(out.File); s != nil {
		out.Span.Source = s.ID
	}
	return out
}

// maxMessage bounds the text of a compiler's message, in bytes.
const maxMessage = 4 << 10

// cut shortens a text to maxMessage.
func cut(text string) string {
	if len(text) <= maxMessage {
		return text
	}
	return strings.ToValidUTF8(text[:maxMessage], "") + "…"
}

var formattedPlace = regexp.MustCompile(`^(.+?):([0-9]+):([0-9]+): `)

// formattedLocation parses the position in a formatted message, "A.sol:7:21: …",
// for compilers before 0.4.12, which give no other.
func formattedLocation(text string, sources map[string]*Source) *outputLocation {
	m := formattedPlace.FindStringSubmatch(text)
	if m == nil || sources[m[1]] == nil {
		return &outputLocation{}
	}
	var at srcmap.Position
	at.Line, _ = strconv.Atoi(m[2])
	at.Column, _ = strconv.Atoi(m[3])
	offset := srcmap.NewLines(sources[m[1]].Text).PositionOffset(at)
	return &outputLocation{File: m[1], Start: offset, End: offset}
}

func (b *Build) addContract(file, name string, out outputContract) error {
	c := &Contract{Name: name, File: file, Kind: KindContract, ABI: out.ABI, Methods: out.EVM.Methods, Build: b}
	var err error
	if c.Creation, err = readCode(out.EVM.Bytecode); err != nil {
		return err
	}
	if c.Runtime, err = readCode(out.EVM.Deployed); err != nil {
		return err
	}
	if len(out.Layout) > 0 && string(out.Layout) != "null" {
		if c.Layout, err = layout.Read(out.Layout); err != nil {
			return err
		}
	}
	if s := b.Source(file); s != nil && s.Unit != nil {
		c.define(s.Unit)
	}
	b.Contracts = append(b.Contracts, c)
	return nil
}

// define sets what the definition in the syntax tree says about the contract.
func (c *Contract) define(unit *ast.Unit) {
	for _, n := range unit.Root.Find("ContractDefinition") {
		if n.Attr("name") != c.Name {
			continue
		}
		c.Node = n
		if kind := n.Attr("contractKind"); kind != "" {
			c.Kind = Kind(kind)
		}
		c.Abstract = c.Kind == KindContract &&
			(n.Attr("abstract") == "true" || n.Attr("fullyImplemented") != "true")
		return
	}
}

// order compares contracts by their position in the sources.
func (b *Build) order(x, y *Contract) int {
	if x.File != y.File {
		return strings.Compare(x.File, y.File)
	}
	if x.Node != nil && y.Node != nil {
		return x.Node.Span.Start - y.Node.Span.Start
	}
	return strings.Compare(x.Name, y.Name)
}

// Misfits returns the contracts whose source maps belong to other code, by source. See WithMaps.
func (b *Build) Misfits() Selection {
	var list Selection
	for _, c := range b.Contracts {
		if code := &c.Runtime; !srcmap.NewInstructions(code.Object, code.Map).Fits(code.Object) {
			if list == nil {
				list = Selection{}
			}
			list[c.File] = append(list[c.File], c.Name)
		}
	}
	return list
}

// WithMaps returns standard JSON output with contracts of another one of the same sources, where
// the code is the same.
func WithMaps(output, other []byte, contracts Selection) ([]byte, error) {
	var all map[string]json.RawMessage
	var had, has struct {
		Contracts map[string]map[string]json.RawMessage `json:"contracts"`
	}
	if err := errors.Join(json.Unmarshal(output, &all), json.Unmarshal(output, &had), json.Unmarshal(other, &has)); err != nil {
		return nil, err
	}
	for file, names := range contracts {
		for _, name := range names {
			var old, now outputContract
			before, after := had.Contracts[file][name], has.Contracts[file][name]
			if json.Unmarshal(before, &old) == nil && json.Unmarshal(after, &now) == nil && old.EVM.Deployed.Object == now.EVM.Deployed.Object {
				had.Contracts[file][name] = after
			}
		}
	}
	text, err := json.Marshal(had.Contracts)
	if err != nil {
		return nil, err
	}
	all["contracts"] = text
	return json.Marshal(all)
}

func readCode(out outputCode) (Code, error) {
	var code Code
	var err error
	for file, libraries := range out.Links {
		for library, places := range libraries {
			for _, at := range places {
				code.Links = append(code.Links, Link{File: file, Library: library, At: ByteRange(at)})
			}
		}
	}
	slices.SortFunc(code.Links, func(x, y Link) int { return x.At.Start - y.At.Start })
	if code.Object, err = readHex(out.Object, code.Links); err != nil {
		return Code{}, err
	}
	if code.Map, err = srcmap.Decode(out.SourceMap); err != nil {
		return Code{}, fmt.Errorf("read the source map: %w", err)
	}
	for id, places := range out.Immutables {
		n, err := strconv.Atoi(id)
		if id == "library_deploy_address" { // of code via IR
			n, err = LibraryAddressID, nil
		}
		if err != nil {
			return Code{}, fmt.Errorf("immutable with the id %q", id)
		}
		if code.Immutables == nil {
			code.Immutables = map[int][]ByteRange{}
		}
		for _, at := range places {
			if !at.within(len(code.Object)) {
				return Code{}, fmt.Errorf("immutable %d lies outside of the code", n)
			}
			code.Immutables[n] = append(code.Immutables[n], ByteRange(at))
		}
	}
	for _, g := range out.Generated {
		code.Generated = append(code.Generated, GeneratedSource{ID: g.ID, Name: g.Name, Text: []byte(g.Contents)})
	}
	return code, nil
}

// readHex decodes bytecode. The placeholders of library addresses, which are not
// hexadecimal, become zeros.
func readHex(object string, links []Link) ([]byte, error) {
	object = strings.TrimPrefix(object, "0x")
	digits := []byte(object)
	for _, l := range links {
		if !outputRange(l.At).within(len(digits) / 2) {
			return nil, fmt.Errorf("link to %s lies outside of the code", l.Library)
		}
		for i := 2 * l.At.Start; i < 2*(l.At.Start+l.At.Length); i++ {
			digits[i] = '0'
		}
	}
	code := make([]byte, hex.DecodedLen(len(digits)))
	if _, err := hex.Decode(code, digits); err != nil {
		return nil, fmt.Errorf("read the code: %w", err)
	}
	if len(code) == 0 {
		return nil, nil
	}
	return code, nil
}
