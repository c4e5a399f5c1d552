pragma solidity ^0.4.24;

// Nobody who plays an attacker is paid here: the code and the deployment say
// who is.
contract Fund {
    address public keeper;
    address public treasury;
    address constant charity = 0x6fC21092DA55B392b045eD78F4732bff3C580e2c;
    uint256 public given;

    constructor(address to) public {
        keeper = msg.sender;
        treasury = to;
    }

    function give() public payable {
        given += msg.value; // allow: overflow
        charity.send(msg.value / 4); // expect: unchecked-call
        keeper.call.value(msg.value / 4)(); // expect: unchecked-call
        treasury.send(msg.value / 4); // expect: unchecked-call
    }

    function () public payable {}
}
