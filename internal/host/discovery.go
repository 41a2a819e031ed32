package host

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// keptFor is how long tools are kept if their server gives no time.
const keptFor = time.Hour

// failedFor is how long a server that could not be asked is left alone: an agent looks for tools
// before each step, and would wait for a server that hangs each time. Other processes leave such a
// server alone, too; one that failed at once they ask again, as the cause may have been removed.
const failedFor = 5 * time.Minute

// Discovery finds the tools of all servers. What is in the cache is served from there
// without connecting, until it expires or the server says that its tools have changed.
type Discovery struct {
	hub   *Hub
	cache *Cache

	mu     sync.Mutex         // of what follows, by server
	told   map[string]int     // how often it has announced changes
	failed map[string]failure // why it could not be asked
}

// failure is that a server could not be asked.
type failure struct {
	at  time.Time
	err *Error
}

// NewDiscovery finds the tools of a hub's servers and keeps them in a cache.
func NewDiscovery(hub *Hub, cache *Cache) *Discovery {
	d := &Discovery{hub: hub, cache: cache, told: map[string]int{}, failed: map[string]failure{}}
	hub.OnChanged(func(server string) {
		d.mu.Lock()
		d.told[server]++
		d.mu.Unlock()
		if err := cache.Expire(server); err != nil {
			hub.settings.Log.Warn("that tools have changed could not be kept", "server", server, "error", err)
		}
	})
	return d
}

// announced is how often a server has announced changes.
func (d *Discovery) announced(server string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.told[server]
}

// list asks a server for its tools, and once more if it announced a change meanwhile. If that
// happens again, the list holds for no time.
func (d *Discovery) list(ctx context.Context, server string) (listing Listing, err error) {
	for range 2 {
		before := d.announced(server)
		if listing, err = d.hub.List(ctx, server); err != nil || d.announced(server) == before {
			return listing, err
		}
	}
	listing.TTL = new(time.Duration)
	return listing, nil
}

// Found is what servers offer.
type Found struct {
	Tools    []Tool
	Failures []*Error // of servers that could not be asked, and of tools that cannot be used
	Changes  []Change // against what was kept, of the servers that were asked now
}

// mostAsked is how many servers are asked at once.
const mostAsked = 16

// Tools lists the tools of all servers in the order of the configuration, those of a server
// in its own. Servers are asked in parallel, where what is kept has expired. If one fails, the
// others are listed all the same, what is kept of it is served in spite of its age, and for some
// minutes it is not asked again, unless refresh.
//
// A call that names its server passes it as named: only that one is asked, even if it has failed
// lately, and the others are listed as they are kept.
func (d *Discovery) Tools(ctx context.Context, named string, refresh bool) (Found, error) {
	parts := make([]Found, len(d.hub.peers))
	var group errgroup.Group
	group.SetLimit(mostAsked)
	for i, p := range d.hub.peers {
		group.Go(func() (err error) {
			parts[i], err = d.toolsOf(ctx, p, named, refresh)
			return err
		})
	}
	err := group.Wait()
	out := Found{Tools: []Tool{}, Failures: []*Error{}, Changes: []Change{}}
	for _, part := range parts {
		out.Tools = append(out.Tools, part.Tools...)
		out.Failures = append(out.Failures, part.Failures...)
		out.Changes = append(out.Changes, part.Changes...)
	}
	return out, err
}

// toolsOf is Tools for one server. The error is that of the cache.
func (d *Discovery) toolsOf(ctx context.Context, p *peer, named string, refresh bool) (Found, error) {
	other := named != "" && named != p.server.ID
	switch {
	case p.problem != nil && other:
		return Found{}, nil
	case p.problem != nil:
		return Found{Failures: []*Error{p.problem}}, nil
	}
	fingerprint := p.server.fingerprint()
	k, ok, err := d.cache.tools(p.server.ID, fingerprint)
	if err != nil {
		return Found{}, err
	}
	if other || ok && !refresh && d.cache.now().Before(k.expires) {
		return Found{Tools: k.Tools, Failures: k.Problems}, nil
	}
	if named == "" && !refresh {
		if e := d.failedLately(p.server.ID, fingerprint); e != nil {
			return Found{Tools: k.Tools, Failures: []*Error{e}}, nil
		}
	}
	return d.ask(ctx, p, fingerprint, k, ok)
}

