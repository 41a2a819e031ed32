//go:build unix

package host

import (
	"os/exec"
	"syscall"
)

// ownGroup makes a process the first of a group, so that it can be ended with all that it
// started (npx starts node), and so that Ctrl-C reaches this process alone.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func interrupt(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

func kill(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
