// SPDX-License-Identifier: MIT
pragma solidity =0.7.6;

import "@uniswap/v3-core/contracts/libraries/Position.sol";
import "@uniswap/v3-core/contracts/libraries/SwapMath.sol";
import "@uniswap/v3-core/contracts/libraries/Tick.sol";
import "@uniswap/v3-core/contracts/libraries/TickBitmap.sol";
import "@uniswap/v3-core/contracts/libraries/TickMath.sol";

/// The libraries of Uniswap v3's pool over storage of their own, in the order
/// in which the pool calls them.
contract Ticks {
    using Position for mapping(bytes32 => Position.Info);
    using Position for Position.Info;
    using Tick for mapping(int24 => Tick.Info);
    using TickBitmap for mapping(int16 => uint256);

    int24 private constant SPACING = 60;

    mapping(int24 => Tick.Info) private ticks;
    mapping(int16 => uint256) private bitmap;
    mapping(bytes32 => Position.Info) private positions;
    int24 public current;
    uint160 public price = 1 << 96;

    function modify(int24 lower, int24 upper, int128 liquidity) external {
        require(lower < upper && lower >= TickMath.MIN_TICK && upper <= TickMath.MAX_TICK, "T");
        uint128 most = Tick.tickSpacingToMaxLiquidityPerTick(SPACING);
        Position.Info storage position = positions.get(msg.sender, lower, upper);
        uint32 time = uint32(block.timestamp);
        if (ticks.update(lower, current, liquidity, 0, 0, 0, 0, time, false, most)) bitmap.flipTick(lower, SPACING);
        if (ticks.update(upper, current, liquidity, 0, 0, 0, 0, time, true, most)) bitmap.flipTick(upper, SPACING);
        (uint256 inside0, uint256 inside1) = ticks.getFeeGrowthInside(lower, upper, current, 0, 0);
        position.update(liquidity, inside0, inside1);
    }

    function move(bool down, uint128 liquidity, int256 amount, uint24 fee) external {
        require(fee < 1e6, "F");
        (int24 next, bool initialized) = bitmap.nextInitializedTickWithinOneWord(current, SPACING, down);
        if (next < TickMath.MIN_TICK) next = TickMath.MIN_TICK;
        if (next > TickMath.MAX_TICK) next = TickMath.MAX_TICK;
        uint160 target = TickMath.getSqrtRatioAtTick(next);
        (price,,,) = SwapMath.computeSwapStep(price, target, liquidity, amount, fee);
        if (price == target && initialized) ticks.cross(next, 0, 0, 0, 0, uint32(block.timestamp));
        current = price == target ? (down ? next - 1 : next) : TickMath.getTickAtSqrtRatio(price);
    }

    function tickAt(uint160 ratio) external pure returns (int24) {
        return TickMath.getTickAtSqrtRatio(ratio);
    }
}
