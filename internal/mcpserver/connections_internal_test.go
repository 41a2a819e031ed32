package mcpserver

import (
	"net/netip"
	"testing"
)

// What counts as one address, and how many connections it may have.
func TestBoundsOfConnections(t *testing.T) {
	for _, c := range []struct {
		config          HTTPConfig
		addr, network   string
		all, perAddress int
	}{
		{HTTPConfig{}, "192.0.2.7", "192.0.2.7/32", 2000, 500},
		{HTTPConfig{}, "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", 2000, 500},
		{HTTPConfig{}, "127.0.0.1", "127.0.0.1/32", 2000, 2000}, // a proxy may stand there
		{HTTPConfig{}, "::1", "::/64", 2000, 2000},
		{HTTPConfig{MaxConnections: 10}, "127.0.0.1", "127.0.0.1/32", 10, 10},
		{HTTPConfig{MaxConnections: 10, MaxConnectionsPerAddress: 3}, "127.0.0.1", "127.0.0.1/32", 10, 3},
		{HTTPConfig{MaxConnectionsPerAddress: 3}, "192.0.2.7", "192.0.2.7/32", 2000, 3},
	} {
		addr := netip.MustParseAddr(c.addr)
		all, perAddress := c.config.bounds(addr)
		if network := networkOf(addr).String(); all != c.all || perAddress != c.perAddress || network != c.network {
			t.Errorf("%+v, %s: %d in all, %d of %s", c.config, c.addr, all, perAddress, network)
		}
	}
}
