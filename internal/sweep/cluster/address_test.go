package cluster_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/sweep/broker"
	"econ-mcp/internal/sweep/cluster"
)

func mustWrite(t *testing.T, path string, text []byte) string {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// mustCertify makes a certificate of 127.0.0.1 that signs for itself.
func mustCertify(t *testing.T, folder string) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "broker"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return mustWrite(t, filepath.Join(folder, "cert.pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		mustWrite(t, filepath.Join(folder, "key.pem"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
}

// A broker with a token and a certificate: who has both works, who lacks one is told what.
func TestTokenAndCertificate(t *testing.T) {
	folder := t.TempDir()
	cert, key := mustCertify(t, folder)
	token := mustWrite(t, filepath.Join(folder, "token"), []byte("0123456789abcdef0123456789abcdef\n"))
	wrong := mustWrite(t, filepath.Join(folder, "wrong"), []byte("fedcba9876543210\n"))
	b, err := broker.Start(broker.Config{
		Addr: "127.0.0.1:0", Folder: t.TempDir(), TokenFile: token, CertFile: cert, KeyFile: key, Log: logged(t, "broker"),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for name, c := range map[string]struct {
		address cluster.Address
		says    string
	}{
		"a wrong token":        {cluster.Address{URL: b.URL(), TokenFile: wrong, CAFile: cert}, "does not accept the token"},
		"no token":             {cluster.Address{URL: b.URL(), CAFile: cert}, "wants a token"},
		"an unknown authority": {cluster.Address{URL: b.URL(), TokenFile: token}, "certificate of the broker is not trusted"},
	} {
		_, err := cluster.Worker{Broker: c.address.As("--connect"), Threads: 1, Log: logged(t, name)}.Run(t.Context())
		if fault.KindOf(err) != fault.Forbidden || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	right := cluster.Address{URL: b.URL(), TokenFile: token, CAFile: cert}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := cluster.Worker{Broker: right.As("--connect"), Threads: 2, Log: logged(t, "worker")}.Run(ctx)
		ended <- err
	}()
	p, into := mustPlan(t), t.TempDir()
	s := submitTo(t, b.URL(), p, into)
	s.Broker = right.As("--on")
	if n, err := s.Run(t.Context()); err != nil || n != len(p.Runs) || found(t, p, into) != local(t, p) {
		t.Errorf("%d recorded: %v", n, err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("the worker: %v", err)
	}
}

// What cannot be an address, or a token or a certificate that is none, is said before anything is connected.
func TestAddresses(t *testing.T) {
	folder := t.TempDir()
	token := mustWrite(t, filepath.Join(folder, "token"), []byte("0123456789abcdef\n"))
	short := mustWrite(t, filepath.Join(folder, "short"), []byte("secret\n"))
	for name, c := range map[string]struct {
		address cluster.Address
		kind    fault.Kind
	}{
		"a broker":         {cluster.Address{URL: "nats://127.0.0.1:4222"}, ""},
		"several":          {cluster.Address{URL: "nats://a:4222,tls://b:4222", TokenFile: token}, ""},
		"no scheme":        {cluster.Address{URL: "127.0.0.1:4222"}, fault.OutOfRange},
		"another one":      {cluster.Address{URL: "nats://a:4222,http://b:4222"}, fault.OutOfRange},
		"no host":          {cluster.Address{URL: "nats://"}, fault.OutOfRange},
		"a token in it":    {cluster.Address{URL: "nats://a:4222,nats://0123456789abcdef@b:4222"}, fault.Forbidden},
		"a password in it": {cluster.Address{URL: "nats://me:secret@a:4222", TokenFile: token}, fault.Forbidden},
		"a path":           {cluster.Address{URL: "nats://a:4222/x"}, fault.OutOfRange},
		"a short token":    {cluster.Address{URL: "nats://a:4222", TokenFile: short}, fault.OutOfRange},
		"no token":         {cluster.Address{URL: "nats://a:4222", TokenFile: folder + "/none"}, fault.NotFound},
		"no certificates":  {cluster.Address{URL: "nats://a:4222", CAFile: short}, fault.WrongType},
		"no file for them": {cluster.Address{URL: "nats://a:4222", CAFile: folder + "/none"}, fault.NotFound},
	} {
		if err := c.address.As("--on").Check(); fault.KindOf(err) != c.kind {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Who submits is told at once that nobody answers, and a broker without JetStream what it lacks.
func TestNoBroker(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := taken.Addr().String()
	taken.Close()
	runs := t.TempDir()
	if _, err := submitTo(t, "nats://"+addr, mustPlan(t), runs).Run(t.Context()); fault.KindOf(err) != fault.InvalidState ||
		!strings.Contains(err.Error(), "no broker answers") {
		t.Errorf("nobody listens: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(runs, "*.json")); err != nil || len(left) > 0 {
		t.Errorf("a sweep that no broker has heard of left %v, %v", left, err)
	}
	plain, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	plain.Start()
	defer plain.Shutdown()
	if !plain.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	if _, err := submitTo(t, plain.ClientURL(), mustPlan(t), t.TempDir()).Run(t.Context()); fault.KindOf(err) != fault.InvalidState ||
		!strings.Contains(err.Error(), "has no JetStream; start it with nats-server -js") {
		t.Errorf("no JetStream: %v", err)
	}
}

// mustPlain starts a NATS server that is not ours, with JetStream and messages of so many bytes at most.
func mustPlain(t *testing.T, largest int32) (url string) {
	t.Helper()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true, JetStream: true, StoreDir: t.TempDir(), MaxPayload: largest,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	return s.ClientURL()
}

// A plain NATS server does, and tasks and results that are too large for its messages are divided; a single economy that is too large
// is refused.
func TestSmallMessages(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes; the others run the same loops")
	}
	url := mustPlain(t, 6<<10) // of which 4 KiB are left for headers
	p, into := mustPlan(t), t.TempDir()
	s := submitTo(t, url, p, into)
	s.AgentMonths = 1e9 // all in one part
	js := mustJetStream(t, url)
	ended := make(chan error, 1)
	go func() {
		_, err := s.Run(t.Context())
		ended <- err
	}()
	hire(t, url, "worker")
	if err := <-ended; err != nil || lines(t, into) != len(p.Runs) || found(t, p, into) != local(t, p) {
		t.Errorf("%d of %d recorded: %v", lines(t, into), len(p.Runs), err)
	}
	tasks, err := js.Stream(t.Context(), "ECON_TASKS")
	if err != nil || tasks.CachedInfo().State.LastSeq < 2 {
		t.Errorf("%d messages: %v", tasks.CachedInfo().State.LastSeq, err)
	}

	if _, err := submitTo(t, mustPlain(t, 4200), p, t.TempDir()).Run(t.Context()); fault.KindOf(err) != fault.LimitExceeded ||
		!strings.Contains(err.Error(), "raise max_payload of the broker") {
		t.Errorf("no economy has room: %v", err)
	}
}
