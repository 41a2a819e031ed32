package slurm

// ReadLimits reads what scontrol prints.
var ReadLimits = limits
