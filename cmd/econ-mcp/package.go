package main

import (
	"os"
	"path/filepath"

	"econ-mcp/internal/lab"
)

// preparePackage makes the folder of a package and says why it cannot be written to.
func preparePackage(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return unusable("--out", folder, err)
	}
	if err := checkFolder(folder); err != nil {
		return unusable("--out", folder, err)
	}
	return nil
}

// writePackage writes what is known of an experiment into a folder and returns the paths.
func writePackage(l *lab.Laboratory, name, language, folder string) ([]string, error) {
	files, err := l.Package(name, language, owner)
	if err != nil {
		return nil, err
	}
	paths := []string{}
	for _, f := range files {
		path := filepath.Join(folder, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, unusable("--out", folder, err)
		}
		if err := writeWhole(path, f.Data); err != nil {
			return nil, unusable("--out", path, err)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// writeWhole replaces a file when the new one is complete.
func writeWhole(path string, data []byte) error {
	o, err := openOutput(path, nil)
	if err != nil {
		return err
	}
	defer o.discard()
	if _, err := o.Write(data); err != nil {
		return err
	}
	return o.commit()
}
