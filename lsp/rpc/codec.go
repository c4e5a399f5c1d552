package rpc

import (
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// codec encodes parameters and results with protocol's coder for unions. The
// library does not export its own.
type codec struct{}

// Marshal encodes v; raw messages pass through.
func (codec) Marshal(v any) ([]byte, error) {
	switch raw := v.(type) {
	case jsonrpc2.RawMessage:
		return orNull(raw), nil
	case *jsonrpc2.RawMessage:
		if raw == nil {
			return []byte("null"), nil
		}
		return orNull(*raw), nil
	}
	return protocol.Marshal(v)
}

func orNull(raw jsonrpc2.RawMessage) []byte {
	if raw == nil {
		return []byte("null")
	}
	return raw
}

// Unmarshal decodes data into v; a raw message gets a copy.
func (codec) Unmarshal(data []byte, v any) error {
	if raw, ok := v.(*jsonrpc2.RawMessage); ok {
		*raw = append(jsonrpc2.RawMessage(nil), data...)
		return nil
	}
	return protocol.Unmarshal(data, v)
}
