//go:build tools

// Package programs keeps the module of the metrics server in go.mod.
package programs

import _ "sigs.k8s.io/metrics-server/cmd/metrics-server"
