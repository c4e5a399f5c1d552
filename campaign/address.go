package campaign

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/nats-io/nats.go"
)

// An Address says where a campaign is.
type Address struct {
	URL         string // of the NATS server, nats://host:4222, or several with commas
	Credentials string // file with NATS credentials; empty: those in the URL
	CA          string // PEM file with the authorities of TLS; empty: the system's
	Name        string // of the campaign; empty: the only one

	leaf string // SHA-256 of the certificate that the server must have; empty: one that CA signed
}

// schemes are those of the URLs of NATS servers. A URL may lack it.
var schemes = []string{"nats", "tls", "ws", "wss"}

// check validates the URL.
func (a *Address) check() error {
	for one := range strings.SplitSeq(a.URL, ",") {
		scheme, _, has := strings.Cut(one, "://")
		if strings.TrimSpace(one) == "" || has && !slices.Contains(schemes, strings.TrimSpace(scheme)) {
			return fmt.Errorf("%q is no URL of a NATS server; write nats://host:4222 or tls://host:4222", Redacted(one))
		}
	}
	return nil
}

// options returns what connections have to prove, and with what.
func (a *Address) options() (list []nats.Option) {
	if a.Credentials != "" {
		list = append(list, nats.UserCredentials(a.Credentials))
	}
	if a.CA != "" {
		list = append(list, nats.RootCAs(a.CA))
	}
	if a.leaf != "" {
		list = append(list, nats.Secure(pinned(a.leaf)))
	}
	return list
}

// pinned returns a configuration that accepts one server certificate, given its digest. It
// checks neither the names in the certificate nor its signature.
func pinned(leaf string) *tls.Config {
	return &tls.Config{
		MinVersion:         tls.VersionTLS12,
		InsecureSkipVerify: true, // VerifyConnection compares the certificate itself
		VerifyConnection: func(s tls.ConnectionState) error {
			if digestOf(s.PeerCertificates[0].Raw) != leaf {
				return errors.New("the server does not have the certificate of the campaign in this folder")
			}
			return nil
		},
	}
}

// unconnected says why a connection failed, and what to do.
func (a *Address) unconnected(err error) error {
	remedy := ""
	unknown, refused := (x509.UnknownAuthorityError{}), (*net.OpError)(nil)
	switch {
	case errors.Is(err, nats.ErrAuthorization):
		remedy = "; use the whole URL that leveret campaign start printed, or --creds"
	case errors.As(err, &unknown):
		remedy = "; name the authority with --tls-ca"
	case errors.Is(err, nats.ErrSecureConnWanted):
		remedy = "; this server has no TLS: write nats://, without --tls-ca"
	case errors.Is(err, nats.ErrNoServers), errors.As(err, &refused):
		remedy = "; check the address, and whether leveret campaign start runs there"
	}
	return fmt.Errorf("cannot connect to %s: %w%s", Redacted(a.URL), err, remedy)
}

// Redacted returns an address without the password in it.
func Redacted(address string) string {
	var list []string
	for one := range strings.SplitSeq(address, ",") {
		if u, err := url.Parse(strings.TrimSpace(one)); err != nil {
			one = "the given URL"
		} else if u.User != nil {
			u.User = nil
			one = u.String()
		}
		list = append(list, one)
	}
	return strings.Join(list, ",")
}

// certificateOf reads the certificate of a server, and its key.
func certificateOf(cert, key string) (pair tls.Certificate, err error) {
	if pair, err = tls.LoadX509KeyPair(cert, key); err == nil {
		pair.Leaf, err = x509.ParseCertificate(pair.Certificate[0])
	}
	if err != nil {
		err = fmt.Errorf("the certificate %s cannot be used: %w", cert, err)
	}
	return pair, err
}

// publicHost returns the name by which other machines reach a server that listens at
// host, if its certificate has that name. For a host that means all addresses, it is
// the first of the certificate that is not of this machine alone.
func publicHost(host string, leaf *x509.Certificate) (string, error) {
	names := slices.Clone(leaf.DNSNames)
	for _, ip := range leaf.IPAddresses {
		names = append(names, ip.String())
	}
	if unspecified(host) {
		i := slices.IndexFunc(names, func(name string) bool { return !onLoopback(name) && !strings.Contains(name, "*") })
		if i >= 0 {
			return names[i], nil
		}
		host, _ = os.Hostname()
	}
	if err := leaf.VerifyHostname(host); err != nil {
		return "", fmt.Errorf("the certificate is not for %s: %w; listen at a name that it has, or choose another one", host, err)
	}
	return host, nil
}

// unspecified reports whether a host means all addresses of this machine.
func unspecified(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsUnspecified()
}

// localHost returns the host by which this machine reaches a server that listens at host.
func localHost(host string) string {
	switch {
	case !unspecified(host):
		return host
	case net.ParseIP(host).To4() == nil:
		return net.IPv6loopback.String()
	}
	return "127.0.0.1"
}

// onLoopback reports whether only this machine reaches a host.
func onLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
