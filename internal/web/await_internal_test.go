package web

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A page does not wait for what takes long, which goes on once for all who ask, whether they stay or not.
func TestAwait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Site{}
		made := 0
		slow := func(ctx context.Context) (string, error) {
			made++
			time.Sleep(time.Second)
			return "slow", ctx.Err()
		}
		visit, leave := context.WithCancel(t.Context())
		began := time.Now()
		if _, ready, err := await(visit, s, soon, "ada", "k", slow); ready || err != nil || time.Since(began) != soon {
			t.Errorf("ready %v after %v, %v", ready, time.Since(began), err)
		}
		leave()
		if _, _, err := await(visit, s, soon, "ada", "k", slow); !errors.Is(err, context.Canceled) {
			t.Errorf("who has left: %v", err)
		}
		time.Sleep(time.Second - soon - soon/2)
		text, ready, err := await(t.Context(), s, soon, "ada", "k", slow)
		if text != "slow" || !ready || err != nil || made != 1 {
			t.Errorf("%q, %v, %v, made %d times", text, ready, err, made)
		}
		mistake := func(context.Context) (string, error) { panic("mistake") }
		if _, ready, err := await(t.Context(), s, soon, "ada", "other", mistake); !ready || err == nil || !strings.Contains(err.Error(), "mistake") {
			t.Errorf("a mistake of the program: %v, %v", ready, err)
		}
	})
}
