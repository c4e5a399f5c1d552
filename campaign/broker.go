package campaign

import (
	"cmp"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats-server/v2/server"

	"leveret/solc/atomicfile"
)

// BrokerOptions say how a broker serves a campaign.
type BrokerOptions struct {
	Name      string // of the campaign
	Dir       string // folder that keeps everything
	Address   string // host:port; port 0: the one that Dir had before, or a free one
	Cert, Key string // PEM files of TLS; empty: without TLS
	Store     int64  // bytes that the campaign may take on disk
}

// A Broker is a NATS server with JetStream in this process.
//
// It has two users. The owner may do everything. Workers may add inputs and witnesses,
// and read; they may neither change what is to be fuzzed nor delete or end anything.
type Broker struct {
	server *server.Server
	lock   *flock.Flock
	saved  savedBroker
}

// A savedBroker is what a broker remembers, so that its URLs stay the same.
type savedBroker struct {
	Name   string `json:"name"`   // of the campaign
	Scheme string `json:"scheme"` // of the URL
	Host   string `json:"host"`   // that it listens at
	Public string `json:"public"` // host in URLs for other machines
	Leaf   string `json:"leaf"`   // SHA-256 of its certificate; empty: without TLS
	Port   int    `json:"port"`
	Owner  string `json:"owner"` // password
	Worker string `json:"worker"`
}

// The users of a broker.
const (
	ownerName  = "owner"
	workerName = "worker"
)

const brokerFile = "broker.json"

var errRuns = errors.New("a campaign in this folder runs")

// brokerStart bounds the time that a broker takes to start.
const brokerStart = 30 * time.Second

// StartBroker starts a broker. Without TLS its address must be on loopback.
func StartBroker(o BrokerOptions) (*Broker, error) {
	host, port, err := splitAddress(o.Address)
	if err != nil {
		return nil, err
	}
	if o.Cert == "" && !onLoopback(host) {
		return nil, fmt.Errorf("%s is not on loopback, so that others could read the passwords; name a certificate with --tls-cert and --tls-key", o.Address)
	}
	b := &Broker{lock: lockOf(o.Dir)}
	locked := false
	if err = os.MkdirAll(o.Dir, 0o700); err == nil {
		locked, err = b.lock.TryLock()
	}
	if err != nil {
		return nil, fmt.Errorf("the campaign cannot be kept in %s: %w; choose another --dir", o.Dir, err)
	}
	if !locked {
		return nil, fmt.Errorf("%s: %w; join that one, or choose another folder", o.Dir, errRuns)
	}
	if err := b.start(o, host, port); err != nil {
		b.lock.Unlock()
		return nil, err
	}
	return b, nil
}

func (b *Broker) start(o BrokerOptions, host string, port int) (err error) {
	if b.saved, err = readBroker(o.Dir); errors.Is(err, fs.ErrNotExist) {
		b.saved, err = savedBroker{Owner: rand.Text(), Worker: rand.Text()}, nil
	}
	if err != nil {
		return err
	}
	b.saved.Name, b.saved.Scheme, b.saved.Host, b.saved.Public, b.saved.Leaf = o.Name, "nats", host, host, ""
	options := b.options(&o)
	if o.Cert != "" {
		if err := b.secure(options, o.Cert, o.Key); err != nil {
			return err
		}
	}
	if b.saved.Port, err = freePort(host, cmp.Or(port, b.saved.Port), port == 0); err != nil {
		return err
	}
	options.Port = b.saved.Port
	text, err := json.Marshal(b.saved)
	if err != nil {
		return err
	}
	if err := atomicfile.WriteFile(filepath.Join(o.Dir, brokerFile), text, 0o600); err != nil {
		return fmt.Errorf("the campaign cannot be kept in %s: %w; choose another --dir", o.Dir, err)
	}
	if b.server, err = server.NewServer(options); err != nil {
		return fmt.Errorf("the broker cannot start: %w", err)
	}
	log := &brokerLog{}
	b.server.SetLogger(log, false, false)
	go b.server.Start()
	if !b.server.ReadyForConnections(brokerStart) || !b.server.JetStreamEnabled() {
		b.server.Shutdown()
		return fmt.Errorf("the broker cannot start in %s: %s", o.Dir, cmp.Or(log.last(), "it is not ready"))
	}
	return nil
}

// secure has the server speak TLS alone.
func (b *Broker) secure(options *server.Options, cert, key string) error {
	pair, err := certificateOf(cert, key)
	if err == nil {
		b.saved.Public, err = publicHost(b.saved.Host, pair.Leaf)
	}
	if err != nil {
		return err
	}
	b.saved.Scheme, b.saved.Leaf = "tls", digestOf(pair.Certificate[0])
	options.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	options.TLSTimeout = 5
	return nil
}

