package campaign

import (
	"net"
	"sync"
	"testing"
)

// A proxy passes TCP connections on, unless it is cut: then it swallows everything, as
// a broken network does.
type proxy struct {
	listener net.Listener
	target   string

	mu    sync.Mutex
	heals sync.Cond // of mu
	isCut bool
	ended bool
	open  []net.Conn
}

func newProxy(t testing.TB, target string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, target: target}
	p.heals.L = &p.mu
	var wait sync.WaitGroup
	wait.Go(func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", target)
			if err != nil {
				from.Close()
				continue
			}
			p.mu.Lock()
			p.open = append(p.open, from, to)
			p.mu.Unlock()
			wait.Go(func() { p.pass(from, to) })
			wait.Go(func() { p.pass(to, from) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		p.mu.Lock()
		p.ended = true
		p.heals.Broadcast()
		for _, c := range p.open {
			c.Close()
		}
		p.mu.Unlock()
		wait.Wait()
	})
	return p
}

func (p *proxy) port() int { return p.listener.Addr().(*net.TCPAddr).Port }

// cut cuts all connections, or lets them go on.
func (p *proxy) cut(cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.isCut = cut
	p.heals.Broadcast()
}

// pass passes bytes on. While the proxy is cut, they wait.
func (p *proxy) pass(from, to net.Conn) {
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		p.mu.Lock()
		for p.isCut && !p.ended {
			p.heals.Wait()
		}
		p.mu.Unlock()
		if _, failed := to.Write(buffer[:n]); failed != nil || err != nil {
			return
		}
	}
}
