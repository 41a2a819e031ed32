package sweep

import (
	"fmt"
	"hash/crc32"
)

// Checked is a line of a file of runs with its checksum.
func Checked(record string) string {
	return fmt.Sprintf("%08x %s\n", crc32.Checksum([]byte(record), table), record)
}

// Index is the index of a plan, with the scenarios of two points exchanged where they are told to be.
func (p *Plan) Index(exchange ...int) []byte {
	if len(exchange) == 2 {
		a, b := exchange[0], exchange[1]
		p.economies[a], p.economies[b] = p.economies[b], p.economies[a]
		defer func() { p.economies[a], p.economies[b] = p.economies[b], p.economies[a] }()
	}
	return p.index()
}
