#!/bin/sh
# Makes blueprintv1 anew from proto. Needs protoc (Debian: protobuf-compiler, 3.21 or newer) and Go;
# the plugins are built at the versions named here.
set -eu
cd "$(dirname "$0")"
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
command -v protoc >/dev/null || { echo "protoc is missing: apt-get install protobuf-compiler" >&2; exit 1; }
GOBIN="$bin" go install google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.12
GOBIN="$bin" go install connectrpc.com/connect/cmd/protoc-gen-connect-go@v1.21.1
PATH="$bin:$PATH" protoc -I proto \
	--go_out=blueprintv1 --go_opt=module=curlew/internal/door/grpc/blueprintv1 \
	--connect-go_out=blueprintv1 --connect-go_opt=module=curlew/internal/door/grpc/blueprintv1,package_suffix= \
	curlew/blueprint/v1/blueprint.proto
