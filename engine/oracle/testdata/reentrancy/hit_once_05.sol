pragma solidity ^0.5.0;

// Only an interface tells what the register can do. It can be set once.
interface Register {
    function note(address who, uint256 amount) external;
}

contract Till {
    mapping(address => uint256) public balances;
    Register register;
    bool ready;

    function setRegister(address to) public {
        require(!ready);
        register = Register(to);
        ready = true;
    }

    function put() public payable {
        require(ready);
        balances[msg.sender] += msg.value;
        register.note(msg.sender, msg.value);
    }

    function take() public {
        uint256 amount = balances[msg.sender];
        register.note(msg.sender, amount);
        (bool ok, ) = msg.sender.call.value(amount)(""); // expect: reentrancy // allow: ether-leak
        require(ok);
        balances[msg.sender] = 0;
    }
}
