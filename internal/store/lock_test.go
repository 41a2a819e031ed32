package store_test

const helperFolder = "ECON_MCP_STORE_HELPER"

func help(dir string) {}
