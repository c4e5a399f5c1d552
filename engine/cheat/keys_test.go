package cheat

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"leveret/engine/evm"
	"leveret/engine/input"
)

const (
	testMnemonic = "test test test test test test test test test test test junk"
	anvil0       = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
	anvil0Key    = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
	groupOrder   = "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
	someDigest   = "0x54705ba3baafdbdfba8c5f9a70f7a89bee98d906b53e31074da7baecdc0da9ad"
)

func decimal(hex string) string { return new(big.Int).SetBytes(common.FromHex(hex)).String() }

func TestKeys(t *testing.T) {
	const (
		gx = "55066263022277343669578718895168534326250603453777594175500187360389116729240"
		gy = "32670510020758816978083085130507043184471273380659243275938904335757337482424"
	)
	newVM(t).check([]cheatTest{
		{"addr(uint256)", "(1)", "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf"},
		{"addr(uint256)", "(0)", "revert: vm.addr: private key cannot be 0"},
		{"addr(uint256)", "(" + groupOrder + ")", "revert: private key must be less than the Secp256k1 curve order (115792089237316195423570985008687907852837564279074904382605163141518161494337)"},
		{"createWallet(uint256)", "(1)", "(0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf, " + gx + ", " + gy + ", 1)"},
		{"getLabel(address)", "(0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf)", "unlabeled:0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf"},
		{"createWallet(uint256,string)", "(1, one)", "(0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf, " + gx + ", " + gy + ", 1)"},
		{"getLabel(address)", "(0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf)", "one"},
		{"setNonce(address,uint64)", "(0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf, 7)", ""},
		{"getNonce(" + wallet + ")", "((0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf, 0, 0, 1))", "7"},
		{"deriveKey(string,uint32)", "(" + testMnemonic + ", 0)", decimal(anvil0Key)},
		{"deriveKey(string,string,uint32)", "(" + testMnemonic + ", m/44'/60'/0'/1/, 0)", decimal("0x6abb89895f93b02c1b9470db0fa675297f6cca832a5fc66d5dfd7661a42b37be")},
		{"deriveKey(string,uint32,string)", "(" + testMnemonic + ", 0, english)", decimal(anvil0Key)},
		{"deriveKey(string,string,uint32,string)", "(" + testMnemonic + ", m/44'/60'/0'/0, 0, english)", decimal(anvil0Key)},
		{"deriveKey(string,uint32,string)", "(" + testMnemonic + ", 0, spanish)", "revert: unknown word"},
		{"deriveKey(string,uint32,string)", "(" + testMnemonic + ", 0, klingon)", "revert: unsupported mnemonic language: \"klingon\""},
		{"deriveKey(string,uint32)", "(" + strings.Replace(testMnemonic, "junk", "test", 1) + ", 0)", "revert: invalid checksum"},
		{"deriveKey(string,uint32)", "(test test, 0)", "revert: 2 words"},
		{"deriveKey(string,string,uint32)", "(" + testMnemonic + ", m/2147483648', 0)", "revert: harden bit"},
		{"deriveKey(string,uint32)", "(" + testMnemonic + ", 2147483648)", "revert: harden bit"},
	})
}

// TestDerive uses the first test vector of BIP-32.
func TestDerive(t *testing.T) {
	seed := common.FromHex("000102030405060708090a0b0c0d0e0f")
	for path, want := range map[string]string{
		"m/0'":                   "edb2e14f9ee77d26dd93b4ecede8d16ed408ce149b6cd80b0715a2d911a0afea",
		"m/0'/1":                 "3c6cb8d0f6a264c91ea8b5030fadaa8e538b020f0a387421a12de9319dc93368",
		"m/0'/1/2'/2/1000000000": "471b76e389e528d6de6d816857e012c5455051cad6660850e58372a6c3e6e7c8",
	} {
		steps, err := parsePath(path, 0)
		if err != nil {
			t.Fatal(err)
		}
		key, err := deriveChild(seed, steps[:len(steps)-1])
		if got := common.Bytes2Hex(key); err != nil || got != want {
			t.Errorf("%s gives %s, %v", path, got, err)
		}
	}
}

