// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.0;

function half(uint256 x) pure returns (uint256) {
    return x / 2;
}

library Doubling {
    function double(uint256 x) internal pure returns (uint256) {
        return 2 * x;
    }
}

abstract contract Inherited {
    uint256 internal kept;

    modifier counted() {
        kept++;
        _;
    }

    function keep(uint256 x) public {
        kept = x;
    }
}

// A queue: what is to run is filed under a hash of all that is to run.
contract Aimed is Inherited {
    using Doubling for uint256;

    mapping(bytes32 => uint256) ready;
    uint256 done;
    uint256 shared;

    receive() external payable {}

    fallback() external payable {
        done = msg.value;
    }

    function plan(address who, uint256 much, bytes32 salt, uint256 pause) external {
        require(pause >= 1 days, "too soon");
        bytes32 id = keccak256(abi.encode(who, much, salt));
        require(ready[id] == 0, "planned");
        ready[id] = block.timestamp + pause;
    }

    function run(address who, uint256 much, bytes32 salt) external {
        require(who > address(0x1000), "nobody");
        bytes32 id = keccak256(abi.encode(who, much, salt));
        require(ready[id] != 0, "not planned");
        require(ready[id] <= block.timestamp, "not yet");
        done += much;
    }

    function twice(uint256 x) external counted returns (uint256) {
        return half(x).double();
    }

    function busy(uint256[] calldata list) external {
        for (uint256 i = 0; i < list.length; i++) note(list[i]);
    }

    function lone(uint256 x) external {
        note(x);
        if (uint256(keccak256(abi.encode(x))) % 7 == 3) done = 1;
    }

    function note(uint256 x) internal {
        if (x > 1 << 200) shared = x;
        if (uint256(keccak256(abi.encode(x, shared))) == 5) shared = 0;
    }
}

/// What the till holds is wrong once somebody who came in left again.
contract Prepared {
    address private inside;
    uint256 private paid;
    uint256 private owed;

    function enter() external payable {
        require(inside == address(0) && msg.value > 0);
        inside = msg.sender;
        paid += msg.value;
    }

    function leave(uint64 code) external {
        require(msg.sender == inside && code % 1000 == 7);
        inside = address(0);
        owed += 1 + paid / 2;
    }

    function settle() external {
        paid = 0;
        assert(owed == 0);
    }
}
