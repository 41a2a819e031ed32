package mcpserver

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

// Sessions of which nothing is heard end; those that wait for something stay.
func TestIdleSessionsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ended []string
		s, err := New(Config{SessionEnded: func(w string) { ended = append(ended, w) }, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"idle", "listening", "calling", stdioID} {
			client := newSession(s.base, id)
			client.workspace = SessionPrefix + id
			s.sessions[id] = client
		}
		s.sessions["listening"].attach()
		_, done, _ := s.sessions["calling"].begin(t.Context(), "1")
		ctx, stop := context.WithCancel(t.Context())
		go s.sweep(ctx, time.Hour)
		time.Sleep(59 * time.Minute)
		synctest.Wait()
		if len(ended) > 0 {
			t.Errorf("after 59 minutes ended: %q", ended)
		}
		time.Sleep(10 * time.Minute)
		done()
		time.Sleep(55 * time.Minute)
		synctest.Wait()
		if len(ended) != 1 || ended[0] != "session:idle" {
			t.Errorf("ended: %q, want session:idle", ended)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if len(s.sessions) != 2 || s.sessions["listening"] == nil || s.sessions[stdioID] == nil {
			t.Errorf("left: %v", s.sessions)
		}
		stop()
		s.stop()
	})
}
