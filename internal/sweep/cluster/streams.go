package cluster

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

// Names of the streams.
const (
	tasksStream   = "ECON_TASKS"
	resultsStream = "ECON_RESULTS"
	failedStream  = "ECON_FAILED"
)

const (
	// forgotten is after what time results and dead letters that nobody asks for are deleted: the runs are simulated again, should somebody.
	forgotten = 30 * 24 * time.Hour
	// usualAckWait is how long a worker may be silent before its task is given to another one. It tells four times as often that it works.
	usualAckWait = 20 * time.Second
	// mostDeliveries is how often a task is given out before it counts as one that ends those who try it: machines that come and go lose a
	// task now and then, ten of them hardly the same.
	mostDeliveries = 10
	// mostInFlight bounds the tasks that workers have at a time, and mostWaiting the workers that wait for one.
	mostInFlight, mostWaiting = 1 << 20, 1 << 16
	// modelKey is the metadata of the stream of tasks that says whose version of the model it serves.
	modelKey = "econ_model_version"
	// exhausted are the broker's advisories on tasks that were given out too often.
	exhausted = "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES." + tasksStream + ".>"
)

// token is a text as a part of a subject or a name.
func token(text string) string {
	return strings.NewReplacer(".", "_", " ", "_", "*", "_", ">", "_").Replace(text)
}

func workersName() string { return "workers-" + token(sim.ModelVersion) }

func taskSubject(sweep, part string) string {
	return strings.Join([]string{"econ.tasks", token(sim.ModelVersion), sweep, part}, ".")
}

func resultSubject(sweep string) string { return "econ.results." + sweep }

func failedSubject(sweep string) string { return "econ.failed." + sweep }

// prepare makes the streams, and the queue that the workers of this version of the model draw from. A broker that still has tasks of
// another version serves that one.
func prepare(ctx context.Context, js jetstream.JetStream, ackWait time.Duration) error {
	old, err := js.Stream(ctx, tasksStream)
	if err == nil {
		info := old.CachedInfo()
		if of := info.Config.Metadata[modelKey]; of != sim.ModelVersion && info.State.Msgs > 0 {
			return fault.New(fault.Conflict, "model_version", "the broker has %d tasks of model %s, and this program has %s",
				info.State.Msgs, of, sim.ModelVersion).
				WithHint("wait until they are done, or use another broker")
		}
	} else if !errors.Is(err, jetstream.ErrStreamNotFound) {
		return err
	}
	for _, config := range []jetstream.StreamConfig{
		{
			Name: tasksStream, Subjects: []string{"econ.tasks.>"}, Retention: jetstream.WorkQueuePolicy,
			MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
			Metadata: map[string]string{modelKey: sim.ModelVersion},
		},
		{Name: resultsStream, Subjects: []string{"econ.results.>"}, Retention: jetstream.WorkQueuePolicy, MaxAge: forgotten},
		{Name: failedStream, Subjects: []string{"econ.failed.>", exhausted}, MaxAge: forgotten, MaxMsgs: 1 << 20},
	} {
		config.Storage = jetstream.FileStorage
		if _, err := js.CreateOrUpdateStream(ctx, config); err != nil {
			return err
		}
	}
	tasks, err := js.Stream(ctx, tasksStream)
	if err != nil {
		return err
	}
	names := tasks.ConsumerNames(ctx)
	for name := range names.Name() {
		if name != workersName() { // of another version, which has nothing to do any more
			if err := tasks.DeleteConsumer(ctx, name); err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
				return err
			}
		}
	}
	if names.Err() != nil {
		return names.Err()
	}
	_, err = tasks.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: workersName(), FilterSubject: "econ.tasks." + token(sim.ModelVersion) + ".>", AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: ackWait, MaxDeliver: mostDeliveries, MaxAckPending: mostInFlight, MaxWaiting: mostWaiting,
	})
	return err
}

// passing says whether an error of the broker is likely to pass: it is away, or not ready.
func passing(err error) bool {
	if _, ours := errors.AsType[*fault.Error](err); ours {
		return false
	}
	api, told := errors.AsType[*jetstream.APIError](err)
	return !told && !errors.Is(err, nats.ErrMaxPayload) && !errors.Is(err, nats.ErrConnectionClosed) || told && api.Code >= 500
}

// sweepOf is the sweep of a subject of tasks.
func sweepOf(subject string) string {
	if parts := strings.Split(subject, "."); len(parts) == 5 {
		return parts[3]
	}
	return "unknown"
}
