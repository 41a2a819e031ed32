package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"econ-mcp/internal/lab"
)

// writePackage writes what is known of an experiment into a folder and returns the paths.
// Files of a package that was there before are replaced or, where the new one has no such
// file, removed; all other files stay as they are. Each file appears as a whole, and the
// metadata last: a folder with metadata holds all that they list.
func writePackage(ctx context.Context, l *lab.Laboratory, name, language, folder string) ([]string, error) {
	files, err := l.Package(ctx, name, language, owner)
	if err != nil {
		return nil, err
	}
	at := func(path string) string { return filepath.Join(folder, filepath.FromSlash(path)) }
	if err := removePackage(at, files); err != nil {
		return nil, err
	}
	paths := []string{}
	for _, f := range files {
		path := at(f.Path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, unusable("--out", filepath.Dir(path), err)
		}
		if err := writeFile("--out", path, f.Data); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// removePackage removes the metadata of a package and what only they list.
func removePackage(at func(path string) string, files []lab.File) error {
	metadata := at(lab.CrateFile)
	data, err := os.ReadFile(metadata)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unusable("--out", metadata, err)
	}
	for _, path := range append([]string{lab.CrateFile}, lab.FilesOf(data)...) { // metadata first: what they list is complete no more
		again := slices.ContainsFunc(files, func(f lab.File) bool { return f.Path == path })
		if again && path != lab.CrateFile {
			continue
		}
		if err := os.Remove(at(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return unusable("--out", at(path), err)
		}
	}
	return nil
}
