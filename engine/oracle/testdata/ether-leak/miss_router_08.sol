pragma solidity ^0.8.0;

interface Market {
    function buy(uint256 amount) external payable returns (uint256 rest);
}

// Several calls share the ether of one transaction, of which the last one returns the rest.
contract Router {
    Market private immutable market;

    constructor(Market to) {
        market = to;
    }

    receive() external payable {}

    function multicall(bytes[] calldata calls) external payable {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok, ) = address(this).delegatecall(calls[i]);
            require(ok, "a call failed");
        }
    }

    function buy(uint256 amount) external payable {
        market.buy{value: amount}(amount);
    }

    function refund() external payable {
        if (address(this).balance > 0) {
            payable(msg.sender).transfer(address(this).balance); // allow: ether-leak
        }
    }
}
