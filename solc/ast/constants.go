package ast

import (
	"encoding/hex"
	"math/big"
	"strings"
)

// A Constant is a literal or constant value in the source.
type Constant struct {
	Node    *Node    // the literal or the whole constant expression
	Number  *big.Int // numbers and addresses, may be negative; nil for text
	Text    []byte   // strings and hex strings
	Address bool     // an address, or converted to one or to a contract
}

// Constants returns the constants below n in source order: numbers with their
// units, constant expressions such as 2**10 - 1 and their parts, strings, hex
// strings, addresses, and literals of inline assembly. It does not remove
// duplicates.
func (n *Node) Constants() []Constant {
	var list []Constant
	n.Walk(func(m *Node) bool {
		if c, ok := m.constant(); ok {
			list = append(list, c)
		}
		return m.Type != PragmaDirective && m.Type != ImportDirective
	})
	return list
}

// constant returns the value of n, or false if n is not constant.
func (n *Node) constant() (Constant, bool) {
	c := Constant{Node: n}
	switch n.Type {
	case Literal, YulLiteral:
		switch n.Kind() {
		case "number":
			c.Address = strings.HasPrefix(n.TypeString(), "address") || n.becomesAddress()
			c.Number = number(n.get(keyValue), n.get(keySubdenomination))
		case "string", "hexString", "unicodeString":
			text, err := hex.DecodeString(n.get(keyHexValue))
			if n.get(keyHexValue) == "" || err != nil {
				text = []byte(n.get(keyValue))
			}
			c.Text = text
		}
	case BinaryOperation, UnaryOperation:
		c.Number = n.ValueType().Number
	}
	return c, c.Number != nil || c.Text != nil
}

// becomesAddress reports whether conversions around n, as in address(uint160(7)), end
// in one to an address or a contract.
func (n *Node) becomesAddress() bool {
	for p := n.Parent; p != nil && (p.Type == FunctionCall && p.Kind() == "typeConversion" || p.Type == TupleExpression); p = p.Parent {
		if to := p.TypeString(); strings.HasPrefix(to, "address") || strings.HasPrefix(to, "contract ") {
			return true
		}
	}
	return false
}

// units are solc's denominations in wei and seconds.
var units = map[string]string{
	"": "1", "wei": "1", "gwei": "1e9", "szabo": "1e12", "finney": "1e15", "ether": "1e18",
	"seconds": "1", "minutes": "60", "hours": "3600", "days": "86400", "weeks": "604800", "years": "31536000",
}

// maxLiteral bounds the length of a number, and maxExponent that of an exponent
// with its sign and letter.
const (
	maxLiteral  = 256
	maxExponent = 5
)

// number parses a numeric literal: decimal, hexadecimal, or with a fraction and
// an exponent. It returns nil unless the value is an integer of at most 256
// bits.
func number(text, unit string) *big.Int {
	text = strings.ReplaceAll(text, "_", "")
	if len(text) > maxLiteral {
		return nil
	}
	value, factor := new(big.Rat), new(big.Rat)
	if digits, ok := strings.CutPrefix(text, "0x"); ok {
		n, ok := new(big.Int).SetString(digits, 16)
		if !ok {
			return nil
		}
		value.SetInt(n)
	} else if !decimal(value, text) {
		return nil
	}
	if _, known := factor.SetString(units[unit]); !known {
		return nil
	}
	if value.Mul(value, factor); !value.IsInt() || value.Num().BitLen() > 256 {
		return nil
	}
	return value.Num()
}

// decimal parses a decimal number with fraction and exponent into value.
func decimal(value *big.Rat, text string) bool {
	if text == "" || strings.Trim(text, "0123456789.eE-") != "" {
		return false
	}
	if at := strings.IndexAny(text, "eE"); at >= 0 && len(text)-at > maxExponent {
		return false
	}
	text = strings.TrimLeft(text, "0") // big reads a leading zero as octal
	if text == "" || strings.ContainsRune("eE.", rune(text[0])) {
		text = "0" + text
	}
	_, ok := value.SetString(text)
	return ok
}
