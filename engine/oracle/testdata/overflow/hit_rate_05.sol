pragma solidity ^0.5.0;

// Others have a say as well: by an argument, by a rate of their own, or by what they pay.
contract Rates {
    address private owner = msg.sender;
    uint256 public rate;
    uint256 public paid;
    uint256 public owed;
    mapping(address => uint256) public own;

    function setRate(uint256 to) external {
        require(msg.sender == owner);
        rate = to;
    }

    function setOwn(uint256 to) external {
        own[msg.sender] = to;
    }

    function buy(uint256 units) external {
        paid = rate * units; // expect: overflow
    }

    function drip() external {
        owed = own[msg.sender] * 300; // expect: overflow
    }
}
