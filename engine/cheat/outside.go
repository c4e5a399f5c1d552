package cheat

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"leveret/solc/trust"
)

// maxFile bounds the bytes of a file that cheatcodes read or write.
const maxFile = 64 << 20

var errNoHost = errors.New("files, the environment and programs are not available here")

// host returns what is outside the chain.
func (c *call) host() (Host, error) {
	if c.Config.Host == nil {
		return nil, errNoHost
	}
	return c.Config.Host, nil
}

// readable returns the absolute path of a file that may be read.
func (c *call) readable(path string) (string, error) {
	h, err := c.host()
	if err != nil {
		return "", err
	}
	return h.Readable(path)
}

// writable returns the absolute path of a file that may be written.
func (c *call) writable(path string) (string, error) {
	h, err := c.host()
	if err != nil {
		return "", err
	}
	return h.Writable(path)
}

// read returns the content of a file.
func (c *call) read(path string) ([]byte, error) {
	real, err := c.readable(path)
	if err != nil {
		return nil, err
	}
	return trust.ReadRegular(real, maxFile)
}

// readText returns the content of a file as text.
func (c *call) readText(path string) (string, error) {
	data, err := c.read(path)
	if err == nil && !utf8.Valid(data) {
		err = fmt.Errorf("%s is not valid UTF-8", path)
	}
	return string(data), err
}
