package host

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// Pauses between attempts double from half a second to a minute, up to a quarter of each left out at
// random; what a server asks for is the least.
func TestPausesGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		different := map[time.Duration]bool{}
		took := func(attempt int, asked time.Duration) time.Duration {
			began := time.Now()
			if !Pause(t.Context(), attempt, asked) {
				t.Fatal("nobody has given up")
			}
			return time.Since(began)
		}
		for attempt, most := range []float64{.5, 1, 2, 4, 8, 16, 32, 60, 60} {
			most := time.Duration(most * float64(time.Second))
			for range 20 {
				d := took(attempt, 0)
				if different[d] = true; d < most*3/4 || d > most {
					t.Errorf("attempt %d: %v, want between %v and %v", attempt, d, most*3/4, most)
				}
				for _, asked := range []time.Duration{time.Second, 45 * time.Second} {
					if d := took(attempt, asked); d < asked || d > asked+asked/10 {
						t.Errorf("attempt %d, asked for %v: %v", attempt, asked, d)
					}
				}
			}
		}
		if len(different) < 100 {
			t.Errorf("%d different pauses of 180", len(different))
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		if began := time.Now(); Pause(ctx, 10, time.Minute) || time.Since(began) > time.Millisecond {
			t.Error("a caller who has given up waits on")
		}
	})
}

// What a server that is busy for a minute asks for is waited for; what it asks for beyond is not.
func TestRetryAfter(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"": 0, "0": 0, "7": 7 * time.Second, "120": 2 * time.Minute, "-1": 0, "1.5": 1500 * time.Millisecond, "soon": 0,
		"1e300": 24 * time.Hour, "NaN": 0, "Sun, 22 Nov 2020 09:59:00 GMT": 0,
	} {
		if got := RetryAfter(http.Header{"Retry-After": {value}}); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
	synctest.Test(t, func(t *testing.T) { // the clock of a bubble begins with that year
		if got := RetryAfter(http.Header{"Retry-After": {"Sat, 01 Jan 2000 00:00:30 GMT"}}); got != 30*time.Second {
			t.Errorf("a date: %v", got)
		}
	})
	if got := RetryAfter(http.Header{"Retry-After-Ms": {"20"}, "Retry-After": {"1"}}); got != 20*time.Millisecond {
		t.Errorf("milliseconds: %v", got)
	}
	for asked, want := range map[time.Duration]bool{0: true, time.Minute: true, time.Minute + time.Second: false} {
		if got := mayPass(&Error{Layer: LayerHTTP, Status: 429, retryAfter: asked}); got != want {
			t.Errorf("asked for %v: %t", asked, got)
		}
	}
}
