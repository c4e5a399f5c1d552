pragma solidity ^0.8.0;

contract Settings {
    address public immutable admin = msg.sender;
    uint256 public fee;

    modifier onlyAdmin() {
        if (admin != tx.origin) revert(); // expect: tx-origin
        _;
    }

    function setFee(uint256 to) external onlyAdmin {
        fee = to;
    }
}
