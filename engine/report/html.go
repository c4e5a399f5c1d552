package report

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"leveret/engine/report/printable"
)

// The page consists of files that browsers take as they are: no build step, no
// package. The scripts share one scope, in this order.
var (
	//go:embed page
	pageFolder  embed.FS
	pageScripts = []string{"element.js", "solidity.js", "model.js", "chart.js", "overview.js", "trace.js", "findings.js", "source.js", "live.js", "app.js"}
)

// HTML writes the report as one page without external resources.
func HTML(w io.Writer, r *Report, _ Options) error { return WritePage(w, NewPageDocument(r)) }

// WritePage writes the page with a document in it.
func WritePage(w io.Writer, d PageDocument) error {
	var document bytes.Buffer
	if err := EncodePage(&document, d); err != nil {
		return err
	}
	return writePage(w, document.String(), "'none'")
}

// WriteLivePage writes the page that fetches its document and the updates of it
// from the server that it comes from.
func WriteLivePage(w io.Writer) error { return writePage(w, "null", "'self'") }

// EncodePage writes a document as JSON that markup can contain: it has no <, > and &,
// and none of the characters that a browser would obey.
func EncodePage(w io.Writer, d PageDocument) error {
	return json.NewEncoder(&printable.JSONWriter{W: w}).Encode(d)
}

// writePage puts the page together. connect is what its scripts may connect to.
func writePage(w io.Writer, document, connect string) error {
	var script strings.Builder
	script.WriteString("(() => {\n'use strict';\n")
	for _, name := range pageScripts {
		script.Write(pageFile(name))
	}
	script.WriteString("})();\n")
	style := string(pageFile("page.css"))
	policy := fmt.Sprintf("default-src 'none'; script-src %s; style-src %s; connect-src %s; base-uri 'none'; form-action 'none'",
		contentHash(script.String()), contentHash(style), connect)
	_, err := strings.NewReplacer("{{policy}}", policy, "{{style}}", style, "{{document}}", document, "{{script}}", script.String()).
		WriteString(w, string(pageFile("page.html")))
	return err
}

// contentHash is the source of a Content-Security-Policy that allows one text.
func contentHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// pageFile returns a file of the page.
func pageFile(name string) []byte {
	text, err := pageFolder.ReadFile("page/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return text
}
