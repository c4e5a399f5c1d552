package foreign

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// echidnaTx is a transaction as Echidna writes it, with a call and a delay of 2 s and 1
// block.
func echidnaTx(call string) string {
	return fmt.Sprintf(`{"call":%s,"delay":["0x%064x","0x%064x"],"dst":"0x00a329c0648769A73afAc7F9381E08FB43dBEA72","gas":12500000,"gasprice":"0x0","src":"0x0000000000000000000000000000000000010000","value":"0x0000000000000000000000000000000000000000000000000000000000000007"}`, call, 2, 1)
}

func solCall(args string) string {
	return `{"contents":["f",[` + args + `]],"tag":"SolCall"}`
}

func TestEchidnaValues(t *testing.T) {
	for _, row := range []struct{ args, signature, values string }{
		{`{"contents":[256,"510"],"tag":"AbiUInt"}`, "f(uint256)", "510"},
		{`{"contents":[8,"255"],"tag":"AbiUInt"},{"contents":[16,"-2"],"tag":"AbiInt"}`, "f(uint8,int16)", "255,-2"},
		{`{"contents":true,"tag":"AbiBool"},{"contents":"0x00000000000000000000000000000000000000Aa","tag":"AbiAddress"}`, "f(bool,address)", "true,0x00000000000000000000000000000000000000AA"},
		{`{"contents":[4,"\"\\255\\NULa\\\"\""],"tag":"AbiBytes"}`, "f(bytes4)", "0xff006122"},
		{`{"contents":"\"\\SO\\&H\\SOHx\\127\\&2\\DEL\\n\"","tag":"AbiBytesDynamic"}`, "f(bytes)", "0x0e4801787f327f0a"},
		{`{"contents":"\"it's\"","tag":"AbiString"}`, "f(string)", `"it's"`},
		{`{"contents":[{"contents":256,"tag":"AbiUIntType"},[]],"tag":"AbiArrayDynamic"}`, "f(uint256[])", "[]"},
		{`{"contents":[2,{"tag":"AbiBoolType"},[{"contents":true,"tag":"AbiBool"},{"contents":false,"tag":"AbiBool"}]],"tag":"AbiArray"}`, "f(bool[2])", "[true, false]"},
		{`{"contents":[{"contents":[{"tag":"AbiAddressType"},{"contents":{"tag":"AbiBytesDynamicType"},"tag":"AbiArrayDynamicType"}],"tag":"AbiTupleType"},[]],"tag":"AbiArrayDynamic"}`, "f((address,bytes[])[])", "[]"},
		{`{"contents":[{"contents":[256,"1"],"tag":"AbiUInt"},{"contents":"\"\"","tag":"AbiString"}],"tag":"AbiTuple"}`, "f((uint256,string))", `(1, "")`},
		{``, "f()", ""},
	} {
		q, err := Read([]byte("[" + echidnaTx(solCall(row.args)) + "]"))
		if err != nil {
			t.Errorf("%s: %v", row.signature, err)
			continue
		}
		f, err := input.ParseSignature(row.signature)
		if err != nil {
			t.Fatal(err)
		}
		c := q.Calls[0]
		values, err := input.DecodeCalldata(f, c.Data)
		if err != nil {
			t.Errorf("%s: %v: %x", row.signature, err, c.Data)
			continue
		}
		var got []string
		for _, v := range values {
			got = append(got, (*input.Names)(nil).Format(v))
		}
		if text := strings.Join(got, ","); text != row.values {
			t.Errorf("%s: %s, want %s", row.signature, text, row.values)
		}
		if q.Tool != "Echidna" || c.From != common.HexToAddress("0x10000") || c.To != common.HexToAddress("0x00a329c0648769A73afAc7F9381E08FB43dBEA72") ||
			c.Value != *uint256.NewInt(7) || c.Delay != (input.Delay{Blocks: 1, Seconds: 2}) {
			t.Errorf("%s: %+v", row.signature, q)
		}
	}
}

// A transaction without a call lengthens the delay of the next one.
func TestEchidnaWaits(t *testing.T) {
	wait := echidnaTx(`{"tag":"NoCall"}`)
	q, err := Read([]byte("[" + strings.Join([]string{wait, wait, echidnaTx(solCall("")), echidnaTx(solCall("")), wait}, ",") + "]"))
	if err != nil || len(q.Calls) != 2 || q.Calls[0].Delay != (input.Delay{Blocks: 3, Seconds: 6}) || q.Calls[1].Delay != (input.Delay{Blocks: 1, Seconds: 2}) {
		t.Errorf("%v %+v", err, q)
	}
}

// The keys of corpora of Echidna 1 begin with an underscore.
func TestEchidna1(t *testing.T) {
	tx := echidnaTx(solCall(""))
	for _, key := range []string{"call", "delay", "dst", "src", "value"} {
		tx = strings.Replace(tx, `"`+key+`"`, `"_`+key+`"`, 1)
	}
	now, err := Read([]byte("[" + echidnaTx(solCall("")) + "]"))
	old, failed := Read([]byte("[" + tx + "]"))
	if err != nil || failed != nil || !reflect.DeepEqual(now, old) {
		t.Errorf("%v %+v, %v %+v", err, now, failed, old)
	}
}

