// Package layout reads solc's storage layout and names storage slots: a
// variable, a struct member, a mapping entry, an array element.
//
// It knows no bytecode and no execution: the keys behind a hashed slot are
// handed in.
package layout

// Layout is the storage layout of one contract.
type Layout struct{}
