// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Contracts that work only once their deployer introduced them to one another: the
// assertions fail behind that.

abstract contract Owned {
    address public owner = msg.sender;

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    // As often: an address has to be that of a contract.
    function check(address a) internal view {
        require(a.code.length > 0, "no contract");
    }
}

// 1. All are deployed first, then told where the others are; then nobody owns them.

interface IPool {
    function put(address who) external payable;
    function take(address who, uint256 amount) external;
}

interface IShares {
    function mint(address to, uint256 amount) external;
    function burn(address from, uint256 amount) external;
}

contract Desk is Owned {
    IPool public pool;
    address sharesAddress;

    function setAddresses(address _poolAddress, address _sharesAddress) external onlyOwner {
        check(_poolAddress);
        check(_sharesAddress);
        pool = IPool(_poolAddress);
        sharesAddress = _sharesAddress;
        owner = address(0);
    }

    function open() external payable {
        require(msg.value > 1 ether, "little");
        pool.put{value: msg.value}(msg.sender);
        IShares(sharesAddress).mint(msg.sender, msg.value);
    }

    function close(uint256 amount) external {
        IShares(sharesAddress).burn(msg.sender, amount);
        pool.take(msg.sender, amount);
        assert(amount == 0); // Desk
    }
}

contract Pool is Owned, IPool {
    address public deskAddress;
    mapping(address => uint256) public held;

    function setAddresses(address _deskAddress) external onlyOwner {
        check(_deskAddress);
        deskAddress = _deskAddress;
        owner = address(0);
    }

    function put(address who) external payable {
        require(msg.sender == deskAddress, "not the desk");
        held[who] += msg.value;
    }

    function take(address who, uint256 amount) external {
        require(msg.sender == deskAddress, "not the desk");
        held[who] -= amount;
        payable(who).transfer(amount);
    }
}

// The deskAddress is needed at once, and that is no contract before the desk is.
contract Shares is IShares {
    address public immutable deskAddress;
    mapping(address => uint256) public balance;

    constructor(address _deskAddress) {
        require(_deskAddress.code.length > 0, "no contract");
        deskAddress = _deskAddress;
    }

    function mint(address to, uint256 amount) external {
        require(msg.sender == deskAddress, "not the desk");
        balance[to] += amount;
    }

    function burn(address from, uint256 amount) external {
        require(msg.sender == deskAddress, "not the desk");
        balance[from] -= amount;
    }
}

// 2. Constructors read in a register where the others will be.

struct Places {
    ICellar cellar;
    ILift lift;
    address keeperAddress;
}

interface ICellar {
    function bottles() external view returns (uint256);
}

interface ILift {
    function floors() external view returns (uint256);
}

contract Register is Owned {
    ICellar public cellar;
    ILift public lift;
    address public keeper;
    uint256 public immutable limit;

    constructor(uint256 _limit) {
        require(_limit >= 1e18 && _limit < 2e18, "limit");
        limit = _limit;
    }

    function setPlaces(Places memory places) external onlyOwner {
        cellar = places.cellar;
        lift = places.lift;
        keeper = places.keeperAddress;
        owner = address(0);
    }
}

contract Cellar is ICellar {
    ILift immutable lift;
    uint256 public bottles;

    constructor(Register register) {
        lift = register.lift();
        require(address(lift) != address(0), "no lift");
        require(register.cellar() == this, "not the cellar of the register");
    }

    function store(uint256 n) external {
        require(n > lift.floors(), "too few");
        bottles += n;
        assert(bottles < 20); // Cellar
    }
}

contract Lift is ILift {
    ICellar immutable cellar;
    uint256 public floors = 3;

    constructor(Register register) {
        cellar = register.cellar();
        require(address(cellar) != address(0), "no cellar");
    }

    function grow() external {
        require(cellar.bottles() > 10, "too few");
        floors++;
        assert(floors < 5); // Lift
    }
}

contract Keeper {}

// 3. Two constructors need one another's address.

contract Front {
    Back public immutable back;

    constructor(Back _back) {
        back = _back;
    }

    function ring(uint256 n) external {
        assert(back.answer(n) != 7); // Front
    }
}

contract Back {
    Front public immutable front;

    constructor(Front _front) {
        require(address(_front) != address(0), "no front");
        front = _front;
    }

    function answer(uint256 n) external view returns (uint256) {
        require(msg.sender == address(front), "not the front");
        return n;
    }
}

// 4. Contracts in structs of constructors.

struct Needs {
    Keeper keeper;
    address[] users;
    Inner inner;
}

struct Inner {
    Keeper[2] others;
    uint256 fee;
}

contract Nested {
    Keeper immutable keeper;

    constructor(Needs memory needs) {
        require(address(needs.keeper).code.length > 0 && address(needs.inner.others[1]).code.length > 0, "no contract");
        require(needs.inner.others[0] != needs.inner.others[1], "twice");
        keeper = needs.keeper;
    }

    function poke() external view {
        assert(address(keeper).code.length == 0); // Nested
    }
}

