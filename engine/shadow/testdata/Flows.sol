// SPDX-License-Identifier: MIT
pragma solidity >=0.4.24 <0.9.0;

contract Oracle {
    uint256 price;

    function set(uint256 p) public { price = p; }

    function quote(uint256 amount, bytes memory note) public view returns (uint256, bytes32) {
        return (price * amount, keccak256(note));
    }

    function late(uint256 deadline) public view returns (bool) { return block.timestamp > deadline; }
}

contract Flows {
    struct Slot {
        uint64 since;
        uint64 amount;
        address owner;
    }

    event Seen(uint256 indexed a, bytes data);

    Oracle oracle;
    Slot slot;
    mapping(address => mapping(uint256 => Slot)) slots;
    uint256 public total;
    uint256[] list;
    bytes blob;
    bytes32 public digest;
    bool open;

    constructor() public payable { oracle = new Oracle(); }

    function pack(uint64 amount, address owner) public {
        slot.since = uint64(block.timestamp);
        slot.amount = amount;
        slot.owner = owner;
    }

    function readAmount() public view returns (uint256) { return slot.amount; }

    function amountIs(uint256 x) public view returns (bool) { if (uint256(slot.amount) * 3 + 7 == x) return true; return false; }

    function sinceIs(uint256 x) public view returns (bool) { if (slot.since == x) return true; return false; }

    function nested(uint256 key, uint64 a, address b) public payable returns (uint256) {
        Slot storage s = slots[msg.sender][key];
        s.amount += a;
        s.owner = b;
        total += uint256(a) + msg.value;
        if (s.owner == msg.sender && total > 100) return total;
        return s.amount;
    }

    function copies(bytes memory data, uint256[] memory numbers, string memory text) public returns (bytes32) {
        uint256 sum = 0;
        for (uint256 i = 0; i < numbers.length; i++) { sum += numbers[i]; list.push(numbers[i]); }
        blob = data;
        digest = keccak256(abi.encodePacked(data, sum, text));
        emit Seen(sum, abi.encode(data, numbers, text));
        return digest;
    }

    function quoted(uint256 amount, bytes memory note) public returns (uint256) {
        oracle.set(amount * 2);
        (uint256 q, bytes32 h) = oracle.quote(amount + 1, note);
        if (q > 50) total = q;
        digest = h;
        return q;
    }

    function payIfLate(uint256 deadline, address to) public {
        if (block.timestamp > deadline) { send(to, 5); }
        total = 1;
    }

    function payIfLateElsewhere(uint256 deadline, address to) public {
        bool late = oracle.late(deadline);
        uint256 amount = 0;
        if (late) { amount = 9; }
        send(to, amount);
    }

    function payAnyway(uint256 deadline, address to) public {
        uint256 note = 1;
        if (block.timestamp > deadline) { note = 2; }
        send(to, 3);
        total = note;
    }

    function payPart(address to) public { send(to, block.number % 7); }

    function send(address to, uint256 amount) internal {
        bool ok;
        assembly { ok := call(2300, to, amount, 0, 0, 0, 0) }
        require(ok);
    }

    function wraps(uint8 a, uint8 b) public returns (uint256) {
        uint8 c = a + b;
        list.push(c);
        return c;
    }

    function jumpTable(uint256 which, uint256 x) public pure returns (uint256) {
        function (uint256) internal pure returns (uint256) f = which == 0 ? twice : thrice;
        return f(x);
    }

    function twice(uint256 x) internal pure returns (uint256) { return x * 2; }

    function thrice(uint256 x) internal pure returns (uint256) { return x * 3; }

    function forward(address target, bytes memory data) public returns (bool) { return low(target, data); }

    function low(address target, bytes memory data) internal returns (bool ok) {
        assembly { ok := delegatecall(100000, target, add(data, 32), mload(data), 0, 0) }
    }

    function signer(bytes32 h, uint8 v, bytes32 r, bytes32 s) public pure returns (address) { return ecrecover(h, v, r, s); }

    function environment(uint256 n) public view returns (uint256) {
        return uint256(blockhash(block.number - 1)) ^ uint256(uint160(address(block.coinbase))) ^ block.gaslimit ^ n
            ^ uint256(uint160(tx.origin)) ^ address(this).balance ^ tx.gasprice;
    }
}
