package words

import (
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/input"
	"leveret/engine/mock"
)

func TestLater(t *testing.T) {
	for d, want := range map[input.Delay]string{
		{}:                          "",
		{Blocks: 1}:                 "1 block later",
		{Seconds: 60}:               "1 minute later",
		{Blocks: 1200, Seconds: 5}:  "1,200 blocks (5 seconds) later",
		{Seconds: 86400 + 7200 + 1}: "about 1 day 2 hours later",
	} {
		if got := later(d); got != want {
			t.Errorf("later(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "-7": "-7", "1000000": "1000000", "21786492178": "21786492178", "1000000000000": "1e12", "-25000000000000": "-25e12",
		"18446744073709551615": "2**64 - 1", "18446744073709551616": "2**64", "18446744073709551620": "2**64 + 4",
		"115792089237316195423570985008687907853269984665640564039457584007913129639935": "2**256 - 1",
		"-57896044618658097711785492504343953926634992332820282019728792003956564819968": "-(2**255)",
		"57896044618658097711785492504343953926634992332820282019728792003956564819949":  "2**255 - 19",
		"123456789012345678901234567891":                                                 "123456789012345678901234567891",
	} {
		if got := Number(in); got != want {
			t.Errorf("number(%s) = %s, want %s", in, got, want)
		}
	}
}

// Values in bytes are shown as values.
func TestContent(t *testing.T) {
	bytesType := &input.Type{Kind: input.KindBytes}
	for text, want := range map[string]string{
		"put(uint256,bytes)(1000000000000, 0x)":         "put(1e12, 0x)",
		"abi.encode((uint8,bytes))((1, run(int8)(-3)))": "abi.encode((1, run(-3)))",
		"abi.encodePacked(address,uint8)(user1, 7)":     "abi.encodePacked(user1, 7)",
	} {
		v, err := input.NewNames(nil).Parse(bytesType, text)
		if err != nil {
			t.Fatal(err)
		}
		if got := newWording(input.Sequence{}).value(v); got != want {
			t.Errorf("%s is shown as %s, want %s", text, got, want)
		}
	}
}

// What a mock is told in several calls is one step.
func TestToldResults(t *testing.T) {
	answer := mock.Answers().ABI.Method(mock.AnswerSignature)
	tell := func(to byte, function uint64) input.Tx {
		tx := input.Tx{From: input.Deployer, To: common.Address{to}, Function: answer, Args: answer.Zero()}
		tx.Args[0].Word.SetUint64(function).Lsh(&tx.Args[0].Word, 224)
		return tx
	}
	d := input.Deployment{Creations: []input.Creation{
		{Name: "A", Address: common.Address{1}},
		{Name: "B", Address: common.Address{2}, Setup: []input.Tx{tell(1, 1), tell(1, 2), tell(1, 2), tell(2, 1)}},
	}}
	want := []string{
		"deployer creates A()", "deployer creates B()", "deployer tells A the results of 2 functions",
		"deployer calls B.answer(selector: 0x00000001, data: 0x)",
	}
	if got := Creations(input.Sequence{Deployment: &d}); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