// TestLanguages derives a seed from a phrase of each language, whose checksum the
// list of words decides.
func TestLanguages(t *testing.T) {
	for name, words := range languages {
		found := false
		for _, last := range words[:256] {
			phrase := strings.Repeat(words[0]+" ", 11) + last
			if _, err := new(seeds).derive(phrase, defaultPath, 0, name); err == nil {
				found = true
				break
			}
		}
		if !found || len(words) != 2048 {
			t.Errorf("%s: no phrase is valid (%d words)", name, len(words))
		}
	}
}

func TestSignatures(t *testing.T) {
	v := newVM(t)
	signer := crypto.PubkeyToAddress(mustKey(t, anvil0Key).PublicKey)
	recovers := func(result string) {
		t.Helper()
		var sigV byte
		var r, s string
		fmt.Sscanf(strings.ReplaceAll(result, ",", ""), "%d %s %s", &sigV, &r, &s)
		sig := append(append(common.FromHex(r), common.FromHex(s)...), sigV-27)
		key, err := crypto.SigToPub(common.FromHex(someDigest), sig)
		if err != nil || crypto.PubkeyToAddress(*key) != signer {
			t.Errorf("signature %s is not by %s: %v", result, signer, err)
		}
	}
	full := v.call("sign(uint256,bytes32)", "("+anvil0Key+", "+someDigest+")")
	recovers(full)
	recovers(v.call("signWithNonceUnsafe(uint256,bytes32,uint256)", "("+anvil0Key+", "+someDigest+", 123)"))
	recovers(v.call("signWithNonceUnsafe(uint256,bytes32,uint256)", "("+anvil0Key+", "+someDigest+", 456)"))
	compact := v.call("signCompact(uint256,bytes32)", "("+anvil0Key+", "+someDigest+")")
	r, vs, _ := strings.Cut(compact, ", ")
	parity := common.FromHex(vs)[0] >> 7
	s := common.FromHex(vs)
	s[0] &= 0x7f
	if want := fmt.Sprintf("%d, %s, %s", parity+27, r, hexutil.Encode(s)); want != full {
		t.Errorf("compact signature is %s, the other one %s", want, full)
	}

	inWallet := "((" + anvil0 + ", 0, 0, " + anvil0Key + "), " + someDigest + ")"
	v.check([]cheatTest{
		{"sign(" + wallet + ",bytes32)", inWallet, full},
		{"signCompact(" + wallet + ",bytes32)", inWallet, compact},
		{"sign(bytes32)", "(" + someDigest + ")", "revert: no wallets available"},
		{"rememberKey(uint256)", "(" + anvil0Key + ")", anvil0},
		{"sign(bytes32)", "(" + someDigest + ")", full},
		{"signCompact(bytes32)", "(" + someDigest + ")", compact},
		{"rememberKeys(string,string,uint32)", "(" + testMnemonic + ", m/44'/60'/0'/0, 2)", "[" + anvil0 + ", 0x70997970C51812dc3A010C7d01b50e0d17dc79C8]"},
		{"rememberKeys(string,string,string,uint32)", "(" + testMnemonic + ", m/44'/60'/0'/0, english, 1)", "[" + anvil0 + "]"},
		{"rememberKeys(string,string,uint32)", "(" + testMnemonic + ", m/44'/60'/0'/0, 100000)", "revert: more than 1024 keys"},
		{"sign(bytes32)", "(" + someDigest + ")", "revert: could not determine signer"},
		{"sign(address,bytes32)", "(" + anvil0 + ", " + someDigest + ")", full},
		{"signCompact(address,bytes32)", "(" + anvil0 + ", " + someDigest + ")", compact},
		{"sign(address,bytes32)", "(0x0000000000000000000000000000000000000001, " + someDigest + ")", "revert: signer with address 0x0000000000000000000000000000000000000001 is not available"},
		{"sign(uint256,bytes32)", "(0, " + someDigest + ")", "revert: vm.sign: private key cannot be 0"},
		{"signWithNonceUnsafe(uint256,bytes32,uint256)", "(1, " + someDigest + ", 0)", "revert: nonce cannot be 0"},
		{"signWithNonceUnsafe(uint256,bytes32,uint256)", "(1, " + someDigest + ", " + groupOrder + ")", "revert: invalid nonce scalar"},
		{"signP256(uint256,bytes32)", "(0xA8568B74282DCC66FF70F10B4CE5CC7B391282F5381BBB4F4D8DD96974B16E6B, " + someDigest + ")",
			"0x7c11c3641b19e7822db644cbf76ed0420a013928c2fd3e36d8ef983b103bdfe1, 0x317d89879868d484810d4e508a96109f8c87617b7be9337411348d7b786f945f"},
		{"signP256(uint256,bytes32)", "(0, " + someDigest + ")", "revert: private key cannot be 0"},
		{"signP256(uint256,bytes32)", "(0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551, " + someDigest + ")",
			"revert: private key must be less than the NistP256 curve order (115792089210356248762697446949407573529996955224135760342422259061068512044369)"},
		{"publicKeyP256(uint256)", "(1)", decimal("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296") + ", " + decimal("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")},
	})
}

