// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC165 {
    function supportsInterface(bytes4 id) external view returns (bool);
}

interface IDirectory {
    function lookup(address who) external view returns (address);
}

library Checker {
    function has(address who, bytes4 id) internal view returns (bool) {
        return claims(who, 0x01ffc9a7) && !claims(who, 0xffffffff) && claims(who, id);
    }

    function claims(address who, bytes4 id) private view returns (bool) {
        (bool ok, bytes memory answer) = who.staticcall{gas: 30000}(abi.encodeWithSelector(IERC165.supportsInterface.selector, id));
        return ok && answer.length >= 32 && abi.decode(answer, (bool));
    }
}

/// Asks an address that may be of any contract.
contract Plain {
    address public directory;
    address public owner;

    constructor(address at, address owner_) {
        require(Checker.has(at, type(IDirectory).interfaceId), "no directory");
        (directory, owner) = (at, owner_);
    }
}

/// Asks a contract of which it has the interface.
contract Known {
    IDirectory public directory;

    constructor(IDirectory at) {
        require(Checker.has(address(at), type(IDirectory).interfaceId), "no directory");
        directory = at;
    }
}

/// Asks a contract of which it has only the interface that a mock has, too.
contract Converted {
    address public directory;

    constructor(address at) {
        require(IERC165(at).supportsInterface(0x01ffc9a7) && !IERC165(at).supportsInterface(0xffffffff), "no answer");
        require(IERC165(at).supportsInterface(type(IDirectory).interfaceId), "no directory");
        directory = at;
    }
}
