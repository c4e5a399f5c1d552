package campaign

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// certificate writes a certificate for 127.0.0.1 and other names that signs itself, and
// its key.
func certificate(t testing.TB, names ...string) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: names, IsCA: true, BasicConstraintsValid: true,
	}
	public, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, data []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("cert.pem", "CERTIFICATE", public), write("key.pem", "PRIVATE KEY", secret)
}

// With a certificate, clients have to know its authority, and speak TLS.
func TestTLS(t *testing.T) {
	cert, key := certificate(t)
	b, err := StartBroker(BrokerOptions{Name: "test", Dir: t.TempDir(), Address: "127.0.0.1:0", Cert: cert, Key: key, Store: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if !strings.HasPrefix(b.URL(false), "tls://worker:") {
		t.Errorf("URL %s", b.URL(false))
	}
	l, err := Dial(Address{URL: b.URL(false), CA: cert, Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if !l.nats.TLSRequired() {
		t.Error("the connection is not encrypted")
	}
	if _, err := Dial(Address{URL: b.URL(false)}); err == nil || !strings.Contains(err.Error(), "name the authority with --tls-ca") {
		t.Errorf("an unknown authority: %v", err)
	}
	if _, err := Dial(Address{URL: strings.Replace(b.URL(false), "tls:", "nats:", 1)}); err == nil {
		t.Error("a client speaks without TLS")
	}
}

// The machine of the server knows its certificate, and needs no authority. A server at all
// addresses is called by a name that the certificate has.
func TestTLSOnTheSameMachine(t *testing.T) {
	dir := t.TempDir()
	cert, key := certificate(t, "localhost", "*.example.com", "fuzz.example.com")
	options := BrokerOptions{Name: "test", Dir: dir, Address: "0.0.0.0:0", Cert: cert, Key: key, Store: 64 << 20}
	b, err := StartBroker(options)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if !strings.Contains(b.URL(false), "@fuzz.example.com:") {
		t.Errorf("URL %s", b.URL(false))
	}
	inFolder, closed, err := OpenFolder(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	defer closed()
	for _, a := range []Address{b.Address(true), inFolder} {
		l, err := Dial(a)
		if err != nil {
			t.Fatal(err)
		}
		if !l.nats.TLSRequired() {
			t.Error("the connection is not encrypted")
		}
		l.Close()
	}
	inFolder.leaf = digestOf(nil)
	if _, err := Dial(inFolder); err == nil || !strings.Contains(err.Error(), "does not have the certificate") {
		t.Errorf("another certificate: %v", err)
	}
}

// A certificate has to be for the name by which other machines reach the server.
func TestCertificatesOfOthers(t *testing.T) {
	cert, key := certificate(t, "localhost", "*.example.com")
	pair, err := certificateOf(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ host, want, problem string }{
		{"127.0.0.1", "127.0.0.1", ""},
		{"a.example.com", "a.example.com", ""},
		{"192.0.2.1", "", "the certificate is not for 192.0.2.1"},
		{"::", "", "the certificate is not for "},
	} {
		got, err := publicHost(row.host, pair.Leaf)
		if got != row.want || (err == nil) != (row.problem == "") || err != nil && !strings.Contains(err.Error(), row.problem) {
			t.Errorf("%s: %q, %v", row.host, got, err)
		}
	}
	_, other := certificate(t)
	if _, err := certificateOf(cert, other); err == nil || !strings.Contains(err.Error(), cert) {
		t.Errorf("a key of another certificate: %v", err)
	}
}

// What is no server of a campaign ends in a sentence, and nothing waits for it.
func TestNoCampaign(t *testing.T) {
	l := newLab(t, 64<<20, "Plain")
	for _, row := range []struct{ url, name, want string }{
		{"http://127.0.0.1:1", "", "no URL of a NATS server"},
		{"nats://127.0.0.1:1,", "", "no URL of a NATS server"},
		{"nats://a:secret@127.0.0.1:1", "", "check the address"},
		{strings.Replace(l.broker.URL(false), "worker:", "worker:secret", 1), "", "use the whole URL"},
		{strings.Replace(l.broker.URL(false), "nats:", "tls:", 1), "", "this server has no TLS"},
		{l.broker.URL(false), "other", "there is no campaign other at " + Redacted(l.broker.URL(false)) + "; choose another --name: test"},
		{l.broker.URL(false), "o/o", "no name of a campaign"},
		{muteServer(t), "", "has no campaign that can be seen"},
	} {
		_, err := Open(t.Context(), Address{URL: row.url, Name: row.name})
		if err == nil || !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s, %s: %v", row.url, row.name, err)
		}
	}
}

// muteServer returns the URL of a server that speaks NATS' protocol and answers nothing.
func muteServer(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				fmt.Fprint(c, "INFO {\"version\":\"2.10.0\",\"max_payload\":1048576,\"headers\":true}\r\n")
				for lines := bufio.NewScanner(c); lines.Scan(); {
					if strings.HasPrefix(lines.Text(), "PING") {
						fmt.Fprint(c, "PONG\r\n")
					}
				}
			}()
		}
	}()
	return "nats://" + listener.Addr().String()
}

// A broker keeps its address and its passwords, and others are refused. A folder has one
// at a time.
func TestBrokerKeepsItsURL(t *testing.T) {
	dir := t.TempDir()
	options := BrokerOptions{Name: "test", Dir: dir, Address: "127.0.0.1:0", Store: 64 << 20}
	first, err := StartBroker(options)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := StartBroker(options); err == nil || !strings.Contains(err.Error(), "runs") {
		t.Errorf("a second broker: %v", err)
	}
	if a, closed, err := OpenFolder(dir, false); err != nil || a.URL != first.URL(false) {
		t.Errorf("%s, %v", a.URL, err)
	} else {
		closed()
	}
	_, err = Dial(Address{URL: strings.Replace(first.URL(false), "worker:", "worker:x", 1)})
	if err == nil || strings.Contains(err.Error(), first.saved.Worker) {
		t.Errorf("another password: %v", err)
	}
	first.Close()
	a, closed, err := OpenFolder(dir, true)
	if err != nil || a.URL != first.URL(true) || a.Name != "test" {
		t.Fatalf("%+v, %v", a, err)
	}
	closed()
	for _, address := range []string{"", "127.0.0.1", ":4222", "127.0.0.1:x", "127.0.0.1:99999", "0.0.0.0:0", "[::]:0", "192.0.2.1:4222"} {
		options.Address = address
		if _, err := StartBroker(options); err == nil {
			t.Errorf("%q is accepted", address)
		}
	}
	options.Address, options.Dir = "127.0.0.1:0", filepath.Join(dir, brokerFile, "below")
	if _, err := StartBroker(options); err == nil || !strings.Contains(err.Error(), "cannot be kept in "+options.Dir) || !strings.Contains(err.Error(), "--dir") {
		t.Errorf("a folder that cannot be made: %v", err)
	}
	if _, _, err := OpenFolder(t.TempDir(), true); err == nil || !strings.Contains(err.Error(), "no campaign") {
		t.Errorf("an empty folder: %v", err)
	}
}
