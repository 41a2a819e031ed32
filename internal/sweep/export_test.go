package sweep

import (
	"fmt"
	"hash/crc32"
)

// Checked is a line of a file of runs with its checksum.
func Checked(record string) string {
	return fmt.Sprintf("%08x %s\n", crc32.Checksum([]byte(record), table), record)
}