// TestEd25519 uses the second test vector of RFC 8032.
func TestEd25519(t *testing.T) {
	const (
		secret = "0x4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"
		public = "0x3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
		sig    = "0x92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
	)
	newVM(t).check([]cheatTest{
		{"createEd25519Key(bytes32)", "(" + secret + ")", public + ", " + secret},
		{"publicKeyEd25519(bytes32)", "(" + secret + ")", public},
		{"signEd25519(bytes,bytes,bytes32)", "(0x72, 0x, " + secret + ")", sig},
		{"signEd25519(bytes,bytes,bytes32)", "(0x, 0x72, " + secret + ")", sig},
		{"verifyEd25519(bytes,bytes,bytes,bytes32)", "(" + sig + ", 0x72, 0x, " + public + ")", "true"},
		{"verifyEd25519(bytes,bytes,bytes,bytes32)", "(" + sig + ", 0x73, 0x, " + public + ")", "false"},
		{"verifyEd25519(bytes,bytes,bytes,bytes32)", "(0x00, 0x72, 0x, " + public + ")", "false"},
	})
}

func TestCurve(t *testing.T) {
	g := crypto.S256().Params()
	x, y := g.Gx.String(), g.Gy.String()
	minus := new(big.Int).Sub(g.P, g.Gy).String()
	double := crypto.FromECDSAPub(&mustKey(t, "0x0000000000000000000000000000000000000000000000000000000000000002").PublicKey)
	x2, y2 := new(big.Int).SetBytes(double[1:33]).String(), new(big.Int).SetBytes(double[33:]).String()
	newVM(t).check([]cheatTest{
		{"ecAddAffine(uint256,uint256,uint256,uint256)", "(0, 0, " + x + ", " + y + ")", x + ", " + y},
		{"ecAddAffine(uint256,uint256,uint256,uint256)", "(" + x + ", " + y + ", " + x + ", " + y + ")", x2 + ", " + y2},
		{"ecAddAffine(uint256,uint256,uint256,uint256)", "(" + x + ", " + y + ", " + x + ", " + minus + ")", "0, 0"},
		{"ecAddAffine(uint256,uint256,uint256,uint256)", "(" + x2 + ", " + y2 + ", " + x + ", " + minus + ")", x + ", " + y},
		{"ecAddAffine(uint256,uint256,uint256,uint256)", "(1, 1, 0, 0)", "revert: invalid secp256k1 first point"},
		{"ecMulAffine(uint256,uint256,uint256)", "(" + x + ", " + y + ", 2)", x2 + ", " + y2},
		{"ecMulAffine(uint256,uint256,uint256)", "(" + x + ", " + y + ", " + groupOrder + ")", "0, 0"},
		{"ecMulAffine(uint256,uint256,uint256)", "(0, 0, 5)", "0, 0"},
		{"ecAddProjective(uint256,uint256,uint256,uint256,uint256,uint256)", "(0, 1, 0, " + x + ", " + y + ", 1)", x + ", " + y + ", 1"},
		{"ecAddProjective(uint256,uint256,uint256,uint256,uint256,uint256)", "(" + x + ", " + y + ", 1, " + x + ", " + minus + ", 1)", "0, 1, 0"},
		{"ecAddProjective(uint256,uint256,uint256,uint256,uint256,uint256)", "(1, 1, 0, " + x + ", " + y + ", 1)", "revert: invalid secp256k1 first point"},
		{"ecMulProjective(uint256,uint256,uint256,uint256)", "(" + x + ", " + y + ", 1, 2)", x2 + ", " + y2 + ", 1"},
		{"ecMulProjective(uint256,uint256,uint256,uint256)", "(" + x + ", " + y + ", 1, 0)", "0, 1, 0"},
	})
}

