package mcpserver

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

// Sessions of which nothing is heard end; those that wait for something stay.
func TestIdleSessionsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan string, 10)
		s, err := New(Config{SessionPrefix: "session:", SessionEnded: func(w string) { ended <- w }, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"idle", "listening", "calling"} {
			s.sessions[id] = newSession(s.base, id, "", s.config.SessionPrefix+id)
		}
		s.sessions["listening"].attach(t.Context())
		_, done := s.sessions["calling"].begin(t.Context(), "1")
		go s.sweep(time.Hour)
		time.Sleep(59 * time.Minute)
		synctest.Wait()
		if len(ended) > 0 {
			t.Errorf("after 59 minutes ended: %q", <-ended)
		}
		time.Sleep(10 * time.Minute)
		done()
		time.Sleep(55 * time.Minute)
		synctest.Wait()
		if name := <-ended; name != "session:idle" || len(ended) > 0 {
			t.Errorf("ended: %q and %d more, want session:idle", name, len(ended))
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if s.countSessions() != 1 || s.session("listening") == nil {
			t.Errorf("%d sessions are left", s.countSessions())
		}
		s.stop()
	})
}
