// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// oracle: requirement
// fix: main.store(amount / 100); => if (amount >= 10000) main.store(amount / 100);

error TooLow(uint256 amount);

contract Main {
    function store(uint256 amount) external pure {
        if (amount < 100) revert TooLow(amount);
    }
}

/// Passes on amounts that its partner rejects.
contract Branch {
    Main private main = new Main();

    function fee(uint256 amount) external view {
        main.store(amount / 100);
    }
}
