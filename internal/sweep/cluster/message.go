package cluster

import (
	"encoding/json"

	"github.com/klauspost/compress/zstd"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/sweep"
)

// order is what a worker is sent: tasks that it carries out one after the other.
type order struct {
	Tasks []sweep.Task `json:"tasks"`
}

// key is that of the first run of the task at a place, "" where there is none.
func (o order) key(at int) string {
	if at >= len(o.Tasks) || len(o.Tasks[at].Runs) == 0 {
		return ""
	}
	return o.Tasks[at].Runs[0].Key
}

// yield are records that a worker sends.
type yield struct {
	Worker  string          `json:"worker"`
	Records []*sweep.Record `json:"records"`
}

// letter is a dead letter: why no worker can carry out a task.
type letter struct {
	Worker  string     `json:"worker"`
	Key     string     `json:"key"` // of the first run of the task
	Code    fault.Kind `json:"code"`
	Field   string     `json:"field"`
	Message string     `json:"message"`
	Hint    string     `json:"hint"`
}

// mostUnpacked bounds what a message may unpack to.
const mostUnpacked = 256 << 20

// codec packs messages. It may be used by several goroutines.
type codec struct {
	out *zstd.Encoder
	in  *zstd.Decoder
}

func newCodec() (codec, error) {
	out, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return codec{}, err
	}
	in, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(mostUnpacked), zstd.WithDecoderConcurrency(0))
	return codec{out, in}, err
}

func (c codec) pack(message any) ([]byte, error) {
	text, err := json.Marshal(message)
	if err != nil {
		return nil, err
	}
	return c.out.EncodeAll(text, nil), nil
}

func (c codec) unpack(data []byte, message any) error {
	text, err := c.in.DecodeAll(data, nil)
	if err == nil {
		err = json.Unmarshal(text, message)
	}
	if err != nil {
		return fault.New(fault.WrongType, "", "a message cannot be read").WithDetail("%v", err)
	}
	return nil
}
