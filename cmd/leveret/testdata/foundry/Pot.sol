// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// oracle: ether-leak,selfdestruct
// fix: owner = msg.sender; } // anyone => require(msg.sender == owner); owner = msg.sender; }

/// Anyone can become the owner.
contract Pot {
    address owner = msg.sender;

    receive() external payable {}

    function init() external { owner = msg.sender; } // anyone

    function collect() external {
        require(msg.sender == owner);
        payable(owner).transfer(address(this).balance);
    }

    function end() external {
        require(msg.sender == owner);
        selfdestruct(payable(owner));
    }
}
