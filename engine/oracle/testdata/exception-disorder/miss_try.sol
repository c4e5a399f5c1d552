pragma solidity ^0.8.0;

contract Vault {
    uint256 public left = 10;

    function take(uint256 amount) external {
        require(amount <= left, "empty");
        left -= amount;
    }
}

contract TryShop {
    Vault public vault = new Vault();
    uint256 public sold;
    uint256 public failed;

    function sell(uint256 amount) external {
        try vault.take(amount) {
            sold += amount;
        } catch {
            failed += 1;
        }
    }
}
