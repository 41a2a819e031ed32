package main

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// peakMemory is the largest resident set of this process so far, in bytes; 0 =
// unknown.
func peakMemory() int64 {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text()) // VmHWM:  1234 kB
		if len(fields) >= 2 && fields[0] == "VmHWM:" {
			n, _ := strconv.ParseInt(fields[1], 10, 64)
			return n << 10
		}
	}
	return 0
}
