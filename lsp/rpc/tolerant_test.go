package rpc

import (
	"slices"
	"testing"
)

var tolerantTests = []struct {
	name, in string
	dropped  []string
	check    string // of the root
}{
	{"strict", `{"processId":1,"rootUri":"file:///a","capabilities":{}}`, nil, "file:///a"},
	{
		"boolean for an object", // as some clients write it
		`{"processId":null,"rootUri":"file:///a","capabilities":{"window":{"showDocument":true}}}`,
		nil, "file:///a",
	},
	{
		"object for a boolean",
		`{"processId":1,"rootUri":"file:///a","capabilities":{"workspace":{"applyEdit":{},"configuration":true}}}`,
		[]string{"/capabilities/workspace/applyEdit"}, "file:///a",
	},
	{"process id as text", `{"processId":"12","rootUri":"file:///a","capabilities":{}}`, []string{"/processId"}, "file:///a"},
	{"capabilities as text", `{"rootUri":"file:///a","capabilities":"all"}`, []string{"/capabilities"}, "file:///a"},
}

func TestDecodeInitialize(t *testing.T) {
	for _, test := range tolerantTests {
		t.Run(test.name, func(t *testing.T) {
			params, dropped, err := decodeInitialize([]byte(test.in))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(dropped, test.dropped) {
				t.Errorf("dropped %q, want %q", dropped, test.dropped)
			}
			//lint:ignore SA1019 deprecated, but in all test cases
			root := params.RootURI
			if root == nil || string(*root) != test.check {
				t.Errorf("root %v, want %s", root, test.check)
			}
		})
	}
	if _, _, err := decodeInitialize([]byte(`[]`)); err == nil {
		t.Error("an array was accepted as the parameters of initialize")
	}
}

func TestDecodeInitializeKeepsValidFields(t *testing.T) {
	params, _, err := decodeInitialize([]byte(`{"processId":1,"rootUri":null,"capabilities":{
		"workspace":{"applyEdit":{},"configuration":true,"codeLens":true},
		"general":{"positionEncodings":["utf-8","utf-16"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	w := params.Capabilities.Workspace
	if w == nil || w.Configuration == nil || !*w.Configuration || w.CodeLens == nil {
		t.Errorf("configuration and code lens support were lost: %+v", w)
	}
	if g := params.Capabilities.General; g == nil || len(g.PositionEncodings) != 2 {
		t.Errorf("position encodings were lost: %+v", g)
	}
}
