package trust

import (
	"encoding/json"
	"errors"
	"testing"
)

func TestJSONError(t *testing.T) {
	for text, want := range map[string]string{
		`7`:                     "it cannot be a JSON number",
		`{"call": {"to": "x"}}`: "call.to cannot be a JSON string",
	} {
		var to struct{ Call struct{ To int } }
		if got := JSONError(json.Unmarshal([]byte(text), &to)); got == nil || got.Error() != want {
			t.Errorf("%s: %v, want %s", text, got, want)
		}
	}
	if got := JSONError(&json.UnmarshalTypeError{Field: "Sender", Value: "non-string"}); got.Error() != "sender has to be a JSON string" {
		t.Error(got)
	}
	if other := errors.New("other"); JSONError(other) != other || JSONError(nil) != nil {
		t.Error("another error changes")
	}
}
