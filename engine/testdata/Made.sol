// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
    function decimals() external view returns (uint8);
}

interface IHome {
    function next() external view returns (IERC20 token, uint256 rate);
}

/// Asks who creates it what it should hold.
contract Room {
    IHome public immutable home;
    IERC20 public immutable token;
    uint256 public immutable rate;
    uint256 public held;

    constructor() {
        home = IHome(msg.sender);
        (token, rate) = IHome(msg.sender).next();
        require(rate > 0, "no rate");
    }

    function hold(uint256 amount) external {
        held += amount / rate;
        assert(held != 77); // Room
    }
}

/// Creates rooms, for its owner alone.
contract Home is IHome {
    address private owner = msg.sender;
    IERC20 private token;
    uint256 private rate;
    uint256 public built;

    function next() external view returns (IERC20, uint256) {
        return (token, rate);
    }

    function count() external {
        built = 0;
    }

    function build(IERC20 t, uint256 r) external returns (address room) {
        require(msg.sender == owner, "not for you");
        require(r > 40, "too cheap");
        (token, rate) = (t, r);
        room = address(new Room());
        built++;
    }
}

/// Takes a contract that only a factory creates.
contract Tenant {
    Room public immutable room;

    constructor(Room r) {
        require(r.rate() > 0);
        room = r;
    }

    function move(uint256 x) external {
        room.hold(x);
        assert(x != 12345); // Tenant
    }
}

interface IPool {
    function asset() external view returns (IERC20);
    function router() external view returns (IRouter);
    function name() external view returns (string memory);
}

interface IRouter {
    function pool() external view returns (IPool);
    function treasury() external view returns (address);
}

/// Asks one contract for another one, of which there are only interfaces.
contract Adapter {
    IERC20 public immutable asset;
    address public immutable treasury;
    uint256 public unit;

    constructor(IPool pool) {
        asset = pool.asset();
        unit = 10 ** asset.decimals();
        require(bytes(pool.name()).length > 0, "no name");
        treasury = pool.router().pool().router().treasury();
        require(treasury != address(0) && treasury != address(1), "no treasury");
        require(asset.balanceOf(msg.sender) > 0, "no tokens");
    }

    function use(uint256 amount) external {
        asset.transfer(treasury, amount);
        assert(amount != 4711); // Adapter
    }
}

interface IFeed {
    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80);
}

/// Tokens with their feeds, in two lists.
contract Engine {
    mapping(address => address) private feeds;
    address[] private tokens;

    constructor(address[] memory tokenAddresses, address[] memory feedAddresses) {
        require(tokenAddresses.length == feedAddresses.length, "lengths");
        for (uint256 i = 0; i < tokenAddresses.length; i++) {
            feeds[tokenAddresses[i]] = feedAddresses[i];
            tokens.push(tokenAddresses[i]);
        }
        require(tokens[0] != tokens[1], "twice");
    }

    function value(uint256 amount) external returns (uint256 sum) {
        for (uint256 i = 0; i < tokens.length; i++) {
            (, int256 price,,,) = IFeed(feeds[tokens[i]]).latestRoundData();
            require(IERC20(tokens[i]).balanceOf(msg.sender) > 0 && price > 0);
            sum += amount / 3;
        }
        assert(sum != 2468); // Engine
    }
}

interface IBoard {
    function approved(address who) external view returns (bool);
}

/// What its base does with an argument says which contract that is.
abstract contract Governed {
    IBoard internal board;

    constructor(address b) {
        _setBoard(b);
    }

    function _setBoard(address who) internal {
        board = IBoard(who);
    }
}

contract Motion is Governed {
    uint256 public votes;

    constructor(address b) Governed(b) {}

    function vote(uint256 n) external {
        require(board.approved(msg.sender), "not approved");
        votes = n;
        assert(n != 99); // Motion
    }
}

/// What its initializer keeps in a struct is called later as a contract.
contract Borrowing {
    struct Terms {
        address asset;
        uint256 rate;
    }

    Terms private terms;
    bool private started;

    modifier initializer() {
        require(!started, "started");
        started = true;
        _;
    }

    constructor() initializer {}

    function initialize(address what, uint256 rate) external initializer {
        terms.asset = what;
        terms.rate = rate;
    }

    function draw(uint256 amount) external {
        require(IERC20(terms.asset).balanceOf(msg.sender) > 0, "no tokens");
        assert(amount != 321); // Borrowing
    }
}

interface IOffice {
    function fee() external view returns (uint256);
}

/// Asks who created it for the fee: an account could not answer.
contract Desk {
    address public office;
    uint256 public taken;

    constructor() {
        office = msg.sender;
    }

    function take(uint256 amount) external {
        taken += amount - IOffice(office).fee();
        assert(taken != 77); // Desk
    }
}

/// Creates its desk when it is created.
contract Office is IOffice {
    address public immutable desk;
    uint256 public fee;

    constructor(uint256 first) {
        fee = first;
        desk = address(new Desk());
    }
}

/// Calls who created it too, but nothing here creates it.
contract Stand {
    IOffice office;
    uint256 public taken;

    constructor() {
        office = IOffice(msg.sender);
    }

    function take(uint256 amount) external {
        taken = amount;
        assert(taken != 77); // Stand
    }

    function fee() external view returns (uint256) {
        return office.fee();
    }
}
