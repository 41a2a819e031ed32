//go:build linux || darwin || freebsd

package app

import "syscall"

// freeDisk is the number of bytes that this user may still write to the disk of a folder,
// -1 = unknown.
func freeDisk(dir string) int64 {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return -1
	}
	return int64(s.Bavail) * int64(s.Bsize)
}
