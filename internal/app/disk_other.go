//go:build !linux && !darwin && !freebsd

package app

// freeDisk is unknown here.
func freeDisk(string) int64 { return -1 }
