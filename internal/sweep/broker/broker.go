// Package broker is a NATS server with JetStream within this process, for sweeps on machines that come and go. Only programs that are built
// with the tag cluster have it: it weighs more than the rest of what the laboratory brings along.
package broker

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats-server/v2/server"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
)

// Config says how a broker is started.
type Config struct {
	Addr      string // HOST:PORT; port 0 takes a free one
	Folder    string // of what it keeps
	TokenFile string // of the token that workers and submitters show
	CertFile  string // PEM; with KeyFile, connections are encrypted
	KeyFile   string
	Log       *slog.Logger
}

// Check refuses what cannot be, and a broker that other machines reach without a token and encryption.
func (c Config) Check() error {
	host, port, err := net.SplitHostPort(c.Addr)
	if n, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil || host == "" || n > 65535 {
		return fault.Range("--cluster-addr", fmt.Sprintf("%.80q", c.Addr), "HOST:PORT, such as 127.0.0.1:4222")
	}
	if (c.CertFile == "") != (c.KeyFile == "") {
		return fault.New(fault.Conflict, "--cluster-tls-cert", "--cluster-tls-cert and --cluster-tls-key go together").WithHint("give both")
	}
	if c.TokenFile != "" {
		if _, err := access.ReadToken("--cluster-token-file", c.TokenFile); err != nil {
			return err
		}
	}
	if access.IsLoopback(host) {
		return nil
	}
	if c.TokenFile == "" {
		return fault.New(fault.Forbidden, "--cluster-token-file",
			"%s is reached by other machines, and whoever reaches the broker can have workers simulate", c.Addr).
			WithHint("give --cluster-token-file, or listen on 127.0.0.1")
	}
	if c.CertFile == "" {
		return fault.New(fault.Forbidden, "--cluster-tls-cert",
			"%s is reached by other machines, and the token would go there unencrypted", c.Addr).
			WithHint("give --cluster-tls-cert and --cluster-tls-key, or listen on 127.0.0.1")
	}
	return nil
}

const (
	// largestMessage in bytes is what the server recommends as the most.
	largestMessage = 8 << 20
	// syncInterval is after how long what was written is on the disk. What a power cut takes is simulated again.
	syncInterval = 10 * time.Second
	// ready is how long a start may take, with what an earlier process left to be read.
	ready = time.Minute
)

// Broker is one that runs.
type Broker struct {
	server *server.Server
	lock   *flock.Flock
}

// Start starts a broker. It is told of in the log.
func Start(c Config) (*Broker, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	o, err := c.options()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.Folder, 0o700); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(c.Folder, "lock"))
	if mine, err := lock.TryLock(); err != nil {
		return nil, err
	} else if !mine {
		return nil, fault.New(fault.InvalidState, "--data", "another broker has its tasks in %s", c.Folder).
			WithHint("use it, or choose another folder with --data")
	}
	s, err := server.NewServer(o)
	if err != nil {
		return nil, errors.Join(fault.New(fault.InvalidState, "--cluster", "the broker does not start").WithDetail("%v", err), lock.Unlock())
	}
	log := &logger{log: c.Log, fatal: make(chan string, 1)}
	s.SetLoggerV2(log, false, false, false)
	s.Start()
	started := make(chan string, 1)
	go func() {
		if s.ReadyForConnections(ready) {
			started <- ""
		} else {
			started <- "it was not ready in " + ready.String()
		}
	}()
	var why string
	select {
	case why = <-log.fatal:
	case why = <-started:
	}
	if why != "" {
		s.Shutdown()
		return nil, errors.Join(fault.New(fault.InvalidState, "--cluster-addr", "the broker does not start").WithDetail("%s", why), lock.Unlock())
	}
	b := &Broker{s, lock}
	c.Log.Info("broker listening", "url", b.URL(), "folder", c.Folder)
	return b, nil
}

func (c Config) options() (*server.Options, error) {
	host, port, _ := net.SplitHostPort(c.Addr) // which was checked
	n, _ := strconv.Atoi(port)
	if n == 0 {
		n = server.RANDOM_PORT
	}
	o := &server.Options{
		ServerName: "econ-mcp", Host: host, Port: n, JetStream: true, StoreDir: c.Folder, SyncInterval: syncInterval, MaxPayload: largestMessage,
		NoSigs: true, DisableJetStreamBanner: true,
	}
	if c.TokenFile != "" {
		token, err := access.ReadToken("--cluster-token-file", c.TokenFile)
		if err != nil {
			return nil, err
		}
		o.Authorization = token
	}
	if c.CertFile != "" {
		pair, err := tls.LoadX509KeyPair(c.CertFile, c.KeyFile)
		if err != nil {
			return nil, fault.New(fault.WrongType, "--cluster-tls-cert", "the certificate and its key cannot be used").WithDetail("%v", err)
		}
		o.TLS, o.TLSConfig, o.TLSTimeout = true, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, 5
	}
	return o, nil
}

// URL is where workers and submitters find it.
func (b *Broker) URL() string {
	return "nats://" + b.server.Addr().String()
}

// Close ends it, with all that it was told on disk.
func (b *Broker) Close() error {
	b.server.Shutdown()
	b.server.WaitForShutdown()
	return b.lock.Unlock()
}

// logger gives what the server says to the log.
type logger struct {
	log   *slog.Logger
	fatal chan string // the first
}

func (l *logger) Noticef(format string, v ...any) {
	l.log.Debug("broker: " + fmt.Sprintf(format, v...))
}
func (l *logger) Debugf(format string, v ...any) { l.log.Debug("broker: " + fmt.Sprintf(format, v...)) }
func (l *logger) Tracef(format string, v ...any) { l.log.Debug("broker: " + fmt.Sprintf(format, v...)) }
func (l *logger) Warnf(format string, v ...any)  { l.log.Warn("broker: " + fmt.Sprintf(format, v...)) }
func (l *logger) Errorf(format string, v ...any) { l.log.Error("broker: " + fmt.Sprintf(format, v...)) }

func (l *logger) Fatalf(format string, v ...any) {
	select {
	case l.fatal <- fmt.Sprintf(format, v...):
	default:
	}
}
