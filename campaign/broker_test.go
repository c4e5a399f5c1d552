package campaign

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// certificate writes a certificate for 127.0.0.1 that signs itself, and its key.
func certificate(t testing.TB) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
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
	if _, err := Dial(Address{URL: b.URL(false)}); err == nil {
		t.Error("an unknown authority is accepted")
	}
	if _, err := Dial(Address{URL: strings.Replace(b.URL(false), "tls:", "nats:", 1)}); err == nil {
		t.Error("a client speaks without TLS")
	}
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
	if _, _, err := OpenFolder(t.TempDir(), true); err == nil || !strings.Contains(err.Error(), "no campaign") {
		t.Errorf("an empty folder: %v", err)
	}
}
