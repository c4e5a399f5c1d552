// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Can be re-entered by the attacker's contract.
contract Hole {
    mapping(address => uint256) public balances;

    function deposit() external payable {
        balances[msg.sender] += msg.value;
    }

    function withdraw() external {
        uint256 amount = balances[msg.sender];
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
        balances[msg.sender] = 0;
    }

    function check(address who) external view {
        assert(address(this).balance >= balances[who]);
    }
}
