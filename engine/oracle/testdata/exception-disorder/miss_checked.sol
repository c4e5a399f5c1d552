pragma solidity ^0.5.0;

contract Register {
    mapping(bytes32 => address) public names;

    function claim(bytes32 name) public {
        require(names[name] == address(0));
        names[name] = msg.sender;
    }
}

contract CheckedAgency {
    Register public register = new Register();
    uint256 public claims;

    function claim(bytes32 name) public {
        (bool ok, ) = address(register).call(abi.encodeWithSignature("claim(bytes32)", name));
        if (ok) {
            claims++;
        }
    }

    function direct(bytes32 name) public {
        register.claim(name);
        claims++;
    }
}
