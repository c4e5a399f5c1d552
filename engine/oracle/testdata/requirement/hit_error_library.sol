pragma solidity ^0.8.0;

library Errors {
    string internal constant TOO_MUCH = "this is more than what the account may take out of the pool";

    function check(bool ok, string memory why) internal pure {
        require(ok, why); // expect: requirement
    }
}

library Rules {
    function limit(uint256 amount, uint256 most) internal pure {
        require(amount <= most, Errors.TOO_MUCH); // expect: requirement
    }
}

contract Store {
    uint256 public most = 1000;

    function put(uint256 amount, uint256 fee) external view {
        Errors.check(fee < 100, Errors.TOO_MUCH);
        Rules.limit(amount, most);
    }
}

contract Pool {
    Store private store = new Store();
    uint256 private fees = 7;

    function deposit(uint256 amount) external view {
        store.put(amount % 1000, fees * 100);
    }

    function depositMore() external view {
        store.put(fees * 1000, 3);
    }
}
