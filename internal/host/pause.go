package host

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// The pauses between attempts: the first, which doubles from one to the next, and the longest,
// which is also the longest that a server may ask for with Retry-After.
const (
	firstPause   = 500 * time.Millisecond
	longestPause = time.Minute
)

// Pause waits before another attempt, the first of which is 0: at least as long as the other side
// asks for, and else half a second, one, two and so on up to a minute. Up to a quarter of that is
// left out at random, so that many callers do not come back at once. It is false where the caller
// has given up.
func Pause(ctx context.Context, attempt int, asked time.Duration) bool {
	d := min(firstPause<<min(attempt, 10), longestPause)
	d -= rand.N(d/4 + 1)
	if asked > 0 {
		d = asked + rand.N(asked/10+1) // never before
	}
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// RetryAfter is how long an answer asks to be left alone: in milliseconds, as some providers of
// models do, in seconds or by a date (RFC 9110, section 10.2.3). It is 0 where that is not said,
// or cannot be read, and a day at most.
func RetryAfter(h http.Header) time.Duration {
	for _, header := range []struct {
		name string
		unit time.Duration
	}{{"Retry-After-Ms", time.Millisecond}, {"Retry-After", time.Second}} {
		value := h.Get(header.name)
		if n, err := strconv.ParseFloat(value, 64); err == nil && n >= 0 {
			return time.Duration(min(n*float64(header.unit), float64(24*time.Hour)))
		}
		if t, err := http.ParseTime(value); err == nil {
			return max(0, time.Until(t))
		}
	}
	return 0
}
