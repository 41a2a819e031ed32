package cluster

import (
	"github.com/nats-io/nats.go/jetstream"

	"econ-mcp/internal/sweep"
)

// Enter records one message as a submission does.
func (s Submit) Enter(into *sweep.Recorder, m jetstream.Msg) (err error) {
	x := submission{Submit: s, into: into, runs: map[string]sweep.Run{}}
	for _, r := range s.Plan.Runs {
		x.runs[r.Key()] = r
	}
	if x.codec, err = newCodec(); err != nil {
		return err
	}
	_, err = x.enter([]jetstream.Msg{m})
	return err
}