// options are those of the server.
func (b *Broker) options(o *BrokerOptions) *server.Options {
	return &server.Options{
		ServerName: "leveret-" + o.Name, Host: b.saved.Host, NoSigs: true, DisableJetStreamBanner: true,
		JetStream: true, StoreDir: filepath.Join(o.Dir, "jetstream"), JetStreamMaxStore: o.Store, JetStreamMaxMemory: 16 << 20,
		MaxPayload: 1 << 20, MaxConn: 2048, MaxPending: 32 << 20, WriteDeadline: 10 * time.Second,
		Users: []*server.User{
			{Username: ownerName, Password: b.saved.Owner},
			{Username: workerName, Password: b.saved.Worker, Permissions: workerPermissions(o.Name)},
		},
	}
}

// workerPermissions let workers read a campaign and add to it.
func workerPermissions(name string) *server.Permissions {
	n := newNames(name)
	publish := []string{
		n.entry("*"), n.finding("*"), "$KV." + n.presence + ".>", "$KV." + n.progress + ".>", "$JS.API.INFO",
		"$JS.API.STREAM.NAMES", "$JS.API.STREAM.LIST",
	}
	for _, stream := range []string{n.entries, n.findings, "KV_" + n.presence, "KV_" + n.progress, "KV_" + n.state, "OBJ_" + n.files} {
		publish = append(publish,
			"$JS.API.STREAM.INFO."+stream, "$JS.API.STREAM.MSG.GET."+stream, "$JS.API.DIRECT.GET."+stream, "$JS.API.DIRECT.GET."+stream+".>",
			"$JS.API.CONSUMER.CREATE."+stream, "$JS.API.CONSUMER.CREATE."+stream+".>", "$JS.API.CONSUMER.INFO."+stream+".>",
			"$JS.API.CONSUMER.MSG.NEXT."+stream+".>", "$JS.API.CONSUMER.DELETE."+stream+".>", "$JS.ACK."+stream+".>", "$JS.FC."+stream+".>")
	}
	return &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: publish},
		Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX.>"}},
	}
}

// URL returns the address for the owner, or for workers, with the password.
func (b *Broker) URL(owner bool) string { return b.saved.url(b.saved.Public, owner) }

// Address returns the address for this machine.
func (b *Broker) Address(owner bool) Address { return b.saved.address(owner) }

func (s *savedBroker) url(host string, owner bool) string {
	user := url.UserPassword(workerName, s.Worker)
	if owner {
		user = url.UserPassword(ownerName, s.Owner)
	}
	u := url.URL{Scheme: s.Scheme, User: user, Host: net.JoinHostPort(host, strconv.Itoa(s.Port))}
	return u.String()
}

func (s *savedBroker) address(owner bool) Address {
	return Address{URL: s.url(localHost(s.Host), owner), Name: s.Name, leaf: s.Leaf}
}

// lockOf returns the lock that a broker in a folder has while it runs.
func lockOf(dir string) *flock.Flock { return flock.New(filepath.Join(dir, "lock")) }

// readBroker reads what the broker in a folder remembers.
func readBroker(dir string) (s savedBroker, err error) {
	path := filepath.Join(dir, brokerFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return s, err
	}
	if json.Unmarshal(text, &s) != nil || s.Owner == "" || s.Worker == "" {
		return s, fmt.Errorf("%s is damaged; remove it, and give workers the new URL", path)
	}
	return s, nil
}

// OpenFolder returns the address of the campaign that a folder keeps, for its owner or a
// worker. If the campaign does not run, a broker on loopback serves it until the returned
// function is called.
func OpenFolder(dir string, owner bool) (a Address, closed func(), err error) {
	saved, err := readBroker(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return a, nil, fmt.Errorf("%s has no campaign; name its folder, or the URL that leveret campaign start printed", dir)
	}
	if err != nil {
		return a, nil, err
	}
	b, err := StartBroker(BrokerOptions{Name: saved.Name, Dir: dir, Address: "127.0.0.1:0"})
	if errors.Is(err, errRuns) {
		return saved.address(owner), func() {}, nil
	}
	if err != nil {
		return a, nil, err
	}
	return b.Address(owner), b.Close, nil
}

// Close stops the broker. What it has stays on disk.
func (b *Broker) Close() {
	b.server.Shutdown()
	b.server.WaitForShutdown()
	b.lock.Unlock()
}

func splitAddress(address string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(address)
	if err == nil {
		port, err = strconv.Atoi(text)
	}
	if err != nil || host == "" || port < 0 || port > 0xffff {
		return "", 0, fmt.Errorf("%q is no address such as 127.0.0.1:4222", address)
	}
	return host, port, nil
}

// freePort returns port if it is free, else, if another one will do, a free one.
func freePort(host string, port int, another bool) (int, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil && another && port != 0 {
		l, err = net.Listen("tcp", net.JoinHostPort(host, "0"))
	}
	if err != nil {
		return 0, fmt.Errorf("the broker cannot start: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
