package server

import (
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// The server analyses the text of a buffer that was never saved, with the saved
// files that it imports.
func TestUnsavedBuffer(t *testing.T) {
	e := connect(t, realConfig(t))
	e.start(allCapabilities, `{"notifications":true,"idle":false}`)
	e.write("Base.sol", "pragma solidity ^0.8.0;\ncontract Base { uint x; }\n")
	for _, name := range []string{"New.sol", "new/Folder.sol"} {
		text := "pragma solidity ^0.8.0;\nimport \"./Base.sol\";\ncontract New is Base { function f(uint y) external { x = y; assert(y != 7); } }\n"
		if strings.Contains(name, "/") {
			text = strings.ReplaceAll(text, "./Base.sol", "../Base.sol")
		}
		e.must(e.server.DidOpen(e.ctx(), &protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{
			URI: e.uri(name), LanguageID: "solidity", Version: 1, Text: text,
		}}))
		e.until("the finding in "+name, func() bool {
			found := e.found(name)
			return len(found) == 1 && strings.Contains(string(found[0].Message.(protocol.String)), "assert(y != 7)")
		})
	}
}

// For an untitled document the server sends one message that asks to save it.
func TestUntitledDocument(t *testing.T) {
	w := new(workshop)
	e := connect(t, w.config(""))
	e.start(allCapabilities, `{}`)
	for _, u := range []string{"untitled:Untitled-1", "untitled:Untitled-2", "git:/A.sol"} {
		e.must(e.server.DidOpen(e.ctx(), &protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{URI: uri.URI(u), LanguageID: "solidity", Text: "contract A {}"}}))
	}
	e.until("the message", func() bool { return len(e.mail.Received().Messages) > 0 })
	if got := e.mail.Received().Messages; len(got) != 1 || !strings.Contains(got[0], "save this document") {
		t.Errorf("%q", got)
	}
}
