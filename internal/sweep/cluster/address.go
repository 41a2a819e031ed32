package cluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
)

// Address says where a broker is, and what to show it.
type Address struct {
	URL       string // nats://HOST:PORT or tls://HOST:PORT; several of one cluster are separated by commas
	TokenFile string // "" = no token; read again at each connection, so that tokens can change
	CAFile    string // PEM of those who sign for the broker; "" = whom the system trusts

	field string // what the URL is called in errors
}

// As is the address with the name that errors give to its URL, such as --on.
func (a Address) As(field string) Address {
	a.field = field
	return a
}

// Check refuses what cannot be an address, a token that cannot be read, and one that would be sent where others read it.
func (a Address) Check() error {
	for part := range strings.SplitSeq(a.URL, ",") {
		if strings.Contains(part, "@") { // nor is it repeated here
			return fault.New(fault.Forbidden, a.field, "a token or a password in the URL would be read by others").WithHint("give --token-file")
		}
		u, err := url.Parse(strings.TrimSpace(part))
		if err != nil || u.Scheme != "nats" && u.Scheme != "tls" || u.Hostname() == "" || u.Path != "" && u.Path != "/" {
			return fault.Range(a.field, fmt.Sprintf("%.80q", part), "nats://HOST:4222 or tls://HOST:4222")
		}
	}
	if a.TokenFile != "" {
		if _, err := access.ReadToken("--token-file", a.TokenFile); err != nil {
			return err
		}
	}
	if a.CAFile != "" {
		text, err := os.ReadFile(a.CAFile)
		if err != nil {
			return fault.New(fault.NotFound, "--tls-ca", "cannot read the file of certificates").WithDetail("%v", err)
		}
		if !x509.NewCertPool().AppendCertsFromPEM(text) {
			return fault.New(fault.WrongType, "--tls-ca", "%s holds no certificate in PEM", a.CAFile)
		}
	}
	return nil
}

// secure says whether the connection must be encrypted: a token goes to other machines in no other way.
func (a Address) secure() bool {
	if a.CAFile != "" {
		return true
	}
	for part := range strings.SplitSeq(a.URL, ",") {
		u, _ := url.Parse(strings.TrimSpace(part)) // which was checked
		if u.Scheme == "tls" || a.TokenFile != "" && !access.IsLoopback(u.Hostname()) {
			return true
		}
	}
	return false
}

// firstPause and lastPause bound the pause between two attempts to reach a broker.
const (
	firstPause = 250 * time.Millisecond
	lastPause  = 15 * time.Second
)

// pause is how long to wait before the attempt after so many: twice as long each time, and not the same for all who wait.
func pause(attempts int) time.Duration {
	most := min(lastPause, firstPause<<min(attempts, 10))
	return most/2 + rand.N(most/2)
}

// connect reaches the broker once, and from then on again and again when it is gone.
func (a Address) connect(name string, log *slog.Logger) (*nats.Conn, error) {
	options := []nats.Option{
		nats.Name(name), nats.MaxReconnects(-1), nats.Timeout(5 * time.Second), nats.PingInterval(20 * time.Second), nats.MaxPingsOutstanding(2),
		nats.CustomReconnectDelay(pause),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				log.Warn("the broker is gone; trying again until it is back", "error", err)
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) { log.Info("the broker is back", "url", c.ConnectedUrlRedacted()) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { log.Warn("the broker says", "error", err) }),
	}
	if a.TokenFile != "" {
		options = append(options, nats.TokenHandler(func() string {
			token, err := access.ReadToken("--token-file", a.TokenFile)
			if err != nil {
				log.Error("no token", "error", err)
			}
			return token
		}))
	}
	if a.CAFile != "" {
		options = append(options, nats.RootCAs(a.CAFile))
	} else if a.secure() {
		options = append(options, nats.Secure(&tls.Config{MinVersion: tls.VersionTLS12}))
	}
	c, err := nats.Connect(a.URL, options...)
	if err != nil {
		return nil, a.refused(err)
	}
	return c, nil
}

// unreachable says that no broker answers, which may change; every other error of [Address.connect] does not.
type unreachable struct{ cause *fault.Error }

func (e unreachable) Error() string { return e.cause.Error() }
func (e unreachable) Unwrap() error { return e.cause }

func (a Address) refused(err error) error {
	field := a.field
	var unknown x509.UnknownAuthorityError
	var otherName x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.Is(err, nats.ErrAuthorization) || strings.Contains(strings.ToLower(err.Error()), nats.AUTHORIZATION_ERR):
		if a.TokenFile == "" {
			return fault.New(fault.Forbidden, "--token-file", "the broker wants a token").WithHint("give --token-file")
		}
		return fault.New(fault.Forbidden, "--token-file", "the broker does not accept the token").
			WithHint("use the token that the broker was started with")
	case errors.Is(err, nats.ErrSecureConnWanted):
		return fault.New(fault.Forbidden, field, "the broker does not encrypt, and a token goes to other machines encrypted only").
			WithHint("give the broker a certificate, or do without a token")
	case errors.As(err, &unknown) || errors.As(err, &otherName) || errors.As(err, &invalid):
		return fault.New(fault.Forbidden, "--tls-ca", "the certificate of the broker is not trusted").WithDetail("%v", err).
			WithHint("name those who signed it with --tls-ca")
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.NotFound, field, "cannot connect").WithDetail("%v", err)
	}
	return unreachable{fault.New(fault.InvalidState, field, "no broker answers").WithDetail("%v", err).
		WithHint("start one with econ-mcp serve --cluster, or nats-server -js")}
}

// sleep waits, or until the context is done.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
