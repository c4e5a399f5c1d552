package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"

	"leveret/solc"
)

// A codeHash identifies code without its metadata.
type codeHash [sha256.Size]byte

// metadataKeys precede the metadata hash that solc appends to code as CBOR
// (Solidity documentation, "Contract Metadata"). A contract that creates
// others includes theirs, anywhere in its code.
var metadataKeys = []struct {
	key  []byte
	size int
}{
	{[]byte("\x64ipfs\x58\x22"), 34},
	{[]byte("\x65bzzr1\x58\x20"), 32},
	{[]byte("\x65bzzr0\x58\x20"), 32},
}

// hashCode hashes creation and runtime code without metadata hashes, the
// linked libraries, the ABI, and how tests are configured.
func hashCode(c *solc.Contract) codeHash {
	h := sha256.New()
	for _, code := range []solc.Code{c.Creation, c.Runtime} {
		h.Write(withoutMetadata(code.Object))
		for _, link := range code.Links {
			h.Write([]byte(link.File + ":" + link.Library + "\n"))
		}
		h.Write([]byte{0})
	}
	h.Write(c.ABI)
	if c.RunsTests() {
		fmt.Fprint(h, jsonOf(c.TestConfig()), jsonOf(c.Harness()))
	}
	return codeHash(h.Sum(nil))
}

// jsonOf returns the JSON of a configuration.
func jsonOf(config any) string {
	text, err := json.Marshal(config)
	if err != nil { // not of what is data alone
		return err.Error()
	}
	return string(text)
}

func withoutMetadata(code []byte) []byte {
	var out []byte
	for _, m := range metadataKeys {
		for at := 0; ; {
			i := bytes.Index(code[at:], m.key)
			if i < 0 {
				break
			}
			if out == nil {
				out = slices.Clone(code)
			}
			from := at + i + len(m.key)
			to := min(from+m.size, len(code))
			clear(out[from:to])
			at = to
		}
	}
	if out == nil {
		return code
	}
	return out
}
