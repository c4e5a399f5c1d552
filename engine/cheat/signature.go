package cheat

import (
	gocrypto "crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"encoding/asn1"
	"errors"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

var signatureRows = []row{
	{"sign(uint256,bytes32)", "(uint8,bytes32,bytes32)", func(c *call) error { return c.sign(privateKey(c.bytes32(0))) }, "signs a digest with a private key"},
	{"sign(" + wallet + ",bytes32)", "(uint8,bytes32,bytes32)", func(c *call) error { return c.sign(c.walletKey()) }, "signs a digest with a wallet"},
	{"sign(bytes32)", "(uint8,bytes32,bytes32)", func(c *call) error { return c.sign(c.memory.wallets.signer(nil)) }, "signs a digest with the only remembered key"},
	{"sign(address,bytes32)", "(uint8,bytes32,bytes32)", func(c *call) error { return c.sign(c.rememberedKey()) }, "signs a digest with the remembered key of an address"},
	{"signCompact(uint256,bytes32)", "(bytes32,bytes32)", func(c *call) error { return c.signCompact(privateKey(c.bytes32(0))) }, "signs a digest with a private key, in two words"},
	{"signCompact(" + wallet + ",bytes32)", "(bytes32,bytes32)", func(c *call) error { return c.signCompact(c.walletKey()) }, "signs a digest with a wallet, in two words"},
	{"signCompact(bytes32)", "(bytes32,bytes32)", func(c *call) error { return c.signCompact(c.memory.wallets.signer(nil)) }, "signs a digest with the only remembered key, in two words"},
	{"signCompact(address,bytes32)", "(bytes32,bytes32)", func(c *call) error { return c.signCompact(c.rememberedKey()) }, "signs a digest with the remembered key of an address, in two words"},
	{"signWithNonceUnsafe(uint256,bytes32,uint256)", "(uint8,bytes32,bytes32)", (*call).signWithNonce, "signs a digest with a private key and a given nonce"},
	{"signP256(uint256,bytes32)", "(bytes32,bytes32)", (*call).signP256, "signs a digest on the curve P-256"},
	{"publicKeyP256(uint256)", "(uint256,uint256)", (*call).publicKeyP256, "returns the public key of a private key on the curve P-256"},
	{"createEd25519Key(bytes32)", "(bytes32,bytes32)", func(c *call) error { return c.give(c.ed25519Public(0), hashValue(c.word(0))) }, "returns the Ed25519 keys of a seed"},
	{"publicKeyEd25519(bytes32)", "(bytes32)", func(c *call) error { return c.give(c.ed25519Public(0)) }, "returns the public key of an Ed25519 private key"},
	{"signEd25519(bytes,bytes,bytes32)", "(bytes)", (*call).signEd25519, "signs a namespace and a message with Ed25519"},
	{"verifyEd25519(bytes,bytes,bytes,bytes32)", "(bool)", (*call).verifyEd25519, "checks an Ed25519 signature of a namespace and a message"},
}

// walletKey returns the private key of a wallet, the first argument.
func (c *call) walletKey() (*ecdsa.PrivateKey, error) {
	key := c.args[0].Elems[3].Word.Bytes32()
	return privateKey(key[:])
}

// rememberedKey returns the key of an address, the first argument.
func (c *call) rememberedKey() (*ecdsa.PrivateKey, error) {
	a := c.address(0)
	return c.memory.wallets.signer(&a)
}

// signDigest signs the last argument, as R, S and the parity of R's y.
func (c *call) signDigest(key *ecdsa.PrivateKey, err error) (r, s uint256.Int, odd bool, _ error) {
	if err != nil {
		return r, s, odd, err
	}
	c.state.Work(curveWork)
	sig, err := crypto.Sign(c.bytes32(len(c.args)-1), key)
	if err != nil {
		return r, s, odd, err
	}
	r.SetBytes32(sig[:32])
	s.SetBytes32(sig[32:64])
	return r, s, sig[64] == 1, nil
}

func (c *call) sign(key *ecdsa.PrivateKey, err error) error {
	r, s, odd, err := c.signDigest(key, err)
	if err != nil {
		return err
	}
	return c.giveSignature(&r, &s, odd)
}

func (c *call) giveSignature(r, s *uint256.Int, odd bool) error {
	v := uint64(27)
	if odd {
		v = 28
	}
	return c.give(numberValue(v), hashValue(r.Bytes32()), hashValue(s.Bytes32()))
}

// signCompact gives a signature as in EIP-2098.
func (c *call) signCompact(key *ecdsa.PrivateKey, err error) error {
	r, s, odd, err := c.signDigest(key, err)
	if err != nil {
		return err
	}
	if odd {
		s[3] |= 1 << 63
	}
	return c.give(hashValue(r.Bytes32()), hashValue(s.Bytes32()))
}

func (c *call) signWithNonce() error {
	c.state.Work(curveWork)
	curve := crypto.S256()
	order := curve.Params().N
	d, z, k := c.args[0].Word.ToBig(), c.args[1].Word.ToBig(), c.args[2].Word.ToBig()
	switch {
	case d.Cmp(order) >= 0:
		return errors.New("invalid private key scalar")
	case d.Sign() == 0:
		return errors.New("private key cannot be 0")
	case k.Cmp(order) >= 0:
		return errors.New("invalid nonce scalar")
	case k.Sign() == 0:
		return errors.New("nonce cannot be 0")
	}
	x, y := curve.ScalarBaseMult(c.bytes32(2))
	r := new(big.Int).Mod(x, order)
	s := new(big.Int).Mul(r, d)
	s.Add(s, z).Mul(s, k.ModInverse(k, order)).Mod(s, order)
	if r.Sign() == 0 || s.Sign() == 0 {
		return errors.New("there is no signature with this nonce")
	}
	odd := y.Bit(0) == 1
	if half := new(big.Int).Rsh(order, 1); s.Cmp(half) > 0 {
		s.Sub(order, s)
		odd = !odd
	}
	wr, _ := uint256.FromBig(r)
	ws, _ := uint256.FromBig(s)
	return c.giveSignature(wr, ws, odd)
}

// keyP256 reads the first argument as a private key.
func (c *call) keyP256() (*ecdsa.PrivateKey, error) {
	c.state.Work(curveWork)
	secret := c.bytes32(0)
	if err := checkKey(secret, "NistP256", elliptic.P256().Params().N); err != nil {
		return nil, err
	}
	return ecdsa.ParseRawPrivateKey(elliptic.P256(), secret)
}

// signP256 gives a deterministic signature [RFC 6979] whose S is the lower one.
func (c *call) signP256() error {
	key, err := c.keyP256()
	if err != nil {
		return err
	}
	encoded, err := key.Sign(nil, c.bytes32(1), gocrypto.SHA256)
	if err != nil {
		return err
	}
	var sig struct{ R, S *big.Int }
	if _, err := asn1.Unmarshal(encoded, &sig); err != nil {
		return err
	}
	order := elliptic.P256().Params().N
	if sig.S.Cmp(new(big.Int).Rsh(order, 1)) > 0 {
		sig.S.Sub(order, sig.S)
	}
	return c.give(hashValue(common.BigToHash(sig.R)), hashValue(common.BigToHash(sig.S)))
}

func (c *call) publicKeyP256() error {
	key, err := c.keyP256()
	if err != nil {
		return err
	}
	point, err := key.PublicKey.Bytes()
	if err != nil {
		return err
	}
	return c.give(hashValue(common.Hash(point[1:33])), hashValue(common.Hash(point[33:])))
}

// ed25519Public returns the public key of a private key, an argument.
func (c *call) ed25519Public(i int) input.Value {
	c.state.Work(curveWork)
	key := ed25519.NewKeyFromSeed(c.bytes32(i))
	return hashValue(common.Hash(key[32:]))
}

func (c *call) signEd25519() error {
	c.state.Work(curveWork)
	key := ed25519.NewKeyFromSeed(c.bytes32(2))
	return c.give(bytesValue(ed25519.Sign(key, slices.Concat(c.data(0), c.data(1)))))
}

func (c *call) verifyEd25519() error {
	c.state.Work(curveWork)
	return c.give(boolValue(ed25519.Verify(c.bytes32(3), slices.Concat(c.data(1), c.data(2)), c.data(0))))
}
