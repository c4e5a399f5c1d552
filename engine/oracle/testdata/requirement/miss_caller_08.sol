pragma solidity ^0.8.0;

// The desk passes on who calls it, and what that asks for. A guest that does so from the
// attacker's contract is refused like any other.
contract Register {
    function check(address who, address[] calldata list) external pure {
        for (uint256 i = 0; i < list.length; i++) {
            require(list[i] != who, "asks for itself");
        }
    }

    function few(uint256 rooms) external pure {
        require(rooms < 10, "too many");
    }
}

interface Guest {
    function ask() external;
}

contract Desk {
    Register private register = new Register();
    uint256 public rooms;

    function enter(address[] calldata list) external {
        register.check(msg.sender, list);
        rooms++;
    }

    function book(uint256 more) external {
        register.few(more);
        rooms += more;
    }

    function invite(Guest guest) external {
        guest.ask();
    }
}