// 5. Calls that a deployment does not make.

contract Later is Owned {
    Later public successor;
    Keeper public pendingKeeper;
    Keeper[] public keepers;

    // Ends everything.
    function migrate(Later to) external onlyOwner {
        successor = to;
    }

    function setPending(Keeper keeper) external onlyOwner {
        pendingKeeper = keeper;
    }

    // One of many; which ones is not known.
    function add(Keeper keeper) external onlyOwner {
        keepers.push(keeper);
    }

    // Nothing is stored.
    function visit(Keeper keeper) external view onlyOwner {
        check(address(keeper));
    }

    function work() external view returns (bool) {
        require(address(successor) == address(0), "over");
        return true;
    }
}

// Whoever comes first decides.
contract Early {
    Keeper public keeper;
    address public chief;

    function initialize(Keeper _keeper) external {
        require(chief == address(0), "done");
        keeper = _keeper;
        chief = msg.sender;
    }

    function end() external {
        require(msg.sender == chief && msg.sender != address(0), "not the chief");
        selfdestruct(payable(msg.sender));
    }
}

// An upgradeable contract that its owner initializes and then wires.
contract Staged {
    address public owner;
    Keeper public keeper;
    bool initialized;

    modifier initializer() {
        require(!initialized, "initialized");
        initialized = true;
        _;
    }

    constructor() {
        initialized = true;
    }

    function initialize(address _owner) external initializer {
        owner = _owner;
    }

    function setKeeper(Keeper _keeper) external {
        require(msg.sender == owner, "not the owner");
        keeper = _keeper;
    }

    function poke() external view {
        assert(address(keeper).code.length == 0); // Staged
    }
}

// 6. What others have to allow or to know first.

contract Coin is Owned {
    mapping(address => bool) public minters;
    mapping(address => uint256) public balanceOf;

    function setMinter(address who, bool allowed) external onlyOwner {
        minters[who] = allowed;
    }

    function mint(address to, uint256 amount) external {
        require(minters[msg.sender], "not a minter");
        balanceOf[to] += amount;
    }
}

contract Vault {
    Coin immutable coin;

    constructor(Coin _coin) {
        coin = _coin;
    }

    function enter() external payable {
        require(msg.value > 0, "nothing");
        coin.mint(msg.sender, msg.value);
        assert(msg.value < 1 ether); // Vault
    }
}

interface IGauge {
    function latest() external view returns (uint256 level, uint256 at);
}

contract Gauge is IGauge {
    uint128 level;
    uint128 at;

    function setLevel(uint128 to) external {
        level = to;
    }

    function setTime(uint128 to) external {
        at = to;
    }

    function latest() external view returns (uint256, uint256) {
        return (level, at);
    }
}

contract Meter is Owned {
    IGauge gauge;

    function setGauge(IGauge to) external onlyOwner {
        (uint256 level, uint256 at) = to.latest();
        require(level > 10 && at + 4 hours > block.timestamp, "no level");
        gauge = to;
        owner = address(0);
    }

    function read() external view {
        (uint256 level, ) = gauge.latest();
        assert(level < 100); // Meter
    }
}

// Who administers is known before the first user of the register is deployed.
contract Offices is Owned {
    mapping(bytes32 => address) places;

    function setAdmin(address to) external onlyOwner {
        places["ADMIN"] = to;
    }

    function admin() external view returns (address) {
        return places["ADMIN"];
    }
}

contract Ledger {
    address public admin;

    constructor(Offices offices) {
        require(offices.admin() != address(0), "no admin");
        admin = offices.admin();
    }

    function enter(uint256 amount) external view {
        require(msg.sender == admin);
        assert(amount != 31337); // Ledger
    }
}

// What hands the keeper over ends the time for entries, so it is left to the campaign.
contract Season is Owned {
    Keeper keeper;
    uint32 last = uint32(block.timestamp + 100 days);
    mapping(address => uint256) entries;

    function enter() external payable {
        require(block.timestamp < last, "late");
        entries[msg.sender] += msg.value;
    }

    function settle(Keeper to) external onlyOwner {
        require(block.timestamp < last, "late");
        keeper = to;
        last = uint32(block.timestamp);
    }

    function leave() external {
        require(block.timestamp > last && entries[msg.sender] > 0, "not yet");
        assert(entries[msg.sender] < 5 ether); // Season
    }
}

// Times that a call notes do not stop it from handing the keeper over.
contract Dated is Owned {
    Keeper keeper;
    uint256 made = block.timestamp;
    uint256 given;

    function give(Keeper to) external onlyOwner {
        keeper = to;
        made = block.timestamp;
        given = block.timestamp;
    }
}
