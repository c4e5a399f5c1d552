package solc

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ethereum/go-ethereum/common"
)

// builds returns two builds; the second one is of an older compiler.
func builds() Builds {
	make := func(version string, names ...string) *Build {
		b := &Build{Version: version}
		for i := 0; i < len(names); i += 2 {
			b.Contracts = append(b.Contracts, &Contract{File: names[i], Name: names[i+1], Build: b})
		}
		return b
	}
	return Builds{
		make("0.8.30", "src/Token.sol", "Token", "src/Token.sol", "IToken", "src/a/Vault.sol", "Vault", "src/Both.sol", "Both", "/abs/X.sol", "X"),
		make("0.8.30", "src/Both.sol", "Both"), // compiled again with other settings
		make("0.7.6", "src/b/Vault.sol", "Vault", "src/Old.sol", "Old", "src/Token.sol", "Token"),
	}
}

func TestArtifact(t *testing.T) {
	all := builds()
	for _, row := range []struct {
		name    string
		running *Contract
		want    string // file:name:version, "none" or "several"
	}{
		{"Old", nil, "src/Old.sol:Old:0.7.6"},
		{"Old.sol", nil, "src/Old.sol:Old:0.7.6"},
		{"Token", nil, "several"},
		{"Token", all[0].Contracts[2], "src/Token.sol:Token:0.8.30"},
		{"Token", all[2].Contracts[0], "src/Token.sol:Token:0.7.6"},
		{"Token:0.7.6", nil, "src/Token.sol:Token:0.7.6"},
		{"Token.sol", all[0].Contracts[2], "several"},
		{"Token.sol:Token:0.8.30", nil, "src/Token.sol:Token:0.8.30"},
		{"Token.sol:0.7.6", nil, "src/Token.sol:Token:0.7.6"},
		{"Token.sol:IToken", nil, "src/Token.sol:IToken:0.8.30"},
		{"Vault", nil, "several"},
		{"a/Vault.sol", nil, "src/a/Vault.sol:Vault:0.8.30"},
		{"src/b/Vault.sol:Vault", nil, "src/b/Vault.sol:Vault:0.7.6"},
		{"./src/b/Vault.sol:Vault", nil, "src/b/Vault.sol:Vault:0.7.6"},
		{"ault.sol:Vault", nil, "none"},
		{"Both", nil, "src/Both.sol:Both:0.8.30"},
		{"/abs/X.sol:X", nil, "/abs/X.sol:X:0.8.30"},
		{"out/Old.sol/Old.json", nil, "src/Old.sol:Old:0.7.6"},
		{"/any/out/Token.sol/Token.0.7.6.json", nil, "src/Token.sol:Token:0.7.6"},
		{"out/Token.sol/IToken.json", nil, "src/Token.sol:IToken:0.8.30"},
		{"out/None.sol/Old.json", nil, "none"},
		{".json", nil, "none"},
		{"", nil, "none"}, {":", nil, "none"}, {"a:b:c:d", nil, "none"}, {"../../etc/passwd", nil, "none"}, {"New", nil, "none"},
	} {
		c, err := all.Artifact(row.name, row.running)
		got := ""
		switch {
		case errors.Is(err, ErrNoArtifact):
			got = "none"
		case errors.Is(err, ErrSeveralArtifacts):
			got = "several"
		case err == nil:
			got = fmt.Sprintf("%s:%s:%s", c.File, c.Name, c.Build.Version)
		}
		if got != row.want {
			t.Errorf("%q: %s (%v), want %s", row.name, got, err, row.want)
		}
	}
}

func TestLibraries(t *testing.T) {
	b := &Build{Version: "0.8.30"}
	add := func(file, name string, links ...Link) {
		b.Contracts = append(b.Contracts, &Contract{File: file, Name: name, Build: b, Runtime: Code{Links: links}})
	}
	add("test/A.t.sol", "ATest", Link{File: "src/Z.sol", Library: "Inner"}, Link{File: "src/Fixed.sol", Library: "Fixed"})
	add("src/Z.sol", "Inner", Link{File: "src/A.sol", Library: "Deep"})
	add("src/A.sol", "Deep", Link{File: "src/A.sol", Library: "Deep"})
	add("src/A.sol", "Unused")
	add("src/Fixed.sol", "Fixed")
	add("src/B.sol", "User", Link{File: "src/z/A.sol", Library: "Deep"}, Link{File: "src/gone.sol", Library: "Gone"})
	add("src/z/A.sol", "Deep")
	fixed := []LibraryAddress{{"src/Fixed.sol", "Fixed", common.HexToAddress("0x11")}}
	got := ""
	for _, c := range (Builds{b, b}).Libraries(fixed) {
		got += c.File + ":" + c.Name + " "
	}
	if want := "src/A.sol:Deep src/z/A.sol:Deep src/Z.sol:Inner "; got != want {
		t.Errorf("libraries %s, want %s", got, want)
	}
	if a := LinkAddress(fixed, Link{File: "src/Fixed.sol", Library: "Fixed"}); a == nil || *a != common.HexToAddress("0x11") {
		t.Errorf("address %v", a)
	}
}

func TestAsksForArtifact(t *testing.T) {
	for text, want := range map[string]bool{
		`vm.getCode("Vault")`: true, `vm.getDeployedCode("Vault")`: true, `deployCode("Vault", "")`: true, `deployCodeTo("Vault", at)`: true,
		`function getCode(string calldata) external;`: true, `vm.getSelectors("Vault")`: true,
		`vm.getDeployment("Vault")`: false, `forgetCode(1)`: false, `uint getCode;`: false, "": false,
	} {
		if got := AsksForArtifact([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