func TestUtilities(t *testing.T) {
	newVM(t).check([]cheatTest{
		{"computeCreateAddress(address,uint256)", "(0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0, 1)", "0x343c43A37D37dfF08AE8C4A11544c718AbB4fCF8"},
		{"computeCreateAddress(address,uint256)", "(0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0, 0x10000000000000000)", "revert: nonce must be less than 2^64"},
		{"computeCreate2Address(bytes32,bytes32,address)", "(0x0000000000000000000000000000000000000000000000000000000000000000, 0xbc36789e7a1e281436464229828f817d6612f7b477d66591ff96a9e064bcc98a, 0x0000000000000000000000000000000000000000)", "0x4D1A2e2bB4F88F0250f26Ffff098B0b30B26BF38"},
		{"computeCreate2Address(bytes32,bytes32)", "(0x0000000000000000000000000000000000000000000000000000000000000000, 0xbc36789e7a1e281436464229828f817d6612f7b477d66591ff96a9e064bcc98a)",
			crypto.CreateAddress2(create2Deployer, [32]byte{}, crypto.Keccak256([]byte{0})).Hex()},
		{"ensNamehash(string)", "(\"\")", "0x0000000000000000000000000000000000000000000000000000000000000000"},
		{"ensNamehash(string)", "(eth)", "0x93cdeb708b7545dc668eb9280176169d1c33cfd8ed6f04690a0bcc88a93fc4ae"},
		{"ensNamehash(string)", "(foo.eth)", "0xde9b09fd7c5f901e23a3f19fecc54828e9c848539801e86591bd9801b019f84f"},
		{"toBase64(bytes)", "(0x00112233445566778899aabbccddeeff)", "ABEiM0RVZneImaq7zN3u/w=="},
		{"toBase64(string)", "(\"test\")", "dGVzdA=="},
		{"toBase64URL(bytes)", "(0x00112233445566778899aabbccddeeff)", "ABEiM0RVZneImaq7zN3u_w=="},
		{"toBase64URL(string)", "(\"???\")", "Pz8_"},
		{"toRlp(bytes[])", "([0x01, 0x02])", "0xc20102"},
		{"fromRlp(bytes)", "(0xc20102)", "[0x01, 0x02]"},
		{"fromRlp(bytes)", "(0xc3010203ff)", "revert: Failed to decode RLP"},
		{"sort(uint256[])", "([3, 1, 2, 1])", "[1, 1, 2, 3]"},
		{"pauseTracing()", "()", ""},
		{"resumeTracing()", "()", ""},
	})
}

