pragma solidity ^0.4.24;

contract EarlyBase {
    uint level;
    modifier limited(uint limit) {
        uint before = level;
        require(limit > 3);
        _;
        uint behind = before + limit;
        level = behind;
    }
    constructor(uint start) public { uint twice = start * 2; level = twice; }
}

contract Early is EarlyBase {
    struct Item { uint8 kind; address owner; }
    Item[] items;

    constructor() EarlyBase(4) public { uint last = level; level = last + 1; }

    function values(uint8 a, int32 b, bytes4 c, address d) public limited(a) returns (uint sum, bool odd) {
        uint8 wrapped = a + 200;
        if (wrapped > 100) {
            int64 inner = int64(b) * 2;
            sum = uint(inner);
        }
        for (uint i = 0; i < 2; i++) {
            bytes4 cut = c << 8;
            sum += uint(cut);
        }
        odd = sum % 2 == 1;
        var late = uint16(wrapped) + 1;
        sum = helper(late, d);
    }

    function helper(uint16 n, address d) internal returns (uint) {
        items.push(Item(uint8(n), d));
        uint[] memory list = new uint[](n % 4 + 1);
        list[0] = items.length;
        uint total = list.length;
        return total;
    }

    function strings(string text, bytes raw) public returns (bytes both) {
        both = abi.encodePacked(text, raw);
        uint length = both.length;
        level = length;
    }

    function calldatas(uint[] list, bytes raw) external returns (uint n) {
        n = list.length;
        uint first = n > 0 ? list[0] : raw.length;
        level = first;
    }
}
