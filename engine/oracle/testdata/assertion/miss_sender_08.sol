pragma solidity ^0.8.0;

// Only the bank pays in ether. The author wrote assert where require is meant: anyone who
// pays is refused.
contract Till {
    address immutable bank;

    constructor(address pays) {
        bank = pays;
    }

    receive() external payable {
        assert(msg.sender == bank); // allow: assertion
    }

    function take() external {
        require(msg.sender == bank);
        (bool done, ) = bank.call{value: address(this).balance}("");
        require(done);
    }
}
