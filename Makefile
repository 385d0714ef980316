# make run    start Curlew with the sample web and tell its story
# make test   everything, with the race detector, on SQLite and a real Postgres
# make check  formatting, vet, static analysis, the layout, known vulnerabilities
# make bench  figures of the engine, the crawl and the extraction, beside their best known rivals, and of learning, watching and the console
# make eval   pass rates on suites and pages that others wrote
# make faults hurt running processes on purpose and count what was lost
SHELL := /bin/bash
GO ?= go
BIN := bin/curlew

.PHONY: run build test check bench eval faults clean

run: build
	@$(BIN) demo

build:
	@CGO_ENABLED=0 $(GO) build -o $(BIN) ./cmd/curlew

test:
	@scripts/test

check:
	@scripts/check

bench: build
	@cd bench && $(GO) run ./engine
	@cd bench && $(GO) run ./crawl
	@cd bench && $(GO) run ./extract
	@cd bench && $(GO) run ./learn
	@cd bench && $(GO) run ./watch
	@cd bench && $(GO) run ./console

eval:
	@scripts/eval

faults:
	@$(GO) run ./faults
	@CURLEW_TEST_DRIFTS=200 CURLEW_TEST_DAYS=50 $(GO) test -count=1 -timeout 60m ./internal/jobs -run 'Drift|TenDays' -v | grep -E '(drift|changes) of |^(ok|FAIL|---)'

clean:
	@rm -rf bin data
