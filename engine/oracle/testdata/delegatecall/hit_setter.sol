pragma solidity ^0.5.0;

// Anybody may set the library.
contract Upgradable {
    address public library_;
    uint256 public value;

    function setLibrary(address next) public {
        library_ = next;
    }

    function work(uint256 x) public {
        (bool ok, ) = library_.delegatecall(abi.encodeWithSignature("work(uint256)", x)); // expect: delegatecall
        require(ok);
    }
}
