// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// fix: total += delta; => require(delta >= 0, "only up"); total += delta;

/// Needs another contract, and values of many types.
contract Store {
    address public owner = msg.sender;
    uint256 public writes;

    function write() external {
        writes++;
    }
}

contract Meter {
    Store immutable store;
    uint8 public rate;
    string public unit;
    int256 public total;

    constructor(Store _store, uint8 _rate, string memory _unit) payable {
        store = _store;
        rate = _rate;
        unit = _unit;
    }

    function add(int64 delta, string calldata note, bytes4 tag, bool last, address who, bytes calldata more) external {
        total += delta;
        store.write();
        if (last || who == msg.sender || tag == 0 || more.length == bytes(note).length) total += 1;
        assert(total >= 0);
    }
}
