package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// stoppable returns a context that ends with Ctrl-C or when the process is told
// to end; a second time is the system's, which ends the process at once. What
// is ignored, as SIGHUP under nohup, stays so.
func stoppable(parent context.Context) (context.Context, context.CancelFunc) {
	var stops []os.Signal
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			stops = append(stops, s)
		}
	}
	if len(stops) == 0 { // which would stand for all signals
		return context.WithCancel(parent)
	}
	ctx, stop := signal.NotifyContext(parent, stops...)
	context.AfterFunc(ctx, stop)
	// A reader who goes away is an error of the write, not the end of the run.
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