func TestRandom(t *testing.T) {
	draws := [][2]string{
		{"randomUint()", "()"}, {"randomUint(uint256)", "(8)"}, {"randomUint(uint256,uint256)", "(10, 20)"}, {"randomInt()", "()"},
		{"randomInt(uint256)", "(8)"}, {"randomAddress()", "()"}, {"randomBool()", "()"}, {"randomBytes(uint256)", "(5)"},
		{"randomBytes4()", "()"}, {"randomBytes8()", "()"}, {"shuffle(uint256[])", "([1,2,3,4,5,6,7,8])"},
		{"bound(uint256,uint256,uint256)", "(5, 5, 6)"}, {"bound(int256,int256,int256)", "(-5, -5, -4)"},
	}
	run := func(v *vmTest) (all string) {
		for range 20 {
			for _, d := range draws {
				all += v.call(d[0], d[1]) + "\n"
			}
		}
		return all
	}
	first, again, other := newVM(t), newVM(t), newVM(t)
	other.Config.Seed = 1
	one := run(first)
	if one != run(again) {
		t.Error("equal seeds give different values")
	}
	if one == run(other) || one == run(first) {
		t.Error("values repeat")
	}
	first.call("setSeed(uint256)", "(9)")
	other.call("setSeed(uint256)", "(9)")
	if run(first) != run(other) {
		t.Error("vm.setSeed does not restart the values")
	}
	for range 50 {
		var n int
		if fmt.Sscan(first.call("randomUint(uint256,uint256)", "(10, 12)"), &n); n < 10 || n > 12 {
			t.Errorf("%d is not within [10, 12]", n)
		}
		if fmt.Sscan(first.call("randomInt(uint256)", "(4)"), &n); n < -8 || n > 7 {
			t.Errorf("%d does not fit into 4 bits", n)
		}
	}
	first.check([]cheatTest{
		{"bound(uint256,uint256,uint256)", "(5, 5, 6)", "6"},
		{"bound(int256,int256,int256)", "(-5, -5, -4)", "-4"},
		{"bound(uint256,uint256,uint256)", "(1, 2, 3)", "revert: cannot bound 1 in [2, 3] range"},
		{"randomUint(uint256,uint256)", "(3, 2)", "revert: min must be less than or equal to max"},
		{"randomUint(uint256)", "(257)", "revert: number of bits cannot exceed 256"},
		{"randomInt(uint256)", "(257)", "revert: number of bits cannot exceed 256"},
		{"randomUint(uint256)", "(0)", "0"},
		{"randomInt(uint256)", "(0)", "0"},
		{"randomBytes(uint256)", "(0)", "0x"},
		{"randomBytes(uint256)", "(1000000000000)", "revert: more than 1 MB"},
	})
}

// TestEIP712 uses the example of the EIP and types of forge's own tests.
func TestEIP712(t *testing.T) {
	const (
		mail  = "Mail(Person from,Person to,string contents)Person(string name,address wallet)"
		messy = " Person( string name, address wallet ) Mail(Person from, Person to, string contents)"
		typed = `{"types":{"EIP712Domain":[{"name":"name","type":"string"},{"name":"version","type":"string"},{"name":"chainId","type":"uint256"},{"name":"verifyingContract","type":"address"}],
"Person":[{"name":"name","type":"string"},{"name":"wallet","type":"address"}],
"Mail":[{"name":"from","type":"Person"},{"name":"to","type":"Person"},{"name":"contents","type":"string"}]},
"primaryType":"Mail","domain":{"name":"Ether Mail","version":"1","chainId":1,"verifyingContract":"0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC"},
"message":{"from":{"name":"Cow","wallet":"0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"},"to":{"name":"Bob","wallet":"0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"},"contents":"Hello, Bob!"}}`
	)
	hashed := func(text string) string { return crypto.Keccak256Hash([]byte(text)).Hex() }
	v := newVM(t)
	v.check([]cheatTest{
		{"eip712HashType(string)", "(\"" + mail + "\")", "0xa0cedeb2dc280ba39b857546d74f5549c3a1d7bdc2dd96bf881f76108e23dac2"},
		{"eip712HashType(string)", "(\"" + messy + "\")", hashed(mail)},
		{"eip712HashType(string)", "(\"A(uint256 x)B(uint256 x)\")", "revert: no primary type"},
		{"eip712HashType(string)", "(\"A(B x)\")", "revert: missing type \"B\""},
		{"eip712HashType(string)", "(\"A(uint256)\")", "revert: invalid property definition"},
		{"eip712HashType(string)", "(\"Mail\")", "revert: " + errNoHost.Error()},
		{"eip712HashStruct(string,bytes)", "(\"A(uint8[] list,bytes3 b)\", 0x" +
			"0000000000000000000000000000000000000000000000000000000000000020" +
			"0000000000000000000000000000000000000000000000000000000000000040" +
			"6162630000000000000000000000000000000000000000000000000000000000" +
			"0000000000000000000000000000000000000000000000000000000000000001" +
			"0000000000000000000000000000000000000000000000000000000000000007)",
			crypto.Keccak256Hash(crypto.Keccak256([]byte("A(uint8[] list,bytes3 b)")), crypto.Keccak256(common.LeftPadBytes([]byte{7}, 32)), common.RightPadBytes([]byte("abc"), 32)).Hex()},
		{"eip712HashStruct(string,bytes)", "(\"A(A a)\", 0x)", "revert: no primary type"},
		{"eip712HashStruct(string,bytes)", "(\"B(A a)A(A a)\", 0x)", "revert: circular"},
		{"eip712HashStruct(string,bytes)", "(\"A(uint8 a)\", 0x)", "revert: Failed to ABI decode"},
		{"eip712HashTypedData(string)", "('" + typed + "')", "0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2"},
		{"eip712HashTypedData(string)", "('{}')", "revert: missing type"},
		{"eip712HashTypedData(string)", "('{\"domain\":{\"chainId\":1,\"version\":\"2\"},\"primaryType\":\"EIP712Domain\"}')",
			crypto.Keccak256Hash([]byte{0x19, 1}, crypto.Keccak256(crypto.Keccak256([]byte("EIP712Domain(string version,uint256 chainId)")), crypto.Keccak256([]byte("2")), common.LeftPadBytes([]byte{1}, 32))).Hex()},
	})
}

