package campaign

import (
	"fmt"
	"sync"
)

// A brokerLog keeps the last error that a server logged.
type brokerLog struct {
	mu   sync.Mutex
	text string
}

func (l *brokerLog) last() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text
}

// The methods of server.Logger.
func (l *brokerLog) Noticef(string, ...any) {}
func (l *brokerLog) Warnf(string, ...any)   {}
func (l *brokerLog) Debugf(string, ...any)  {}
func (l *brokerLog) Tracef(string, ...any)  {}

func (l *brokerLog) Errorf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = fmt.Sprintf(format, args...)
}

func (l *brokerLog) Fatalf(format string, args ...any) { l.Errorf(format, args...) }
