pragma solidity ^0.5.0;

contract Module {
    function run() external {}
}

contract Modules {
    address public module;

    constructor() public {
        module = address(new Module());
    }

    function run(address which) external {
        require(which == module, "unknown module");
        (bool ok, ) = which.delegatecall(abi.encodeWithSignature("run()"));
        require(ok);
    }
}
