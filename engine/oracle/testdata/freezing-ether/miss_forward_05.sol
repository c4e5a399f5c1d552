// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

contract Forward {
    address payable to = msg.sender;

    function () external payable {
        (bool ok,) = to.call.value(msg.value)("");
        require(ok);
    }
}
