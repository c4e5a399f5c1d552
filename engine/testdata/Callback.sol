// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface ICoin {
    function decimals() external view returns (uint8);
}

interface IVault {
    function coin() external view returns (address);
}

interface IMaker {
    function parameters() external view returns (IVault, uint256);
}

/// Asks its creator what it should be. The vault's coin has to be there.
contract Bond {
    uint256 immutable unit;
    uint256 immutable due;

    constructor() {
        (IVault vault, uint256 until) = IMaker(msg.sender).parameters();
        unit = 10 ** ICoin(vault.coin()).decimals();
        due = until;
    }

    function redeem(uint256 coins) external view {
        assert(coins / unit != 42);
    }
}

/// Has the code of the bond, in place of the maker.
library Press {
    function press(bytes32 salt) external returns (Bond) {
        return new Bond{salt: salt}();
    }
}

contract Maker is IMaker {
    IVault private vault;
    uint256 private until;

    function make(IVault by, uint256 due) external returns (Bond made) {
        require(due > block.timestamp, "too late");
        (vault, until) = (by, due);
        made = Press.press(bytes32(due));
        delete vault;
    }

    function parameters() external view returns (IVault, uint256) {
        return (vault, until);
    }
}

/// Code of what the bond needs names a contract.
contract Vault is IVault {
    ICoin constant COIN = ICoin(0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48);

    function coin() external pure returns (address) {
        return address(COIN);
    }

    function unit() external view returns (uint8) {
        return COIN.decimals();
    }
}
