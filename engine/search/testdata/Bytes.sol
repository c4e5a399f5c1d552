// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

library Decoder {
    function word(bytes memory data) internal pure returns (bytes32) {
        return abi.decode(data, (bytes32));
    }
}

abstract contract Hook {
    function overridden(bytes calldata data) external returns (uint256) {
        return hook(data);
    }

    function hook(bytes memory data) internal virtual returns (uint256);
}

contract Bytes is Hook {
    using Decoder for bytes;

    struct Item {
        uint8 kind;
        bytes data;
    }

    uint256 public last;
    bytes private kept;

    function direct(bytes calldata data) external returns (address to) {
        bytes memory inner;
        (last, inner) = abi.decode(data, (uint256, bytes));
        bool[] memory flags;
        (to, flags) = abi.decode(inner, (address, bool[]));
        require(flags.length > 0);
    }

    function struct_(Item calldata item) external pure returns (string memory name, Item memory next) {
        (name, next) = abi.decode(item.data, (string, Item));
    }

    function stored(bytes calldata data) external {
        kept = data;
    }

    function readStored() external view returns (int64) {
        return abi.decode(kept, (int64));
    }

    function library_(bytes calldata data) external pure returns (bytes32) {
        bytes memory copy = data;
        return copy.word();
    }

    function hook(bytes memory data) internal override returns (uint256) {
        last = abi.decode(data, (uint16));
        return last;
    }

    function own(bytes[] calldata list) external {
        for (uint256 i = 0; i < list.length; i++) {
            (bool ok,) = address(this).delegatecall(list[i]);
            require(ok);
        }
    }

    function poke(uint256 x) external {
        last = x;
    }

    function other(address to, bytes calldata data) external returns (bool ok) {
        (ok,) = to.call{value: 0}(data);
    }

    function assembly_(address to, bytes memory data) external returns (bool ok) {
        assembly {
            ok := call(gas(), to, 0, add(data, 0x20), mload(data), 0, 0)
        }
    }

    function sliced(bytes calldata data) external pure returns (bytes4 selector, address to, uint64 amount, uint256 rest) {
        selector = bytes4(data[:4]);
        to = address(bytes20(data[4:24]));
        amount = uint64(bytes8(data[27:35]));
        rest = abi.decode(data[35:], (uint256));
    }

    function unknown(bytes calldata data) external pure returns (bytes32) {
        return keccak256(data);
    }
}
