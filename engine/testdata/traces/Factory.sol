// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Creations, libraries, delegation, precompiles, and what a contract leaves
/// behind.
library Ledger {
    struct Book {
        mapping(uint256 => uint256) lines;
        uint256 length;
    }

    function write(Book storage book, uint256 line) external returns (uint256) {
        book.lines[book.length] = line;
        return ++book.length;
    }
}

contract Child {
    uint256 public number;
    address payable parent;

    constructor(uint256 n) payable {
        number = n;
        parent = payable(msg.sender);
    }

    function leave() external {
        require(msg.sender == parent, "not my parent");
        selfdestruct(parent);
    }
}

contract Logic {
    uint8 public version;
    address public owner;

    function initialize(uint8 v) external {
        version = v;
        owner = msg.sender;
    }

    function broken() external pure returns (uint256) {
        uint256[] memory list = new uint256[](2);
        return list[list.length];
    }
}

contract Factory {
    using Ledger for Ledger.Book;

    uint8 version;
    address owner;
    Ledger.Book book;
    Child child;
    address logic;

    constructor() {
        logic = address(new Logic());
    }

    function make(uint256 n) external payable {
        child = new Child{value: msg.value}(n);
        Child twin = new Child{salt: bytes32(n)}(n + 1);
        book.write(twin.number());
    }

    function end() external {
        child.leave();
    }

    function digest(bytes calldata data) external pure returns (bytes32) {
        return sha256(data);
    }

    function sum(uint256 n) external {
        uint256 s;
        for (uint256 i = 0; i < n; i++) {
            s += i;
        }
        version = uint8(s);
    }

    function property_version() external view returns (bool) {
        return version < 10;
    }

    receive() external payable {}

    fallback() external {
        (bool ok, bytes memory data) = logic.delegatecall(msg.data);
        if (!ok) {
            assembly {
                revert(add(data, 32), mload(data))
            }
        }
    }
}
