// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Box {
    uint256 public value;

    function set(uint256 to) external {
        value = to;
    }
}

/// As the usual proxies, in short: the code must be there, and the data is for
/// the first call.
contract Proxy1967 {
    constructor(address _logic, bytes memory data) payable {
        require(_logic.code.length > 0, "no code");
        assembly {
            sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, _logic)
        }
        if (data.length > 0) {
            (bool ok, ) = _logic.delegatecall(data);
            require(ok, "call failed");
        }
    }

    fallback() external payable {}
}

contract Beacon {
    address public implementation;

    constructor(address implementation_) {
        require(implementation_.code.length > 0, "no code");
        implementation = implementation_;
    }
}

contract BeaconProxy {
    address private immutable beacon;

    constructor(address beacon_, bytes memory data) payable {
        require(beacon_.code.length > 0, "no beacon");
        require(Beacon(beacon_).implementation().code.length > 0, "no code");
        require(data.length == 0, "data");
        beacon = beacon_;
    }

    fallback() external payable {}
}

contract BoxFactory {
    function make() external returns (Box) {
        return new Box();
    }
}

contract Router {
    address public factory;

    constructor(address _factory, address owner) {
        require(address(BoxFactory(_factory).make()) != address(0));
        require(owner.code.length == 0, "owner");
        factory = _factory;
    }
}

interface IRegistry {
    function setInterfaceImplementer(address account, bytes32 hash, address implementer) external;
}

contract Registered {
    IRegistry private constant REGISTRY = IRegistry(0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24);

    constructor() {
        REGISTRY.setInterfaceImplementer(address(this), keccak256("Registered"), address(this));
    }

    function f() external {}
}

/// What is written to be run by proxies: its first variable is theirs.
contract Singleton {
    address private singleton;
}

contract Safe is Singleton {
    uint256 public threshold = 1;

    function lower() external {
        threshold = 0;
    }

    fallback() external payable {}
}

contract SafeProxy {
    address private singleton;

    constructor(address _singleton) {
        require(_singleton != address(0), "no singleton");
        singleton = _singleton;
    }

    fallback() external payable {
        (bool ok, ) = singleton.delegatecall(msg.data);
        require(ok, "failed");
    }
}
