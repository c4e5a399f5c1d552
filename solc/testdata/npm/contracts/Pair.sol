// SPDX-License-Identifier: MIT
pragma solidity =0.5.16;

import "@uniswap/v2-core/contracts/UniswapV2Pair.sol";

/// Uniswap v2's pair over any two tokens; it is its own factory, and takes the
/// protocol's fee.
contract Pair is UniswapV2Pair {
    constructor(IERC20 a, IERC20 b) public {
        factory = address(this);
        token0 = address(a);
        token1 = address(b);
    }

    function feeTo() external view returns (address) {
        return tx.origin;
    }
}
