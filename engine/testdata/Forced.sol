// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Accepts no ether, and relies on having none.
contract Empty {
    function check() external view {
        if (address(this).balance > 77 gwei) {
            assert(false);
        }
    }
}

/// Relies on having what was deposited.
contract Booked {
    uint256 private total;

    function deposit() external payable {
        require(msg.value > 500);
        total += msg.value;
    }

    function withdraw() external {
        payable(msg.sender).transfer(total);
        total = 0;
    }

    function check() external view {
        if (total > 0 && address(this).balance - total == 123456789) {
            assert(false);
        }
    }
}

/// Does not ask what it has.
contract Indifferent {
    uint256 private last;

    function set(uint256 to) external payable {
        last = to;
    }
}
