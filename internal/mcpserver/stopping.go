package mcpserver

import (
	"context"
	"errors"
	"time"
)

// How a server spends five seconds that is told to stop: calls have a moment to answer
// and are then interrupted, while the domain already brings what runs to a halt. What is
// left of the time is for files to be closed, and for gigabytes to be given back.
const (
	stopTime   = 4 * time.Second
	answerTime = 1 * time.Second
)

// halt has the domain stop what runs until ctx is done. The result comes when it has.
func (s *Server) halt(ctx context.Context) <-chan error {
	done := make(chan error, 1)
	if s.config.Halt == nil {
		done <- nil
		return done
	}
	go func() { done <- s.config.Halt(ctx) }()
	return done
}

// close ends what is left of calls, and has the domain close what it has open.
func (s *Server) close() error {
	s.stop()
	if s.config.Close == nil {
		return nil
	}
	return s.config.Close()
}

// abandon ends a server that has served nobody.
func (s *Server) abandon(ctx context.Context, err error) error {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	return errors.Join(err, <-s.halt(last), s.close())
}
