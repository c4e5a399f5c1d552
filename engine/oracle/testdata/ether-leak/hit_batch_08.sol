pragma solidity ^0.8.0;

// Each call of a batch counts the ether of the whole transaction.
contract Bank {
    mapping(address => uint256) public balances;

    function batch(bytes[] calldata calls) external payable {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok, ) = address(this).delegatecall(calls[i]);
            require(ok, "a call failed");
        }
    }

    function put() external payable {
        balances[msg.sender] += msg.value;
    }

    function take(uint256 amount) external {
        balances[msg.sender] -= amount; // allow: panic
        payable(msg.sender).transfer(amount); // expect: ether-leak
    }
}
