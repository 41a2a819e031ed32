package mcpserver

import (
	"cmp"
	"container/list"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// connections are those that are open over HTTP. A connection is a stranger's until a request on it
// has passed the guard. Where one more is too many, of its address or in all, the stranger's that
// came first is closed for it: connections on which nobody shows a token keep nobody out. Where
// there is none, the one goes on which no request has been answered for longest: its client makes
// another when it needs one.
type connections struct {
	log *slog.Logger

	mu        sync.Mutex
	open      map[net.Conn]*connection
	count     map[netip.Prefix]int // by address
	strangers list.List            // of *connection, in the order in which they came
	idle      list.List            // of *connection of clients, in the order in which they fell idle
	madeRoom  int                  // that were closed for others, ever
	refused   int                  // that were closed because none was there to make room, ever
	warned    time.Time
}

// connection is one of them.
type connection struct {
	of    *connections
	conn  net.Conn
	from  netip.Prefix
	known atomic.Bool   // it is no stranger's
	place *list.Element // among the strangers'; nil = it is known, or closed
	rests *list.Element // among the idle; nil = it is a stranger's, busy or closed
}

func newConnections(log *slog.Logger) *connections {
	return &connections{log: log, open: make(map[net.Conn]*connection), count: make(map[netip.Prefix]int)}
}

// Bounds of connections where the configuration names none.
const (
	maxConnections           = 2000
	maxConnectionsPerAddress = 500
)

// bounds are how many connections there may be in all, and of an address. A proxy on this machine
// brings those of all its clients from one address, which therefore may have as many as there are.
func (c HTTPConfig) bounds(from netip.Addr) (all, perAddress int) {
	all = cmp.Or(c.MaxConnections, maxConnections)
	if c.MaxConnectionsPerAddress == 0 && from.IsLoopback() {
		return all, all
	}
	return all, cmp.Or(c.MaxConnectionsPerAddress, maxConnectionsPerAddress)
}

// addressOf is where a connection comes from. What does not come over IP comes from this machine.
func addressOf(conn net.Conn) netip.Addr {
	if tcp, ok := conn.RemoteAddr().(*net.TCPAddr); ok {
		return tcp.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.IPv6Loopback()
}

// networkOf is what counts as one address: with IPv6 the 64 bits that a client is given at least.
func networkOf(addr netip.Addr) netip.Prefix {
	network, _ := addr.Prefix(min(64, addr.BitLen())) // no address has fewer bits
	return network
}

// bound has the connections of a server be counted and bounded.
func (cs *connections) bound(web *http.Server, c HTTPConfig) {
	web.ConnContext = func(ctx context.Context, conn net.Conn) context.Context {
		return context.WithValue(ctx, connectionKey{}, cs.enter(conn, c))
	}
	web.ConnState = func(conn net.Conn, state http.ConnState) {
		cs.turned(conn, state)
	}
}

type connectionKey struct{}

// enter takes in a connection that was just made. Where that is one too many, it or a stranger's is closed.
func (cs *connections) enter(conn net.Conn, c HTTPConfig) *connection {
	addr := addressOf(conn)
	all, perAddress := c.bounds(addr)
	entered := &connection{of: cs, conn: conn, from: networkOf(addr)}
	cs.mu.Lock()
	defer cs.mu.Unlock()
	fullAddress := cs.count[entered.from] >= perAddress
	if fullAddress || len(cs.open) >= all {
		cs.warn(entered.from)
		first := oldest(&cs.strangers, entered.from, fullAddress)
		if first == nil {
			first = oldest(&cs.idle, entered.from, fullAddress)
		}
		if first == nil {
			cs.refused++
			conn.Close()
			return entered
		}
		cs.madeRoom++
		first.conn.Close()
		cs.forget(first)
	}
	cs.open[conn] = entered
	cs.count[entered.from]++
	entered.place = cs.strangers.PushBack(entered)
	return entered
}

// oldest is the connection of a list that came first, of an address or of any; nil = none is there.
func oldest(of *list.List, from netip.Prefix, ofIt bool) *connection {
	for e := of.Front(); e != nil; e = e.Next() {
		if c := e.Value.(*connection); !ofIt || c.from == from {
			return c
		}
	}
	return nil
}

// warn says once in a while that there are too many.
func (cs *connections) warn(from netip.Prefix) {
	if time.Since(cs.warned) > time.Minute {
		cs.warned = time.Now()
		cs.log.Warn("connections are closed: there are too many, see --max-connections", "last_from", from.Addr())
	}
}

// turned notes that a connection is closed, idle or busy.
func (cs *connections) turned(conn net.Conn, state http.ConnState) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	c := cs.open[conn]
	switch {
	case c == nil:
	case state == http.StateClosed:
		cs.forget(c)
	case state == http.StateIdle && c.known.Load():
		cs.wake(c)
		c.rests = cs.idle.PushBack(c)
	case state == http.StateActive:
		cs.wake(c)
	}
}

// wake takes a connection out of the idle.
func (cs *connections) wake(c *connection) {
	if c.rests != nil {
		cs.idle.Remove(c.rests)
		c.rests = nil
	}
}

func (cs *connections) forget(c *connection) {
	delete(cs.open, c.conn)
	if cs.count[c.from]--; cs.count[c.from] == 0 {
		delete(cs.count, c.from)
	}
	cs.settle(c)
	cs.wake(c)
}

// settle takes a connection out of the strangers'.
func (cs *connections) settle(c *connection) {
	if c.place != nil {
		cs.strangers.Remove(c.place)
		c.place = nil
	}
}

// closeStrangers closes what a server that stops would wait for in vain.
func (cs *connections) closeStrangers() {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for c := oldest(&cs.strangers, netip.Prefix{}, false); c != nil; c = oldest(&cs.strangers, netip.Prefix{}, false) {
		c.conn.Close()
		cs.forget(c)
	}
}

// Welcome says, for [Config.Site], that the connection of a request is no stranger's.
func Welcome(ctx context.Context) { welcome(ctx) }

// welcome says that the connection of a request is no stranger's.
func welcome(ctx context.Context) {
	c, ok := ctx.Value(connectionKey{}).(*connection)
	if !ok || c.known.Swap(true) {
		return
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.of.settle(c)
}

// counts are how many connections are open, were closed to make room, and were refused.
func (cs *connections) counts() (open, madeRoom, refused int) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	return len(cs.open), cs.madeRoom, cs.refused
}
