package server

import (
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// Bounds of the log. A client or a workspace can cause any number of lines,
// and editors write the log to a file.
const (
	logPeriod    = time.Minute
	maxSameLines = 10       // with the same message, in a period
	maxLines     = 200      // of one level, in a period
	maxLine      = 16 << 10 // bytes of a message or a field
)

// limitLog returns log with bounds on the number and length of its lines.
func limitLog(log *zap.Logger) *zap.Logger {
	return log.WithOptions(zap.WrapCore(func(c zapcore.Core) zapcore.Core {
		return &limitedCore{Core: c, limit: &lineLimit{}}
	}))
}

// A limitedCore drops lines over the limit and truncates long ones.
type limitedCore struct {
	zapcore.Core
	limit *lineLimit
}

func (c *limitedCore) With(fields []zapcore.Field) zapcore.Core {
	return &limitedCore{c.Core.With(cutFields(fields)), c.limit}
}

func (c *limitedCore) Check(e zapcore.Entry, to *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if c.Enabled(e.Level) {
		return to.AddCore(e, c)
	}
	return to
}

func (c *limitedCore) Write(e zapcore.Entry, fields []zapcore.Field) error {
	ok, dropped := c.limit.admit(e)
	if dropped > 0 {
		note := zapcore.Entry{Level: zap.WarnLevel, Time: e.Time, Message: "too many log lines; some were dropped"}
		_ = c.Core.Write(note, []zapcore.Field{zap.Int("lines", dropped)})
	}
	if !ok {
		return nil
	}
	e.Message = cut(e.Message)
	return c.Core.Write(e, cutFields(fields))
}

// cutFields truncates long texts.
func cutFields(fields []zapcore.Field) []zapcore.Field {
	out := make([]zapcore.Field, 0, len(fields))
	for _, f := range fields {
		switch f.Type {
		case zapcore.StringType:
			f.String = cut(f.String)
		case zapcore.ErrorType:
			if err, ok := f.Interface.(error); ok {
				f = zap.String(f.Key, cut(err.Error()))
			}
		}
		out = append(out, f)
	}
	return out
}

func cut(text string) string {
	if len(text) <= maxLine {
		return text
	}
	return strings.ToValidUTF8(text[:maxLine], "") + "…"
}

// A lineLimit counts the lines of the current period.
type lineLimit struct {
	mu      sync.Mutex
	began   time.Time
	levels  map[zapcore.Level]int
	same    map[string]int // by level and message
	dropped int
}

// admit reports whether a line may be written. If the line starts a period,
// dropped is the number of lines dropped in the last one.
func (l *lineLimit) admit(e zapcore.Entry) (ok bool, dropped int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.levels == nil || e.Time.Sub(l.began) >= logPeriod {
		dropped = l.dropped
		l.began, l.dropped, l.levels, l.same = e.Time, 0, map[zapcore.Level]int{}, map[string]int{}
	}
	key := e.Level.String() + " " + e.Message[:min(len(e.Message), 100)]
	if l.same[key] >= maxSameLines || l.levels[e.Level] >= maxLines {
		l.dropped++
		return false, dropped
	}
	l.same[key]++
	l.levels[e.Level]++
	return true, dropped
}
