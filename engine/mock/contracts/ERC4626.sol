// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface Token {
    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// A vault: shares in a holding of one token. The virtual share and asset of
/// the conversion keep a first depositor from cheating the others.
contract ERC4626 {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares);
    event Withdraw(
        address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares
    );

    string public constant name = "Vault";
    string public constant symbol = "VLT";
    uint8 public constant decimals = 18;
    address public immutable asset;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor(address token) {
        asset = token;
    }

    function totalAssets() public view returns (uint256) {
        return Token(asset).balanceOf(address(this));
    }

    function convertToShares(uint256 assets) public view returns (uint256) {
        return assets * (totalSupply + 1) / (totalAssets() + 1);
    }

    function convertToAssets(uint256 shares) public view returns (uint256) {
        return shares * (totalAssets() + 1) / (totalSupply + 1);
    }

    function maxDeposit(address) external pure returns (uint256) {
        return type(uint256).max;
    }

    function maxMint(address) external pure returns (uint256) {
        return type(uint256).max;
    }

    function maxWithdraw(address owner) external view returns (uint256) {
        return convertToAssets(balanceOf[owner]);
    }

    function maxRedeem(address owner) external view returns (uint256) {
        return balanceOf[owner];
    }

    function previewDeposit(uint256 assets) public view returns (uint256) {
        return convertToShares(assets);
    }

    function previewMint(uint256 shares) public view returns (uint256) {
        return roundUp(shares * (totalAssets() + 1), totalSupply + 1);
    }

    function previewWithdraw(uint256 assets) public view returns (uint256) {
        return roundUp(assets * (totalSupply + 1), totalAssets() + 1);
    }

    function previewRedeem(uint256 shares) public view returns (uint256) {
        return convertToAssets(shares);
    }

    function deposit(uint256 assets, address receiver) external returns (uint256 shares) {
        shares = previewDeposit(assets);
        enter(receiver, assets, shares);
    }

    function mint(uint256 shares, address receiver) external returns (uint256 assets) {
        assets = previewMint(shares);
        enter(receiver, assets, shares);
    }

    function withdraw(uint256 assets, address receiver, address owner) external returns (uint256 shares) {
        shares = previewWithdraw(assets);
        leave(receiver, owner, assets, shares);
    }

    function redeem(uint256 shares, address receiver, address owner) external returns (uint256 assets) {
        assets = previewRedeem(shares);
        leave(receiver, owner, assets, shares);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        spend(from, value);
        move(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function enter(address receiver, uint256 assets, uint256 shares) private {
        require(Token(asset).transferFrom(msg.sender, address(this), assets), "ERC4626: not paid");
        totalSupply += shares;
        balanceOf[receiver] += shares;
        emit Transfer(address(0), receiver, shares);
        emit Deposit(msg.sender, receiver, assets, shares);
    }

    function leave(address receiver, address owner, uint256 assets, uint256 shares) private {
        spend(owner, shares);
        require(balanceOf[owner] >= shares, "ERC4626: insufficient balance");
        balanceOf[owner] -= shares;
        totalSupply -= shares;
        require(Token(asset).transfer(receiver, assets), "ERC4626: not paid");
        emit Transfer(owner, address(0), shares);
        emit Withdraw(msg.sender, receiver, owner, assets, shares);
    }

    function spend(address owner, uint256 value) private {
        if (msg.sender == owner || allowance[owner][msg.sender] == type(uint256).max) return;
        require(allowance[owner][msg.sender] >= value, "ERC4626: insufficient allowance");
        allowance[owner][msg.sender] -= value;
    }

    function move(address from, address to, uint256 value) private {
        require(to != address(0), "ERC4626: transfer to the zero address");
        require(balanceOf[from] >= value, "ERC4626: insufficient balance");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }

    function roundUp(uint256 a, uint256 b) private pure returns (uint256) {
        return (a + b - 1) / b;
    }
}
