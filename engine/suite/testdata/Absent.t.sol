// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vault {
    function deposit(uint256 amount) external;
    function balanceOf(address who) external view returns (uint256);
    function name() external view returns (string memory);
}

contract User {
    function read(Vault v) external view returns (uint256) {
        return v.balanceOf(address(this)) + 1;
    }

    function refuse(bool ok) external pure {
        if (!ok) revert();
    }
}

// The tests in whose names is Needs fail because the vault has no code, the others for other reasons.
contract AbsentTest {
    Vault constant vault = Vault(address(uint160(uint256(keccak256("vault")))));
    User user = new User();

    function testNeedsCode() external {
        vault.deposit(1);
    }

    function testNeedsAnswer() external view returns (uint256) {
        return vault.balanceOf(address(this));
    }

    function testNeedsText() external view returns (string memory) {
        return vault.name();
    }

    function testUserNeedsAnswer() external view returns (uint256) {
        return user.read(vault);
    }

    function testOtherRevert() external view {
        user.refuse(false);
    }

    function testOtherReason() external {
        try this.testNeedsCode() {} catch {
            revert("not deposited");
        }
    }

    function testOtherPayment() external {
        (bool ok, ) = address(vault).call{value: 1}("");
        user.refuse(!ok);
    }

    function testOtherCall() external {
        (bool ok, ) = address(vault).call(abi.encodeCall(Vault.deposit, (1)));
        user.refuse(!ok);
    }
}
