package trust

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// JSONError says in words that a value in a JSON file has the wrong type: it names the
// key, and no type of Go. Other errors stay as they are.
func JSONError(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	keys := strings.Split(strings.Trim(wrong.Field, "."), ".")
	for i, key := range keys { // without a tag, the name of Go's field
		keys[i] = strings.ToLower(key[:min(len(key), 1)]) + key[min(len(key), 1):]
	}
	key := cmp.Or(strings.Join(keys, "."), "it")
	if wanted, ok := strings.CutPrefix(wrong.Value, "non-"); ok { // as go-ethereum says it
		return fmt.Errorf("%s has to be a JSON %s", key, wanted)
	}
	return fmt.Errorf("%s cannot be a JSON %s", key, wrong.Value)
}
