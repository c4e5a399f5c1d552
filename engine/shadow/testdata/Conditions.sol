// SPDX-License-Identifier: MIT
pragma solidity >=0.4.24 <0.9.0;

library Bounds {
    function within(uint256 x, uint256 low, uint256 high) internal pure returns (bool) {
        return x >= low && x <= high;
    }
}

contract Conditions {
    using Bounds for uint256;

    enum Phase { Idle, Open, Closed }

    struct Account {
        uint128 credit;
        uint64 since;
        bool active;
        Phase phase;
        address owner;
    }

    struct Wide {
        uint256 amount;
        int256 delta;
    }

    mapping(address => uint256) balances;
    mapping(uint256 => Account) accounts;
    mapping(address => bool) listed;
    uint256[] numbers;
    Wide wide;
    bool flag;
    string name;
    bytes4 tag;
    uint256 public counter;

    constructor() public payable {
        accounts[1] = Account(500, 77, true, Phase.Open, address(0x1234));
        numbers.push(3);
        numbers.push(9);
        wide.amount = 1000;
        wide.delta = -20;
        name = "leveret";
        tag = 0xdeadbeef;
    }

    modifier above(uint256 x, uint256 y) {
        require(x > y, "low");
        _;
    }

    modifier other(uint256 x, uint256 y) {
        if (x == y + 4) {
            _;
        }
    }

    function greater(uint256 a, uint256 b) internal pure returns (bool) {
        return a > b;
    }

    function early(uint256 a, uint256 b) internal pure returns (bool) {
        if (a > b) return true;
        return false;
    }

    function named(uint256 a, uint256 b) internal pure returns (bool ok) {
        if (a == b) ok = true;
    }

    function outer(uint256 a, uint256 b) public pure returns (bool) {
        return a > b;
    }

    function uintLess(uint256 a, uint256 b) public pure returns (uint256) { if (a < b) return 1; return 2; }
    function uintLessEqual(uint256 a, uint256 b) public pure returns (uint256) { if (a <= b) return 1; return 2; }
    function uintGreater(uint256 a, uint256 b) public pure returns (uint256) { if (a > b) return 1; return 2; }
    function uintGreaterEqual(uint256 a, uint256 b) public pure returns (uint256) { if (a >= b) return 1; return 2; }
    function uintEqual(uint256 a, uint256 b) public pure returns (uint256) { if (a == b) return 1; return 2; }
    function uintDiffer(uint256 a, uint256 b) public pure returns (uint256) { if (a != b) return 1; return 2; }
    function uint8Less(uint8 a, uint8 b) public pure returns (uint256) { if (a < b) return 1; return 2; }
    function uint64Equal(uint64 a, uint64 b) public pure returns (uint256) { if (a == b) return 1; return 2; }
    function uint128Differ(uint128 a, uint128 b) public pure returns (uint256) { if (a != b) return 1; return 2; }
    function int256Less(int256 a, int256 b) public pure returns (uint256) { if (a < b) return 1; return 2; }
    function int8Greater(int8 a, int8 b) public pure returns (uint256) { if (a > b) return 1; return 2; }
    function int64Equal(int64 a, int64 b) public pure returns (uint256) { if (a == b) return 1; return 2; }
    function intNegative(int256 a) public pure returns (uint256) { if (a < 0) return 1; return 2; }
    function addressEqual(address a, address b) public pure returns (uint256) { if (a == b) return 1; return 2; }
    function senderEqual(address a) public view returns (uint256) { if (msg.sender == a) return 1; return 2; }
    function boolBare(bool a) public pure returns (uint256) { if (a) return 1; return 2; }
    function boolEqual(bool a, bool b) public pure returns (uint256) { if (a == b) return 1; return 2; }
    function enumEqual(Phase a) public pure returns (uint256) { if (a == Phase.Open) return 1; return 2; }
    function bytes4Equal(bytes4 a) public view returns (uint256) { if (a == tag) return 1; return 2; }
    function bytes32Equal(bytes32 a, bytes32 b) public pure returns (uint256) { if (a == b) return 1; return 2; }
    function both(uint256 a, uint256 b) public pure returns (uint256) { if (a > 5 && b < 3) return 1; return 2; }
    function either(uint256 a, uint256 b) public pure returns (uint256) { if (a > 5 || b < 3) return 1; return 2; }
    function negated(uint256 a, uint256 b) public pure returns (uint256) { if (!(a == b)) return 1; return 2; }
    function ternary(uint256 a, uint256 b) public pure returns (uint256) { if ((a > b ? a : b) == 100) return 1; return 2; }
    function ternaryBool(uint256 a, uint256 b) public pure returns (uint256) { if (a > 7 ? b > 3 : b > 9) return 1; return 2; }
    function nested(uint256 a, uint256 b) public pure returns (uint256) {
        if ((a > 5 && b < 3) || (a == 2 && !(b == 50))) return 1;
        return 2;
    }
    function modified(uint256 a, uint256 b) public pure above(a, b) returns (uint256) { return 1; }
    function modifiedTwice(uint256 a, uint256 b) public pure above(a, b) other(a, b) returns (uint256) { return 1; }
    function inner(uint256 a, uint256 b) public pure returns (uint256) { require(greater(a, b)); return 1; }
    function innerNot(uint256 a, uint256 b) public pure returns (uint256) { if (!greater(a, b)) return 1; return 2; }
    function innerEarly(uint256 a, uint256 b) public pure returns (uint256) { require(early(a, b)); return 1; }
    function innerNamed(uint256 a, uint256 b) public pure returns (uint256) { require(named(a, b)); return 1; }
    function innerBoth(uint256 a, uint256 b) public pure returns (uint256) {
        if (greater(a, 5) && greater(3, b)) return 1;
        return 2;
    }
    function stored(uint256 a, uint256 b) public pure returns (uint256) {
        bool big = a > b;
        uint256 x = a * 2;
        if (x != 0 && big) return 1;
        return 2;
    }
    function libraryCall(uint256 a) public pure returns (uint256) { if (a.within(10, 20)) return 1; return 2; }
    function structMember(uint256 a) public view returns (uint256) { if (wide.amount == a) return 1; return 2; }
    function structSigned(int256 a) public view returns (uint256) { if (wide.delta < a) return 1; return 2; }
    function packedCredit(uint128 a) public view returns (uint256) { if (accounts[1].credit > a) return 1; return 2; }
    function packedSince(uint64 a) public view returns (uint256) { if (accounts[1].since == a) return 1; return 2; }
    function packedActive(uint256 a) public view returns (uint256) { if (accounts[a].active) return 1; return 2; }
    function packedPhase(Phase a) public view returns (uint256) { if (accounts[1].phase == a) return 1; return 2; }
    function packedOwner(address a) public view returns (uint256) { if (accounts[1].owner == a) return 1; return 2; }
    function memoryStruct(uint256 a, int256 b) public pure returns (uint256) {
        Wide memory w = Wide(a, b);
        if (w.amount > 10 && w.delta < -10) return 1;
        return 2;
    }
    function mapped(uint256 a) public view returns (uint256) { if (balances[msg.sender] >= a) return 1; return 2; }
    function mappedBool(address a) public view returns (uint256) { require(!listed[a]); return 1; }
    function arrayLength(uint256 a) public view returns (uint256) { if (numbers.length > a) return 1; return 2; }
    function arrayElement(uint256 a, uint256 b) public view returns (uint256) { if (numbers[a] == b) return 1; return 2; }
    function stringLength(string memory s) public pure returns (uint256) { if (bytes(s).length == 9) return 1; return 2; }
    function stringEqual(string memory s) public view returns (uint256) {
        if (keccak256(bytes(s)) == keccak256(bytes(name))) return 1;
        return 2;
    }
    function bytesElement(bytes memory s) public pure returns (uint256) {
        if (s.length > 2 && s[1] == 0x41) return 1;
        return 2;
    }
    function value() public payable returns (uint256) { if (msg.value == 1000) return 1; return 2; }
    function time(uint256 a) public view returns (uint256) { if (block.timestamp > a) return 1; return 2; }
    function blockNumber(uint256 a) public view returns (uint256) { if (block.number == a) return 1; return 2; }
    function loop(uint256 a) public pure returns (uint256 s) { for (uint256 i = 0; i < a; i++) s += i; }
    function doWhile(uint256 a) public pure returns (uint256 s) { do { s += a; a /= 2; } while (a > 3); }
    function arrayLoop(uint256[] memory a) public pure returns (uint256 s) {
        for (uint256 i = 0; i < a.length; i++) { if (a[i] == 42) s++; }
    }
    function parabola(uint256 a) public pure returns (uint256) { if (3 * a * a + 7 * a == 1010) return 1; return 2; }

    function remainder(uint256 a) public pure returns (uint256) { if (a % 10 == 3) return 1; return 2; }
    function affine(uint256 a, uint256 b) public pure returns (uint256) { if (a * 3 + 7 == b) return 1; return 2; }
    function masked(uint256 a, uint256 b) public pure returns (uint256) { if (a & 0xff == b) return 1; return 2; }
    function shifted(uint256 a, uint256 b) public pure returns (uint256) { if (a >> 4 == b) return 1; return 2; }
    function narrowed(uint256 a, uint8 b) public pure returns (uint256) { if (uint8(a) == b) return 1; return 2; }
    function bit(uint256 a) public pure returns (uint256) { if ((a >> 3) & 1 == 1) return 1; return 2; }
    function xored(uint256 a, uint256 b) public pure returns (uint256) { if (a ^ b == 0) return 1; return 2; }
    function complement(uint256 a, uint256 b) public pure returns (uint256) { if (~a == b) return 1; return 2; }
    function asserted(uint256 a) public pure returns (uint256) { assert(a != 31); return 1; }
    function required(uint256 a, uint256 b) public pure returns (uint256) { require(a + b == 10, "sum"); return 1; }
    function subtract(uint256 a, uint256 b) public pure returns (uint256) { require(b <= a); return a - b; }
    function multiply(uint256 a, uint256 b) public pure returns (uint256) {
        uint256 c = a * b;
        require(a == 0 || c / a == b);
        return c;
    }
    function checkedNarrow(uint8 a, uint8 b) public pure returns (uint8) { return a + b; }
    function external1(uint256 a, uint256 b) public view returns (uint256) { if (this.outer(a, b)) return 1; return 2; }
    function sends(address a, uint256 b) public returns (uint256) {
        counter++;
        bool ok = address(uint160(a)) != address(0) && b < 7;
        require(ok);
        return 1;
    }
    function recover(bytes32 h, uint8 v, bytes32 r, bytes32 s, address a) public pure returns (uint256) {
        if (ecrecover(h, v, r, s) == a) return 1;
        return 2;
    }
    function flagged(bool a) public returns (uint256) {
        flag = a;
        if (flag) return 1;
        return 2;
    }
    function boolCompared(uint256 a, uint256 b) public pure returns (uint256) {
        if ((a > 5) == (b > 5)) return 1;
        return 2;
    }
    function boolDiffers(uint256 a, uint256 b) public pure returns (uint256) {
        if ((a > 5) != (b > 5)) return 1;
        return 2;
    }
    function isTrue(uint256 a) public pure returns (uint256) { if ((a > 5) == true) return 1; return 2; }
    function isFalse(uint256 a) public pure returns (uint256) { if ((a > 5) == false) return 1; return 2; }
}