// ask asks a server for its tools and keeps them.
func (d *Discovery) ask(ctx context.Context, p *peer, fingerprint string, before kept, known bool) (Found, error) {
	listing, err := d.list(ctx, p.server.ID)
	if err != nil {
		e := err.(*Error)
		if ctx.Err() == nil { // else the caller gave up
			d.remember(p.server.ID, fingerprint, e)
		}
		return Found{Tools: before.Tools, Failures: []*Error{e}}, nil
	}
	d.mu.Lock()
	delete(d.failed, p.server.ID)
	d.mu.Unlock()
	now, ttl := d.cache.now(), keptFor
	if listing.TTL != nil {
		ttl = *listing.TTL
	}
	k := kept{Listing: listing, asked: now, expires: now.Add(ttl)}
	var changes []Change
	if known {
		changes = compareTools(before.Tools, k.Tools)
		for i := range changes {
			changes[i].Server, changes[i].Since, changes[i].At = p.server.ID, before.asked, now
			d.hub.settings.Log.Info("a tool has changed", "server", p.server.ID, "change", changes[i].String())
		}
	}
	return Found{k.Tools, k.Problems, changes}, d.cache.keep(p.server.ID, fingerprint, k, changes)
}

// remember notes that a server could not be asked, for other processes, too, if it timed out.
func (d *Discovery) remember(server, fingerprint string, e *Error) {
	d.mu.Lock()
	d.failed[server] = failure{d.cache.now(), e}
	d.mu.Unlock()
	if e.Layer != LayerTimeout {
		return
	}
	if err := d.cache.keepSilence(server, fingerprint, e.Message); err != nil {
		d.hub.settings.Log.Warn("that a server is silent could not be kept", "server", server, "error", err)
	}
}

// failedLately is the failure because of which a server is left alone; nil = it may be asked.
func (d *Discovery) failedLately(server, fingerprint string) *Error {
	now := d.cache.now()
	d.mu.Lock()
	f, ok := d.failed[server]
	d.mu.Unlock()
	if ok && now.Sub(f.at) < failedFor {
		return f.err
	}
	at, message, ok := d.cache.silence(server, fingerprint)
	if !ok || now.Sub(at) >= failedFor {
		return nil
	}
	again := at.Add(failedFor).Local().Format("15:04")
	return &Error{Layer: LayerTimeout, Server: server, Message: message + "; it is not asked again before " + again + " unless refreshed"}
}

// fingerprint is a hash by which a changed configuration is noticed. Environment and headers are
// part of it, as they may decide which tools a server has.
func (s Server) fingerprint() string {
	return hashOf([]any{s.Transport, s.Command, s.Args, s.Env, s.Dir, s.URL, s.Headers, s.Protocol})
}

func hashOf(value any) string {
	sum := sha256.New()
	json.NewEncoder(sum).Encode(value) // texts, and what was read as JSON, always encode
	return hex.EncodeToString(sum.Sum(nil))
}

// compareTools tells how a list of tools differs from the one before.
func compareTools(before, after []Tool) (changes []Change) {
	old := map[string]Tool{}
	for _, t := range before {
		old[t.Name] = t
	}
	for _, t := range after {
		was, known := old[t.Name]
		delete(old, t.Name)
		if !known {
			changes = append(changes, Change{Tool: t.Name, Kind: "added", Details: []string{}})
		} else if details := compareTool(was, t); len(details) > 0 {
			changes = append(changes, Change{Tool: t.Name, Kind: "changed", Details: details})
		}
	}
	for _, t := range before {
		if _, gone := old[t.Name]; gone {
			changes = append(changes, Change{Tool: t.Name, Kind: "removed", Details: []string{}})
		}
	}
	return changes
}

// compareTool lists the arguments that were added (+), removed (-) and changed (~), and the other
// parts that changed.
func compareTool(before, after Tool) (details []string) {
	old, now := before.Arguments(), after.Arguments()
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if was, ok := old[name]; !ok {
			details = append(details, "+"+name)
		} else if !sameJSON(was, now[name]) {
			details = append(details, "~"+name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(old)) {
		if _, ok := now[name]; !ok {
			details = append(details, "-"+name)
		}
	}
	for _, part := range []struct {
		name string
		same bool
	}{
		{"description", before.Description == after.Description},
		{"schema", len(details) > 0 || sameJSON(before.Input, after.Input)},
		{"output schema", sameJSON(before.Output, after.Output)},
		{"hints", reflect.DeepEqual(before.Hints, after.Hints)},
	} {
		if !part.same {
			details = append(details, part.name)
		}
	}
	return details
}

// sameJSON compares values; the order of members does not count.
func sameJSON(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
