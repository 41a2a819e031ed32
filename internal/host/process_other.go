//go:build !unix

package host

import "os/exec"

func ownGroup(*exec.Cmd) {}

func interrupt(cmd *exec.Cmd) { cmd.Process.Kill() } // there is no gentler way

func kill(cmd *exec.Cmd) { cmd.Process.Kill() }
