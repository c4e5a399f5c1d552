pragma solidity ^0.8.0;

// Addresses are no quantities: an alias goes round, and comes back.
contract Bridge {
    uint160 private constant OFFSET = uint160(0x1111000000000000000000000000000000001111);
    mapping(address => uint256) public messages;

    function send() external {
        messages[alias_(msg.sender)]++;
    }

    function alias_(address one) public pure returns (address other) {
        unchecked {
            other = address(uint160(one) + OFFSET);
        }
    }

    function origin(address other) public pure returns (address one) {
        unchecked {
            one = address(uint160(other) - OFFSET);
        }
    }
}
