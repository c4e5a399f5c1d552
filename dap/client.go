package dap

import "github.com/google/go-dap"

// A client is who a session talks to: how it counts, and what it still has to be told.
type client struct {
	out         *outbox
	invalidates bool // it asks again after the event invalidated
	zeroLine    int  // what its first line is less than 1
	zeroColumn  int
	after       []func() // what is sent after the response
}

// A reply is a response of any kind.
type reply struct {
	dap.Response
	Body any `json:"body,omitempty"`
}

// respond answers a request.
func (c *client) respond(to *dap.Request, body any, err error) {
	r := reply{Body: body}
	r.Type, r.RequestSeq, r.Command, r.Success = "response", to.Seq, clip(to.Command), err == nil
	if err != nil {
		r.Message = err.Error()
		r.Body = dap.ErrorResponseBody{Error: &dap.ErrorMessage{Id: 1, Format: "{text}", Variables: map[string]string{"text": err.Error()}, ShowUser: shows(to.Command)}}
	}
	c.out.send(&r.Seq, &r)
}

// shows reports whether the client should show that a request failed: users wait for
// some, and others are guesses, such as what is under the pointer.
func shows(command string) bool {
	return command == "launch" || command == "setVariable" || command == "setExpression"
}

// then lets f send what follows from the request that is handled, after its response.
func (c *client) then(f func()) { c.after = append(c.after, f) }

// settle sends what follows from a request.
func (c *client) settle() {
	for _, next := range c.after {
		next()
	}
	c.after = c.after[:0]
}

// An event is one of any kind.
type event struct {
	dap.Event
	Body any `json:"body,omitempty"`
}

func (c *client) notify(name string, body any) {
	e := event{Body: body}
	e.Type, e.Event.Event = "event", name
	c.out.send(&e.Seq, &e)
}

// say shows a text in the client's console.
func (c *client) say(category, text string) {
	c.notify("output", dap.OutputEventBody{Category: category, Output: text})
}

// A consoleWriter shows what a Launcher writes.
type consoleWriter struct{ *client }

func (w consoleWriter) Write(text []byte) (int, error) {
	w.say("console", string(text))
	return len(text), nil
}
