pragma solidity ^0.5.0;

// What should have been the constructor.
contract Missing {
    address payable private creator = msg.sender;
    uint256 public rate;

    modifier onlyCreator() {
        require(creator == msg.sender);
        _;
    }

    function missing() public {
        creator = msg.sender; // expect: open-owner
    }

    function setRate(uint256 to) public onlyCreator {
        rate = to;
    }
}
