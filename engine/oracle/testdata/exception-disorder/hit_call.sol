pragma solidity ^0.8.0;

contract Vault {
    uint256 public left = 10;

    function take(uint256 amount) external {
        require(amount <= left, "empty");
        left -= amount;
    }
}

contract Shop {
    Vault public vault;
    uint256 public sold;

    constructor() {
        vault = new Vault();
    }

    function sell(uint256 amount) external {
        sold += 1;
        address(vault).call(abi.encodeCall(Vault.take, (amount))); // expect: exception-disorder, unchecked-call
    }
}
