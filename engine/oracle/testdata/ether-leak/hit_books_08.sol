pragma solidity ^0.8.0;

// It has a batch as routers have, and records what it owes.
contract Vault {
    mapping(address => uint256) public owed;

    function batch(bytes[] calldata calls) external payable {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok, ) = address(this).delegatecall(calls[i]);
            require(ok, "a call failed");
        }
    }

    function put() external payable {
        owed[msg.sender] += msg.value;
    }

    function empty() external {
        payable(msg.sender).transfer(address(this).balance); // expect: ether-leak
    }
}
