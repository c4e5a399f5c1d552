// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Real contracts, made concrete where they are abstract.
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

contract Coin is ERC20("Coin", "C") {
    function mint(address to, uint256 value) external { _mint(to, value); }
    function burn(uint256 value) external { _burn(msg.sender, value); }
}

contract Art is ERC721("Art", "A") {
    function mint(address to, uint256 id) external { _safeMint(to, id); }
    function burn(uint256 id) external { _burn(id); }
}

contract Items is ERC1155("items") {
    function mint(address to, uint256 id, uint256 value) external { _mint(to, id, value, ""); }
}

contract Roles is AccessControl {
    uint256 public secret;
    constructor() { _grantRole(DEFAULT_ADMIN_ROLE, msg.sender); }
    function write(uint256 value) external onlyRole(keccak256("WRITER")) { secret = value; }
}

// Creates, clones, destroys, pays, and catches what fails.
contract Workshop is ReentrancyGuardTransient {
    Coin[] public coins;
    address public last;
    mapping(address => uint256) public paid;

    function make() external { coins.push(new Coin()); last = address(coins[coins.length - 1]); }
    function makeAt(bytes32 salt) external { last = address(new Brittle{salt: salt}()); }
    function makeAndBreak(bytes32 salt) external payable {
        Brittle b = new Brittle{salt: salt, value: msg.value}();
        try b.fail(msg.value) {} catch { paid[msg.sender] += 1; }
        b.destroy(payable(msg.sender));
    }
    function clone() external { if (last != address(0)) last = Clones.clone(last); }
    function breakLast() external { Brittle(payable(last)).destroy(payable(msg.sender)); }
    function pay(address payable to, uint256 value) external nonReentrant {
        (bool ok, ) = to.call{value: value}("");
        if (ok) paid[to] += value;
    }
    function again(uint256 n) external nonReentrant { if (n > 0) this.again(n - 1); }
    function hashes(bytes calldata data) external pure returns (bytes32, bytes32, bytes20, address) {
        return (keccak256(data), sha256(data), ripemd160(data), ecrecover(keccak256(data), 27, bytes32(uint256(1)), bytes32(uint256(2))));
    }
    receive() external payable { paid[msg.sender] += msg.value; }
}

contract Brittle {
    uint256 public x = 7;
    constructor() payable {}
    function fail(uint256 v) external { x = v; require(v % 2 == 0, "odd"); x = 0; }
    function destroy(address payable to) external { selfdestruct(to); }
    receive() external payable {}
}
