package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// stoppable returns a context that SIGINT, SIGTERM or SIGHUP cancels. A second
// signal terminates the process. Ignored signals, such as SIGHUP under nohup, stay
// ignored.
func stoppable(parent context.Context) (context.Context, context.CancelFunc) {
	var stops []os.Signal
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			stops = append(stops, s)
		}
	}
	if len(stops) == 0 { // NotifyContext without signals means all
		return context.WithCancel(parent)
	}
	ctx, stop := signal.NotifyContext(parent, stops...)
	context.AfterFunc(ctx, stop)
	// A closed pipe is an error of the write and does not kill the process.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return ctx, stop
}

// samePipe reports whether two writers are one pipe.
func samePipe(a, b io.Writer) bool {
	x, isFile := a.(*os.File)
	y, both := b.(*os.File)
	if !isFile || !both {
		return false
	}
	of, err := x.Stat()
	other, failed := y.Stat()
	return err == nil && failed == nil && os.SameFile(of, other)
}