// TestBindings reads types of EIP-712 from the file of forge bind-json.
func TestBindings(t *testing.T) {
	v, _ := newFolder(t)
	const types = "Mail(Person from)Person(string name)"
	text := "library JsonBindings {\n    string constant schema_Mail = \"" + types + "\";\n    string constant schema_Bad = \"A(B b)\";\n}\n"
	f, _ := input.ParseSignature("writeFile(string,string)")
	v.call("createDir(string,bool)", "(utils, true)")
	for _, path := range []string{"utils/JsonBindings.sol", "other.sol"} {
		if got, ok := v.callWith(f, []input.Value{textValue(path), textValue(text)}); !ok {
			t.Fatal(got)
		}
	}
	hash := crypto.Keccak256Hash([]byte(types)).Hex()
	data := abiHex(t, "((string))", "((x))")
	person := crypto.Keccak256(crypto.Keccak256([]byte("Person(string name)")), crypto.Keccak256([]byte("x")))
	mail := crypto.Keccak256Hash(crypto.Keccak256([]byte(types)), person).Hex()
	v.check([]cheatTest{
		{"eip712HashType(string)", "(Mail)", hash},
		{"eip712HashType(string,string)", "(other.sol, Mail)", hash},
		{"eip712HashStruct(string,bytes)", "(Mail, " + data + ")", mail},
		{"eip712HashStruct(string,string,bytes)", "(other.sol, Mail, " + data + ")", mail},
		{"eip712HashType(string)", "(Absent)", "revert: 'Absent' not found in 'utils/JsonBindings.sol'.\nAvailable bindings:\n - Mail\n - Bad"},
		{"eip712HashType(string)", "(Bad)", "revert: does not define it"},
		{"eip712HashType(string,string)", "(absent.sol, Mail)", "revert: vm.eip712HashType: "},
	})
}

// TestInterceptInitcode makes the relay's target create a contract.
func TestInterceptInitcode(t *testing.T) {
	v := newVM(t)
	v.call("interceptInitcode()", "()")
	if got, ok := v.try("interceptInitcode()", "()"); ok || !strings.Contains(got, "already") {
		t.Error(got)
	}
	v.world.SetCode(caller, common.FromHex("60ff5f53"+"60015f5ff050"+"3d5f5f3e3d5ff3"))
	out := v.send(nil)
	if out.Status != evm.Success || common.Bytes2Hex(out.Return) != "ff" {
		t.Errorf("creation code is %x (%v)", out.Return, out.Status)
	}
	if out := v.send(nil); len(out.Return) != 0 {
		t.Errorf("the second creation gives %x", out.Return)
	}
}
