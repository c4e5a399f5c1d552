pragma solidity ^0.4.24;

contract Register {
    mapping(bytes32 => address) public names;

    function claim(bytes32 name) public {
        require(names[name] == 0);
        names[name] = msg.sender;
    }
}

contract StrictAgency {
    Register public register = new Register();

    function claim(bytes32 name) public {
        require(address(register).call(bytes4(keccak256("claim(bytes32)")), name));
    }
}
