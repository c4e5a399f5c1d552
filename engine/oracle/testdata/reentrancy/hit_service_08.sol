pragma solidity ^0.8.0;

// The deployer chose the service, but whom it pays calls back.
interface Rates {
    function rate() external returns (uint256);
}

contract Till {
    Rates immutable rates;
    uint256 public rate;
    mapping(address => uint256) public balances;

    constructor(Rates from) {
        rates = from;
    }

    function update() external {
        rate = rates.rate();
    }

    function put() external payable {
        balances[msg.sender] += msg.value;
    }

    function take() external {
        uint256 amount = balances[msg.sender];
        (bool ok, ) = msg.sender.call{value: amount}(""); // expect: reentrancy
        require(ok, "not paid");
        balances[msg.sender] = 0;
    }
}
