pragma solidity ^0.8.0;

// One call hands all contracts over; each asserts that it knows those it needs.
contract Vault {
    uint256 public held;

    function put(uint256 amount) external {
        held = amount;
    }
}

contract Ledger {
    uint256 public entries;

    function enter() external {
        entries++;
    }
}

contract Desk {
    address private immutable admin = msg.sender;
    Vault private vault;
    Ledger private ledger;
    bool private ready;

    function setAddresses(address vault_, address ledger_) external {
        require(msg.sender == admin && !ready, "set");
        (vault, ledger, ready) = (Vault(vault_), Ledger(ledger_), true);
    }

    function serve(uint256 amount) external {
        assert(ready && address(vault) != address(0) && address(ledger) != address(0));
        vault.put(amount);
        ledger.enter();
    }
}
