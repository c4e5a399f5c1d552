// SPDX-License-Identifier: MIT
pragma solidity >=0.4.24 <0.9.0;

contract Judge {
    function right(uint256 a, uint256 b) public pure returns (bool) {
        return !(a == 70707 && b == 80808);
    }
}

// Properties whose last comparison is what they return. Numbers are too large to be
// drawn, and sums keep them from being constants of the code.
contract Returned {
    struct Inner {
        bool flag;
        uint256 b;
    }

    struct Outer {
        uint256 a;
        Inner inner;
    }

    uint256 x;
    uint256 y;
    int256 v;
    int64 w;
    Outer s;
    Judge judge = new Judge();

    function setX(uint256 value) public {
        x = value + 3;
    }

    function setY(uint256 value) public {
        y = value / 2;
    }

    function setV(int256 value) public {
        v = value - 7;
    }

    function setW(int64 value) public {
        w = value ^ 5;
    }

    function setS(uint256 a, bool flag, uint256 b) public {
        s.a = a ^ 1;
        s.inner = Inner(flag, b ^ 2);
    }

    function bad() public view returns (bool) {
        return x == 1010101 && y == 2020202;
    }

    function echidna_both() public view returns (bool) {
        return !(x == 1234567 && y == 7654321);
    }

    function echidna_either() public view returns (bool) {
        return x != 11223344 || y != 55667788;
    }

    function echidna_chain() public view returns (bool) {
        return x <= 5000000 || x >= 5000010 || y != x / 5;
    }

    function echidna_signed() public view returns (bool) {
        return !(v == -1000010 && w == -62001);
    }

    function echidna_members() public view returns (bool) {
        return !(s.a == 91919191 && s.inner.flag && s.inner.b == 80808080);
    }

    function echidna_named() public view returns (bool) {
        bool wrong = x == 31313131 && y == 42424242;
        return !wrong;
    }

    function echidna_inner() public view returns (bool) {
        return !bad();
    }

    function echidna_asked() public view returns (bool) {
        return judge.right(x, y);
    }

    function echidna_difference() public view returns (bool) {
        return (x == 616161) == (y == 717171) || y != 717171 || v <= 900;
    }

    function echidna_holds() public view returns (bool) {
        return !(x == 99999999 && x == 99999998);
    }
}
