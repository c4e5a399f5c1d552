package server

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"leveret/lsp/present"
	"leveret/lsp/session"
)

// Forty concurrent doctor commands run one at a time.
func TestCommandsRunOneAtATime(t *testing.T) {
	config := (&workshop{}).config(t.TempDir())
	var running, most atomic.Int32
	begun, gate := make(chan struct{}, 40), make(chan struct{})
	config.Session.Doctor = func(context.Context, session.SourceFile) string {
		most.Store(max(most.Load(), running.Add(1)))
		defer running.Add(-1)
		begun <- struct{}{}
		<-gate
		return "well"
	}
	e := connect(t, config)
	e.start(allCapabilities, `{}`)
	var all sync.WaitGroup
	call := func() {
		all.Go(func() {
			if text, err := e.command(present.CommandDoctor); err != nil || text != `"well"` {
				t.Errorf("%s, %v", text, err)
			}
		})
	}
	call()
	<-begun
	for range 39 {
		call()
	}
	close(gate)
	all.Wait()
	if most.Load() != 1 {
		t.Errorf("%d doctors at once", most.Load())
	}
}

// waitFor waits until a lane's next job with a key has some calls.
func (l *lane) waitFor(key string, calls int) {
	for waits := 0; waits < calls; time.Sleep(time.Millisecond) {
		l.mu.Lock()
		if j := l.waiting[key]; j != nil {
			waits = j.calls
		}
		l.mu.Unlock()
	}
}

// Forty equal calls run twice: the first, and one run for all that arrived meanwhile.
func TestLaneShares(t *testing.T) {
	l := newLane()
	begun, gate := make(chan struct{}, 40), make(chan struct{})
	var runs atomic.Int32
	var all sync.WaitGroup
	call := func() {
		all.Go(func() {
			text, err := l.do(t.Context(), t.Context(), "same", func(context.Context) (any, error) {
				runs.Add(1)
				begun <- struct{}{}
				<-gate
				return "well", nil
			})
			if err != nil || text != "well" {
				t.Errorf("%v, %v", text, err)
			}
		})
	}
	call()
	<-begun
	for range 39 {
		call()
	}
	l.waitFor("same", 39)
	close(gate)
	if all.Wait(); runs.Load() != 2 {
		t.Errorf("%d runs", runs.Load())
	}
}

// A lane cancels a running or queued job when its last caller is cancelled.
func TestLaneIsCancelled(t *testing.T) {
	l := newLane()
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan string, 3)
	var all sync.WaitGroup
	do := func(ctx context.Context, key string) {
		all.Go(func() {
			_, err := l.do(ctx, t.Context(), key, func(job context.Context) (any, error) {
				ran <- key
				<-job.Done()
				return nil, job.Err()
			})
			if !errors.Is(err, context.Canceled) {
				t.Error(key, err)
			}
		})
	}
	do(ctx, "first")
	<-ran
	second, cancelSecond := context.WithCancel(t.Context())
	do(second, "second")
	third, cancelThird := context.WithCancel(t.Context())
	do(third, "second")
	l.waitFor("second", 2)
	cancelSecond() // the third call still waits for this job
	cancel()
	if got := <-ran; got != "second" {
		t.Error(got, "ran")
	}
	cancelThird()
	all.Wait()
	l.slot <- struct{}{} // the lane is free
	if len(l.waiting) > 0 {
		t.Error("the lane still has a job")
	}
}

// A command that panics returns an error, and its lane still works.
func TestCommandThatPanics(t *testing.T) {
	config := (&workshop{}).config(t.TempDir())
	config.Session.Doctor = func(context.Context, session.SourceFile) string { panic("boom") }
	e := connect(t, config)
	e.start(allCapabilities, `{}`)
	for range 2 {
		if _, err := e.command(present.CommandDoctor); err == nil || !strings.Contains(err.Error(), "failed inside the server") {
			t.Error(err)
		}
	}
}

func TestLogIsBounded(t *testing.T) {
	core, logs := observer.New(zap.InfoLevel)
	log := limitLog(zap.New(core))
	for i := range 10_000 {
		log.Warn("the same", zap.Int("i", i))
		log.Sugar().Infof("another %d", i)
	}
	if n := logs.FilterMessage("the same").Len(); n != maxSameLines {
		t.Errorf("%d equal lines", n)
	}
	if n := logs.Len(); n > maxSameLines+maxLines {
		t.Errorf("%d lines", n)
	}
	log.Error("an error is not lost", zap.Error(errors.New(strings.Repeat("x", 10*maxLine))))
	last := logs.FilterMessage("an error is not lost").All()
	if len(last) != 1 || len(fmt.Sprint(last[0].Context)) > 2*maxLine {
		t.Errorf("%d errors", len(last))
	}
}

func TestLogCountsDroppedLines(t *testing.T) {
	var l lineLimit
	now := time.Now()
	for range maxSameLines + 5 {
		l.admit(zapcore.Entry{Message: "x", Time: now})
	}
	if ok, left := l.admit(zapcore.Entry{Message: "x", Time: now.Add(2 * logPeriod)}); !ok || left != 5 {
		t.Error(ok, left)
	}
}
