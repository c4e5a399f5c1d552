package lookahead

import (
	"maps"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
)

// callOf is a call of some method; now and then with arguments that do not
// fit.
func callOf(t *testing.T, methods map[string]abi.Method, known []common.Address, r *rand.Rand) []byte {
	t.Helper()
	names := slices.Sorted(maps.Keys(methods))
	m := methods[names[r.IntN(len(names))]]
	if r.IntN(10) == 0 {
		return randomInput(r, [][]byte{m.ID}, known)
	}
	return append(slices.Clone(m.ID), arguments(t, m.Inputs, known, r)...)
}

// arguments are random values of the right types, encoded.
func arguments(t *testing.T, of abi.Arguments, known []common.Address, r *rand.Rand) []byte {
	t.Helper()
	var values []any
	for _, a := range of {
		v := reflect.New(a.Type.GetType()).Elem()
		fill(v, known, r)
		values = append(values, v.Interface())
	}
	data, err := of.Pack(values...)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// fill sets v, which has the Go type of an ABI type, to something random.
func fill(v reflect.Value, known []common.Address, r *rand.Rand) {
	switch v.Interface().(type) {
	case common.Address:
		v.Set(reflect.ValueOf(known[r.IntN(len(known))]))
		return
	case *big.Int:
		v.Set(reflect.ValueOf(new(big.Int).SetBytes(randomWord(r, known))))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.Uint64() >> r.IntN(64))
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.Uint64()) >> r.IntN(64))
	case reflect.String:
		v.SetString("some words that are longer than one word of memory"[:r.IntN(50)])
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(4), 4))
		fillAll(v, known, r)
	case reflect.Array:
		fillAll(v, known, r)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), known, r)
		}
	}
}

func fillAll(v reflect.Value, known []common.Address, r *rand.Rand) {
	for i := range v.Len() {
		fill(v.Index(i), known, r)
	}
}
