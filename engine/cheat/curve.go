package cheat

import (
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/crypto"
)

var curveRows = []row{
	{"ecAddAffine(uint256,uint256,uint256,uint256)", "(uint256,uint256)", (*call).ecAddAffine, "adds points of secp256k1"},
	{"ecMulAffine(uint256,uint256,uint256)", "(uint256,uint256)", (*call).ecMulAffine, "multiplies a point of secp256k1 by a number"},
	{"ecAddProjective(uint256,uint256,uint256,uint256,uint256,uint256)", "(uint256,uint256,uint256)", (*call).ecAddProjective, "adds points of secp256k1 in projective coordinates"},
	{"ecMulProjective(uint256,uint256,uint256,uint256)", "(uint256,uint256,uint256)", (*call).ecMulProjective, "multiplies a point of secp256k1 in projective coordinates by a number"},
}

// A point of secp256k1; nil coordinates are the point at infinity.
type point struct{ x, y *big.Int }

func (c *call) big(i int) *big.Int { return c.args[i].Word.ToBig() }

// affine reads a point from two arguments; (0, 0) is the point at infinity.
func (c *call) affine(i int, name string) (point, error) { return affine(c.big(i), c.big(i+1), name) }

func affine(x, y *big.Int, name string) (point, error) {
	if x.Sign() == 0 && y.Sign() == 0 {
		return point{}, nil
	}
	prime := crypto.S256().Params().P
	if x.Cmp(prime) >= 0 || y.Cmp(prime) >= 0 || !crypto.S256().IsOnCurve(x, y) {
		return point{}, errors.New("invalid secp256k1 " + name)
	}
	return point{x, y}, nil
}

// projective reads a point from three arguments: (x/z, y/z), or the point at
// infinity if only y is not 0.
func (c *call) projective(i int, name string) (point, error) {
	x, y, z := c.big(i), c.big(i+1), c.big(i+2)
	prime := crypto.S256().Params().P
	bad := errors.New("invalid secp256k1 " + name)
	if x.Cmp(prime) >= 0 || y.Cmp(prime) >= 0 || z.Cmp(prime) >= 0 {
		return point{}, bad
	}
	if z.Sign() == 0 {
		if x.Sign() != 0 || y.Sign() == 0 {
			return point{}, bad
		}
		return point{}, nil
	}
	z.ModInverse(z, prime)
	return affine(x.Mod(x.Mul(x, z), prime), y.Mod(y.Mul(y, z), prime), name)
}

func (p point) plus(q point) point {
	curve := crypto.S256()
	switch {
	case p.x == nil:
		return q
	case q.x == nil:
		return p
	case p.x.Cmp(q.x) != 0:
		x, y := curve.Add(p.x, p.y, q.x, q.y)
		return point{x, y}
	case p.y.Cmp(q.y) != 0: // opposite points
		return point{}
	}
	x, y := curve.Double(p.x, p.y)
	return point{x, y}
}

func (p point) times(n *big.Int) point {
	n = new(big.Int).Mod(n, crypto.S256().Params().N)
	if p.x == nil || n.Sign() == 0 {
		return point{}
	}
	x, y := crypto.S256().ScalarMult(p.x, p.y, n.FillBytes(make([]byte, 32)))
	return point{x, y}
}

func (c *call) giveAffine(p point) error {
	if p.x == nil {
		return c.give(numberValue(0), numberValue(0))
	}
	return c.give(bigValue(p.x), bigValue(p.y))
}

func (c *call) giveProjective(p point) error {
	if p.x == nil {
		return c.give(numberValue(0), numberValue(1), numberValue(0))
	}
	return c.give(bigValue(p.x), bigValue(p.y), numberValue(1))
}

func (c *call) ecAddAffine() error {
	p, err := c.affine(0, "first point")
	if err != nil {
		return err
	}
	q, err := c.affine(2, "second point")
	if err != nil {
		return err
	}
	return c.giveAffine(p.plus(q))
}

func (c *call) ecMulAffine() error {
	c.state.Work(curveWork)
	p, err := c.affine(0, "point")
	if err != nil {
		return err
	}
	return c.giveAffine(p.times(c.big(2)))
}

func (c *call) ecAddProjective() error {
	p, err := c.projective(0, "first point")
	if err != nil {
		return err
	}
	q, err := c.projective(3, "second point")
	if err != nil {
		return err
	}
	return c.giveProjective(p.plus(q))
}

func (c *call) ecMulProjective() error {
	c.state.Work(curveWork)
	p, err := c.projective(0, "point")
	if err != nil {
		return err
	}
	return c.giveProjective(p.times(c.big(3)))
}
