pragma solidity ^0.8.0;

contract Counter {
    address private unused;
    address private unused2;
    uint256 public count;

    function increment() external {
        count += 1;
    }
}

// What is called is the owner's choice; what is asked of it, anybody's.
contract Proxy {
    address public owner = msg.sender;
    address public implementation;

    constructor() {
        implementation = address(new Counter());
    }

    function upgradeTo(address next) external {
        require(msg.sender == owner, "not owner");
        implementation = next;
    }

    fallback() external payable {
        (bool ok, bytes memory out) = implementation.delegatecall(msg.data);
        if (!ok) {
            assembly {
                revert(add(out, 32), mload(out))
            }
        }
    }

    receive() external payable {}
}
