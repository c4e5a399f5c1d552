pragma solidity ^0.8.0;

abstract contract Asserts {
    function atLeast(uint256 a, uint256 b, string memory reason) internal virtual;
}

abstract contract Helpers {
    event AssertFail(string);
    event Log(string);
    event Pair(string, uint256);

    function check(bool ok, string memory reason) internal {
        if (!ok) {
            emit AssertFail(reason);
            assert(false);
        }
    }

    function checkPair(uint256 a, uint256 b, string memory reason) internal {
        if (a != b) {
            emit Pair(reason, a);
            assert(false);
        }
    }
}

contract Vault is Helpers {
    function withdraw(uint256 amount) external {
        check(amount < 10, "the vault is poor");
    }
}

contract SaidTest is Asserts, Helpers {
    Vault vault = new Vault();
    uint256 total;

    function atLeast(uint256 a, uint256 b, string memory reason) internal override {
        check(a >= b, reason);
    }

    // A text that is longer than a word.
    function testPlain() public {
        emit Log("it begins");
        check(total == 1, "V-01: the vault owes less than what it has received");
    }

    function testWrapped() public {
        check(total == 0, "V-02: never");
        atLeast(total, 1, "V-03: more");
    }

    function testPair() public {
        checkPair(total, 1, "V-04: equal");
    }

    // What code says that does more than assert is not the reason.
    function testOwn() public {
        emit Log("it begins");
        assert(total == 1);
    }

    function testCaught() public {
        try vault.withdraw(11) {} catch {}
        vault.withdraw(12);
    }

    function testLater() public {
        try vault.withdraw(11) {} catch {}
        require(total == 1, "no total");
    }
}
