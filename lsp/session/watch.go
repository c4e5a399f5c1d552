package session

import (
	"context"
	"time"

	"leveret/solc/compiler"
)

// A compilerWatch shows compilations that take longer than a second in the
// activity.
type compilerWatch struct {
	store *store
	sleep func(context.Context, time.Duration)
	now   func() time.Time
}

// follow updates the activity once a second until the returned function is
// called.
func (w *compilerWatch) follow(r compiler.Run) (ended func(error)) {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	start := w.now()
	go func() {
		defer close(done)
		for {
			w.sleep(ctx, time.Second)
			if ctx.Err() != nil {
				return
			}
			w.show(r.String(), w.now().Sub(start))
		}
	}()
	return func(error) {
		stop()
		<-done
		if w.store.snapshot().Activity.Compiler != "" {
			w.show("", 0)
		}
	}
}

func (w *compilerWatch) show(what string, elapsed time.Duration) {
	w.store.update(func(next *Snapshot) { next.Activity.Compiler, next.Activity.Elapsed = what, elapsed })
}
