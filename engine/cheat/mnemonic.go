package cheat

import (
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/tyler-smith/go-bip39/wordlists"
)

// defaultPath is where wallets derive the keys of Ethereum [BIP-44].
const defaultPath = "m/44'/60'/0'/0/"

const english = "english"

// languages are the lists of words of mnemonics [BIP-39].
var languages = map[string][]string{
	"chinese_simplified":  wordlists.ChineseSimplified,
	"chinese_traditional": wordlists.ChineseTraditional,
	"czech":               wordlists.Czech,
	english:               wordlists.English,
	"french":              wordlists.French,
	"italian":             wordlists.Italian,
	"japanese":            wordlists.Japanese,
	"korean":              wordlists.Korean,
	"spanish":             wordlists.Spanish,
}

// hardened is the bit of the indices whose keys do not follow from public keys.
const hardened = 1 << 31

// derive returns the private key of a mnemonic at path/index [BIP-32].
func (s *seeds) derive(mnemonic, path string, index uint64, language string) ([]byte, error) {
	steps, err := parsePath(path, index)
	if err != nil {
		return nil, err
	}
	words, ok := languages[language]
	if !ok {
		return nil, fmt.Errorf("unsupported mnemonic language: %q", language)
	}
	parts := strings.Fields(mnemonic)
	if err := checkMnemonic(parts, words); err != nil {
		return nil, err
	}
	seed, err := s.of(strings.Join(parts, " "))
	if err != nil {
		return nil, err
	}
	return deriveChild(seed, steps)
}

// maxSteps is how deep keys are derived at most: BIP-32 numbers depths in one byte.
const maxSteps = 255

// parsePath reads "m/44'/60'/0'/0" and adds an index.
func parsePath(path string, index uint64) ([]uint32, error) {
	if index >= hardened {
		return nil, fmt.Errorf("BIP32 index %d already sets harden bit (must be < %d)", index, hardened)
	}
	if strings.Count(path, "/") > maxSteps {
		return nil, fmt.Errorf("the derivation path has more than %d components", maxSteps)
	}
	var steps []uint32
	for i, part := range strings.Split(strings.TrimSuffix(path, "/"), "/") {
		if i == 0 && (part == "m" || part == "") {
			continue
		}
		number, hard := strings.CutSuffix(part, "'")
		if !hard {
			number, hard = strings.CutSuffix(part, "h")
		}
		n, err := strconv.ParseUint(number, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("invalid derivation path %q", path)
		}
		if n >= hardened {
			return nil, fmt.Errorf("BIP32 component %s overflows harden bit (index must be < %d)", part, hardened)
		}
		if hard {
			n |= hardened
		}
		steps = append(steps, uint32(n))
	}
	return append(steps, uint32(index)), nil
}

// checkMnemonic checks the number of words, each word and the checksum.
func checkMnemonic(parts, words []string) error {
	if n := len(parts); n < 12 || n > 24 || n%3 != 0 {
		return fmt.Errorf("the mnemonic has %d words", n)
	}
	bits := new(big.Int)
	for _, part := range parts {
		i := slices.Index(words, part)
		if i < 0 {
			return fmt.Errorf("the mnemonic has an unknown word, %q", clip(part))
		}
		bits.Or(bits.Lsh(bits, 11), big.NewInt(int64(i)))
	}
	checksum := uint(len(parts) / 3)
	entropy := new(big.Int).Rsh(bits, checksum).FillBytes(make([]byte, len(parts)*4/3))
	want := sha256.Sum256(entropy)
	mask := big.NewInt(1<<checksum - 1)
	if bits.And(bits, mask).Uint64() != uint64(want[0]>>(8-checksum)) {
		return errors.New("the mnemonic has an invalid checksum")
	}
	return nil
}

// seeds are those of mnemonics: tests derive many keys from one, and a seed takes a
// millisecond.
type seeds map[string][]byte

// maxSeeds bounds seeds.
const maxSeeds = 64

// of returns the seed of a mnemonic.
func (s *seeds) of(mnemonic string) ([]byte, error) {
	if seed := (*s)[mnemonic]; seed != nil {
		return seed, nil
	}
	seed, err := pbkdf2.Key(sha512.New, mnemonic, []byte("mnemonic"), 2048, 64)
	if err != nil {
		return nil, err
	}
	if *s == nil || len(*s) >= maxSeeds {
		*s = seeds{}
	}
	(*s)[mnemonic] = seed
	return seed, nil
}

// deriveChild walks from the master key of a seed to a private key.
func deriveChild(seed []byte, steps []uint32) ([]byte, error) {
	order := crypto.S256().Params().N
	key, chain := split([]byte("Bitcoin seed"), seed)
	for _, step := range steps {
		var data []byte
		if step >= hardened {
			data = append([]byte{0}, key...)
		} else {
			private, err := crypto.ToECDSA(key)
			if err != nil {
				return nil, err
			}
			data = crypto.CompressPubkey(&private.PublicKey)
		}
		left, next := split(chain, binary.BigEndian.AppendUint32(data, step))
		n := new(big.Int).SetBytes(left)
		if n.Cmp(order) >= 0 {
			return nil, errors.New("there is no key at this path")
		}
		n.Mod(n.Add(n, new(big.Int).SetBytes(key)), order)
		key, chain = n.FillBytes(make([]byte, 32)), next
	}
	if _, err := crypto.ToECDSA(key); err != nil {
		return nil, errors.New("there is no key at this path")
	}
	return key, nil
}

// split returns the halves of an HMAC-SHA512: a key and a chain code.
func split(secret, data []byte) (key, chain []byte) {
	h := hmac.New(sha512.New, secret)
	h.Write(data)
	sum := h.Sum(nil)
	return sum[:32], sum[32:]
}
