#!/bin/sh
# Makes blueprintv1, candidatev1 and kindv1 anew from proto. Needs protoc (Debian: protobuf-compiler, 3.21 or newer) and Go;
# the plugins are built at the versions named here.
set -eu
cd "$(dirname "$0")"
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
command -v protoc >/dev/null || { echo "protoc is missing: apt-get install protobuf-compiler" >&2; exit 1; }
GOBIN="$bin" go install google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.12
GOBIN="$bin" go install connectrpc.com/connect/cmd/protoc-gen-connect-go@v1.21.1
module=module=github.com/curlew-data/curlew/internal/door/grpc
PATH="$bin:$PATH" protoc -I proto --go_out=. --go_opt=$module --connect-go_out=. --connect-go_opt=$module,package_suffix= \
	curlew/blueprint/v1/blueprint.proto curlew/candidate/v1/candidate.proto curlew/kind/v1/kind.proto
