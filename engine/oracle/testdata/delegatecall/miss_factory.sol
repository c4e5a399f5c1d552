pragma solidity ^0.8.0;

// Whoever creates a proxy chooses its code: it is theirs.
contract Proxy {
    address private immutable code;

    constructor(address code_, bytes memory data) {
        code = code_;
        if (data.length > 0) {
            (bool ok, ) = code_.delegatecall(data);
            require(ok, "not initialised");
        }
    }

    fallback() external payable {
        (bool ok, ) = code.delegatecall(msg.data);
        require(ok, "failed");
    }
}

contract Factory {
    mapping(address => address) public creator;

    function create(address code, bytes calldata constructing, bytes calldata calling) external {
        Proxy made = new Proxy(code, constructing);
        creator[address(made)] = msg.sender;
        if (calling.length > 0) {
            (bool ok, ) = address(made).call(calling);
            require(ok, "not set up");
        }
    }
}
