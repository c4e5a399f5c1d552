// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

type Price is uint128;

interface IThing { function thing() external view returns (uint8); }

library Sums {
    struct Pair { uint64 a; int8 b; }
    function sum(uint[] memory list) internal pure returns (uint total) {
        for (uint i = 0; i < list.length; i++) {
            uint item = list[i];
            unchecked { total += item; }
        }
    }
    function bump(Pair storage p, uint64 by) internal returns (uint64 was) {
        was = p.a;
        unchecked { p.a += by; }
        p.b = -int8(int64(by % 5));
    }
    function remote(uint[] storage list, uint x) external returns (uint n) {
        n = list.length;
        list.push(x);
        return n + 1;
    }
}

abstract contract Base {
    uint internal depth;
    modifier nested(uint level, string memory why) {
        uint before = depth;
        depth = before + level % 10;
        bytes32 tag = keccak256(bytes(why));
        _;
        depth = before;
        bool odd = uint(tag) % 2 == 1;
        if (odd) { depth = before; }
    }
    modifier twice(bool again) {
        if (again) {
            uint extra = 7;
            extra = extra + 1;
            _;
        } else {
            _;
        }
    }
    modifier hook() virtual { _; }
    constructor(uint start) { uint s = start + 1; depth = s; depth = 0; }
}

contract Values is Base {
    using Sums for Sums.Pair;
    enum Kind { None, One, Two }
    struct Inner { uint8 x; bytes3 y; string z; }
    struct Outer { address who; Inner inner; uint[] list; bool[3] flags; Kind kind; }

    Sums.Pair pair;
    Outer stored;
    uint[] numbers;
    mapping(address => Outer) outers;
    Values child;

    constructor() Base(41) {
        uint x = 3;
        stored.who = msg.sender;
        stored.inner.z = "a string that is longer than one word of storage is";
        x++;
    }

    modifier hook() override {
        uint8 h = 9;
        _;
        h = 0;
    }

    function elementary(uint a, int16 b, bool c, address d, bytes5 e) public returns (uint8 small, int24 signed) {
        unchecked { small = uint8(a) + 200; }
        signed = -int24(b);
        uint8 dirty;
        unchecked { dirty = small * small; }
        bool both = c && small > 100;
        address next = address(uint160(uint(keccak256(abi.encode(d)))));
        require(next != d, "same");
        if (both) {
            int64 inner = int64(signed) * 3;
            if (inner < 0) return (1, 2);
            signed = int24(inner % 1000);
        }
        for (uint i = 0; i < 2; i++) {
            bytes1 one = e[i];
            if (one == 0) continue;
            if (one == 0xff) break;
            bytes2 cut = bytes2(one);
            small = uint8(cut[0]);
        }
    }

    function named(Kind f, Values g, Price h) public returns (uint w) {
        Kind kind = f == Kind.None ? Kind.Two : f;
        Price price = Price.wrap(Price.unwrap(h) / 2);
        child = g;
        while (w < 2) { uint z = w; w++; if (z == 1) { break; } }
        do { uint q = w; w -= q; } while (w > 0);
        price = h;
        kind = Kind.One;
    }

    function lists(uint[] memory list, bytes memory data, string calldata text, uint16[3] memory fixedList, int8[2][] calldata nested) external returns (bytes memory out, uint[] memory copy) {
        uint total = Sums.sum(list);
        out = abi.encodePacked(data, text);
        copy = new uint[](list.length % 8);
        for (uint i; i < copy.length; ++i) copy[i] = list[i] ^ total;
        uint16[3] memory alias_ = fixedList;
        alias_[1] = 77;
        if (nested.length > 0) {
            int8[2] calldata first = nested[0];
            int8 f = first[1];
            total = uint(int(f));
        }
        string[] memory words = new string[](2);
        words[0] = text;
        words[1] = "fixed";
        bytes calldata tail = bytes(text)[0:bytes(text).length / 2];
        total = tail.length;
    }

    function structs(Outer calldata given, Outer memory copy, Outer[] calldata many) external returns (Outer memory result) {
        Outer storage at = outers[given.who];
        at.who = given.who;
        at.inner = copy.inner;
        at.flags[1] = true;
        at.list.push(copy.list.length);
        result = copy;
        result.kind = Kind.Two;
        Inner memory inner = result.inner;
        inner.z = "changed";
        uint n = many.length;
        if (n > 0) {
            Outer calldata last = many[n - 1];
            n = last.list.length;
        }
        uint[] storage list = at.list;
        n = list.length;
        Sums.Pair storage p = pair;
        uint64 was = p.bump(uint64(n) + 3);
        n = was;
    }

    function modified(uint a, string memory why) public nested(a, why) twice(a % 3 == 0) hook returns (uint r) {
        uint local = a / 2;
        r = local;
        if (a % 2 == 0) return r + 1;
        r = helper(local, 5);
    }

    function helper(uint n, uint8 more) internal twice(n > 4) returns (uint) {
        uint left = n;
        if (left > 6) left = 6;
        if (left == 0) { return more; }
        function(uint, uint8) internal returns (uint) f = helper;
        uint got = f(left - 1, more + 1);
        return got + left;
    }

    function thing() external view returns (uint8) { if (depth > 3) revert("deep"); return uint8(depth); }

    function tries(address target, uint limit) public returns (uint8 got, string memory why) {
        uint start = limit;
        try IThing(address(this)).thing{gas: 100000}() returns (uint8 value) {
            uint8 doubled = value / 2;
            got = doubled;
        } catch Error(string memory reason) {
            why = reason;
            start++;
        } catch Panic(uint code) {
            got = uint8(code);
        } catch (bytes memory raw) {
            why = string(raw);
        }
        function() external view returns (uint8) ext = IThing(target).thing;
        start = ext.address.balance;
        Sums.remote(numbers, start);
        uint[] storage list = numbers;
        start = list.length;
    }

    function assembled(uint a, uint b) public pure returns (uint c) {
        uint start = a;
        assembly {
            let x := add(a, b)
            for { let i := 0 } lt(i, 3) { i := add(i, 1) } {
                let y := mul(x, i)
                x := add(x, y)
            }
            switch mod(x, 3)
            case 0 { let z := 1 c := z }
            case 1 { c := 2 }
            default { let w := x c := w }
            if gt(c, 10) { start := c }
        }
        uint end = start;
        c = end;
    }

    function makes(uint salt) public returns (address made) {
        Child c = new Child(salt, "name");
        made = address(c);
    }
}

contract Parent {
    uint public p;
    modifier only(uint limit) { uint l = limit + 1; _; p = l; }
    constructor(uint a, uint b) only(a) { uint sum; unchecked { sum = a + b; } p = sum; }
}

contract Child is Parent {
    string public name;
    constructor(uint salt, string memory name_) Parent(salt % 100, 7) {
        uint length = bytes(name_).length;
        name = name_;
        length++;
    }
}
