// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Proxy {
    address private immutable code;

    constructor() {
        code = address(new Code());
    }

    fallback() external payable {
        address to = code;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(ok) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

contract Code {
    address immutable owner = msg.sender;

    receive() external payable {}

    function pay() external {
        require(msg.sender == owner, "owner");
        payable(msg.sender).transfer(address(this).balance);
    }
}
