package release

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// maxCompiler bounds the size of compilers, in bytes. The largest has 40 MB.
const maxCompiler = 256 << 20

var errTooBig = fmt.Errorf("it is larger than %d MB, the limit for compilers", maxCompiler>>20)

// A checksum is the expected hash of a file.
type checksum struct {
	new  func() hash.Hash
	want []byte
}

// parseSHA256 reads "0x" and 64 hex digits.
func parseSHA256(s string) (checksum, error) {
	want, err := hex.DecodeString(strings.TrimPrefix(s, "0x"))
	if err != nil || len(want) != sha256.Size {
		return checksum{}, fmt.Errorf("%q is not a SHA-256", s)
	}
	return checksum{sha256.New, want}, nil
}

// parseIntegrity reads the SHA-512 of npm's integrity format.
func parseIntegrity(s string) (checksum, error) {
	for field := range strings.FieldsSeq(s) {
		if coded, ok := strings.CutPrefix(field, "sha512-"); ok {
			if want, err := base64.StdEncoding.DecodeString(coded); err == nil && len(want) == sha512.Size {
				return checksum{sha512.New, want}, nil
			}
		}
	}
	return checksum{}, fmt.Errorf("%q has no SHA-512", s)
}

func (i *Installer) patience() time.Duration {
	if i.Patience > 0 {
		return i.Patience
	}
	return 30 * time.Second
}

// client returns the client. It follows no redirect from TLS to plain HTTP.
func (i *Installer) client() *http.Client {
	c := http.Client{}
	if i.Client != nil {
		c = *i.Client
	}
	c.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		switch {
		case len(via) >= 10:
			return errors.New("too many redirects")
		case via[0].URL.Scheme == "https" && r.URL.Scheme != "https":
			return fmt.Errorf("it redirects to %s, which is not encrypted", r.URL)
		}
		return nil
	}
	return &c
}

// fetch writes the contents of an address to w. It fails if nothing arrives for
// i.patience().
func (i *Installer) fetch(ctx context.Context, address, accept string, w io.Writer, limit int64, told func(done, total int64)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stalled := time.AfterFunc(i.patience(), func() { cancel(errStalled) })
	defer stalled.Stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	if accept != "" {
		request.Header.Set("Accept", accept)
	}
	client := i.client()
	defer client.CloseIdleConnections()
	answer, err := client.Do(request)
	if err != nil {
		return i.plain(ctx, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", address, answer.Status)
	}
	var done int64
	for piece := make([]byte, 64<<10); ; {
		n, err := answer.Body.Read(piece)
		stalled.Reset(i.patience())
		if done += int64(n); done > limit {
			return errTooBig
		}
		if _, failed := w.Write(piece[:n]); failed != nil {
			return failed
		}
		if told != nil && n > 0 {
			told(done, max(0, answer.ContentLength))
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return fmt.Errorf("the connection ended after %d of %d bytes", done, answer.ContentLength)
		case err != nil:
			return i.plain(ctx, err)
		}
	}
}

var errStalled = errors.New("stalled")

// plain shortens the error of a request.
func (i *Installer) plain(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errStalled) {
		return fmt.Errorf("nothing arrived for %v", i.patience())
	}
	var unknown *net.DNSError
	if errors.As(err, &unknown) {
		return fmt.Errorf("the host name %s cannot be resolved; check the network", unknown.Name)
	}
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	return fmt.Errorf("it cannot be reached: %w", err)
}

// read returns the text at an address.
func (i *Installer) read(ctx context.Context, address, accept string) ([]byte, error) {
	var text bytes.Buffer
	err := i.fetch(ctx, address, accept, &text, maxList, nil)
	return text.Bytes(), err
}