const (
	medusa = `[{"call":{"from":"0x0000000000000000000000000000000000030000","to":"0xa647ff3c36cfab592509e13860ab8c4f28781a66","nonce":1,"value":"0x7","gasLimit":12500000,"gasPrice":"0x1","gasFeeCap":"0x0","gasTipCap":"0x0","data":"0x946c3724","dataAbiValues":{"methodSignature":"deployInner()","inputValues":[]},"AccessList":null,"SkipNonceChecks":false,"SkipFromEOACheck":false},"blockNumberDelay":3,"blockTimestampDelay":9}]`
	entry  = `[{"warp":"0x9","roll":"0x3","sender":"0x0000000000000000000000000000000000030000","target":"0xa647ff3c36cfab592509e13860ab8c4f28781a66","calldata":"0x946c3724","value":"0x7"}]`
	failed = `{"call_sequence":[{"warp":"0x9","roll":"0x3","sender":"0x0000000000000000000000000000000000030000","addr":"0xa647ff3c36cfab592509e13860ab8c4f28781a66","calldata":"0x946c3724","value":"0x7","contract_name":"A","func_name":null,"signature":null,"args":"","raw_args":""}],"settings":{}}`
)

// Medusa and forge write the same calls in other words.
func TestCallsWithCalldata(t *testing.T) {
	want := []Call{{
		From: common.HexToAddress("0x30000"), To: common.HexToAddress("0xa647ff3c36cfab592509e13860ab8c4f28781a66"),
		Data: common.FromHex("946c3724"), Value: *uint256.NewInt(7), Delay: input.Delay{Blocks: 3, Seconds: 9},
	}}
	var small bytes.Buffer
	z := gzip.NewWriter(&small)
	fmt.Fprint(z, entry)
	z.Close()
	for text, tool := range map[string]string{medusa: "Medusa", entry: "forge", failed: "forge", small.String(): "forge"} {
		if q, err := Read([]byte(text)); err != nil || q.Tool != tool || !reflect.DeepEqual(q.Calls, want) {
			t.Errorf("%.60q: %v %+v", text, err, q)
		}
	}
	fuzz := `{"warp":null,"roll":null,"sender":null,"addr":null,"calldata":"0x946c3724","contract_name":null}`
	if q, err := Read([]byte(fuzz)); err != nil || q.Tool != "forge" || len(q.Calls) != 1 || hex.EncodeToString(q.Calls[0].Data) != "946c3724" || q.Calls[0].To != (common.Address{}) {
		t.Errorf("%v %+v", err, q)
	}
}

func TestFilesThatCannotBeUsed(t *testing.T) {
	bomb := bytes.Repeat([]byte(" "), MaxFile+2)
	var small bytes.Buffer
	z := gzip.NewWriter(&small)
	z.Write(bomb)
	z.Close()
	for _, row := range []struct{ text, want string }{
		{"", "neither"}, {"{}", "neither"}, {"[]", "no calls"}, {"[1]", "neither"}, {"covered.txt", "neither"},
		{string(bomb), "larger than"}, {small.String(), "larger than"},
		{"[" + echidnaTx(`{"tag":"SolCreate","contents":"\"\""}`) + "]", "call 1: creates a contract"},
		{"[" + echidnaTx(`{"tag":"NoCall"}`) + "]", "no calls"},
		{"[" + echidnaTx(solCall(`{"contents":[256,"x"],"tag":"AbiUInt"}`)) + "]", "no number"},
		{"[" + echidnaTx(solCall(`{"contents":[7,"1"],"tag":"AbiUInt"}`)) + "]", "uint7"},
		{"[" + echidnaTx(solCall(`{"contents":[2,{"tag":"AbiBoolType"},[]],"tag":"AbiArray"}`)) + "]", "0 elements"},
		{"[" + echidnaTx(solCall(strings.Repeat(`{"contents":[`, 40)+strings.Repeat(`],"tag":"AbiTuple"}`, 40))) + "]", "too deeply"},
		{strings.Replace(medusa, `"to":"0xa647ff3c36cfab592509e13860ab8c4f28781a66"`, `"to":null`, 1), "creates a contract"},
		{`{"call_sequence":[]}`, "no calls"},
		{`{"call_sequence":7}`, "call_sequence: it cannot be a JSON number"},
		{strings.Replace(medusa, `"blockNumberDelay":`, `"blockNumberDelay":"x","unused":`, 1), "call 1: blockNumberDelay cannot be a JSON string"},
		{"[" + strings.Repeat(strings.Trim(entry, "[]")+",", maxCalls) + strings.Trim(entry, "[]") + "]", "at most"},
	} {
		if _, err := Read([]byte(row.text)); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%.80q: %v, want %q", row.text, err, row.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{medusa, entry, failed, "[" + echidnaTx(solCall(`{"contents":[4,"\"\\255\\NULa\\\"\""],"tag":"AbiBytes"}`)) + "]"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		q, err := Read(data)
		if err == nil && (len(q.Calls) == 0 || q.Tool == "") {
			t.Errorf("%+v without an error", q)
		}
	})
}

// haskellBytes reads what Haskell's show writes of every byte: numbers for those beyond
// ASCII, names for control characters.
func TestHaskellBytes(t *testing.T) {
	for b := range 256 {
		for name, literal := range map[string]string{"decimal": fmt.Sprintf(`"\%d\&1"`, b), "plain": fmt.Sprintf(`"%c1"`, b)} {
			if name == "plain" && (b < ' ' || b > '~' || b == '"' || b == '\\') {
				continue
			}
			raw, err := json.Marshal(literal)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := haskellBytes(raw); err != nil || !bytes.Equal(got, []byte{byte(b), '1'}) {
				t.Errorf("%s: %x %v", literal, got, err)
			}
		}
	}
}
