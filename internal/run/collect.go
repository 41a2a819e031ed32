package run

import (
	"os"
	"path/filepath"
)

// Trim removes the states that were not used for longest until the rest fits the bound of
// the cache, and says how many files went and how many bytes they had. A cache whose
// MaxBytes is 1 is emptied.
func (c Cache) Trim() (files int, bytes int64, err error) {
	if c.Dir == "" {
		return 0, 0, nil
	}
	filesBefore, bytesBefore := c.size()
	if filesBefore == 0 {
		return 0, 0, nil
	}
	err = c.evict("")
	filesAfter, bytesAfter := c.size()
	return max(0, filesBefore-filesAfter), max(0, bytesBefore-bytesAfter), err
}

// size counts all files of the cache.
func (c Cache) size() (files int, bytes int64) {
	entries, err := os.ReadDir(c.Dir)
	if err != nil {
		return 0, 0
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			if ext := filepath.Ext(info.Name()); ext == snapshotSuffix || ext == temporarySuffix {
				files++
				bytes += info.Size()
			}
		}
	}
	return files, bytes
}
