// Package cluster carries out sweeps on machines that come and go, over NATS JetStream. [Submit] plans, puts the tasks into a queue and
// records what comes back; a [Worker] takes a task at a time, simulates it and sends its records. Each of the three processes (the broker
// is one of them) may be killed at any time: a task is in the queue until its records are in the stream of results, a result is there until
// it is on the recorder's disk, and a run is entered once, however often it is simulated.
//
//	econ.tasks.VERSION.SWEEP.PART   stream ECON_TASKS, a work queue: at most one message a subject, so that a part that waits or
//	                                is being simulated cannot be put there twice
//	econ.results.SWEEP              stream ECON_RESULTS, a work queue with one consumer a sweep: the recorder
//	econ.failed.SWEEP               stream ECON_FAILED, the dead letters: tasks that no worker can carry out, with the reason, and the
//	                                broker's word on tasks that were given out too often
//
// A sweep is a design in a folder of runs. Task and result are JSON, compressed with zstd.
package cluster
