// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// oracle: ether-leak
// fix: try token.transferFrom(msg.sender, address(this), amount) {} catch {} => require(token.transferFrom(msg.sender, address(this), amount));

interface IERC20 {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

/// Needs a token that the project lacks, and pays without a deposit.
contract Exchange {
    IERC20 immutable token;

    constructor(IERC20 _token) {
        token = _token;
    }

    receive() external payable {}

    function sell(uint256 amount) external {
        try token.transferFrom(msg.sender, address(this), amount) {} catch {}
        payable(msg.sender).transfer(amount);
    }
}
