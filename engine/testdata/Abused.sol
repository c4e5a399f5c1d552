// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Storage that somebody has to abuse before what lies behind it can be seen.

/// What is behind the bound needs a counter that was led below zero.
contract Bounded {
    uint256 private counter;
    uint256 public reached;

    function tick() external {
        counter += 1;
    }

    function give(uint64 n) external {
        unchecked {
            counter -= n;
        }
    }

    function spend(uint256 n) external {
        require(n < counter, "bound");
        assert(n != 123456789);
        reached = n;
    }
}

/// Anybody can write anywhere, the owner's slot included.
contract Anywhere {
    address private owner = msg.sender;
    uint256 public done;

    function put(uint256 key, uint256 value) external {
        assembly {
            sstore(key, value)
        }
    }

    function reserved() external {
        require(msg.sender == owner, "not the owner");
        done += 1;
    }
}

/// The deployer is let through at once, so that no branch tells that anybody
/// can be.
contract Appointed {
    address private keeper = msg.sender;

    function appoint(address to) external {
        keeper = to;
    }

    function close() external {
        require(msg.sender == keeper, "not the keeper");
        selfdestruct(payable(msg.sender));
    }
}
