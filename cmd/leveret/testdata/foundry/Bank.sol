// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// oracle: reentrancy
// fix: (bool ok, ) = msg.sender.call => balances[msg.sender] = 0; (bool ok, ) = msg.sender.call

/// Pays before it reduces the balance.
contract Bank {
    mapping(address => uint256) public balances;

    function deposit() external payable {
        balances[msg.sender] += msg.value;
    }

    function withdraw() external {
        uint256 amount = balances[msg.sender];
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not paid");
        balances[msg.sender] = 0;
    }
}
