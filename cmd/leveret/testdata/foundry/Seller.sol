// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// oracle: exception-disorder
// fix: address(store).call(abi.encodeCall(Depot.take, (amount))); => store.take(amount);

contract Depot {
    uint256 public left = 10;

    function take(uint256 amount) external {
        require(amount <= left, "empty");
        left -= amount;
    }
}

/// Sells what the depot rejects.
contract Seller {
    Depot immutable store = new Depot();
    uint256 public sold;

    function sell(uint256 amount) external {
        sold += 1;
        address(store).call(abi.encodeCall(Depot.take, (amount)));
    }
}
