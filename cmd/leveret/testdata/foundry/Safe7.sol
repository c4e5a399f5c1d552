// SPDX-License-Identifier: MIT
pragma solidity 0.7.6;
// oracle: selfdestruct
// fix: external { selfdestruct => external { require(msg.sender == heir); selfdestruct

/// The compiler needs a pragma to decode structs.
contract Safe7 {
    address payable heir = msg.sender;

    receive() external payable {}

    function close() external { selfdestruct(heir); }
}
