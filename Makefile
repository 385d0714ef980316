# make run    start Curlew with the sample web and tell its story
# make test   everything, with the race detector where there can be races, on SQLite and a real Postgres
# make race   everything with the race detector (an hour)
# make check  formatting, vet, static analysis, the layout, known vulnerabilities
# make security  who may do what, orgs, bounds and secrets: the tests of docs/threats.md, in one table
# make bench  figures of the engine, the crawl and the extraction, beside their best known rivals, and of learning, watching, the console and onboarding
# make profile  where the time of reading a page goes, by stage and kind of page, and as a flame graph (docs/speed.md)
# make fit    fit the weights by which readings are ranked, pairs of records judged and values trusted, and print how they do on what was left out
# make eval   pass rates on suites and pages that others wrote
# make mutants  which conditions of the readers no real page misses (hours)
# make disguised  the same pages in other markup: what leans on how pages happen to be made
# make drift  pages that change and pages that only look it: what Curlew and three other ways to watch tell of them (docs/drift.md)
# make scale  a simulated day of 1,000, 10,000 and 100,000 watches on Postgres: how late, how polite, what it costs (hours; docs/capacity.md)
# make screenshots  pictures of every screen of the console, wide and narrow, light and dark (SHOTS=folder)
# make release  binaries, packages and checksums into bin/release, each tried where it can be (VERSION=1.2.3)
# make readme  the lines of README.md, in order, in a clean clone
# make interop  webhooks, feeds, API, gRPC, MCP, alerts, S3, mail, proxies with programs that others wrote
# make faults  hurt running processes on purpose and count what was lost (under ten minutes)
# make faults-long  the same with 20 seeds of every point at which a process may die, 1,000 kill -9, 200 drifts and 50 days (hours; docs/faults.md)
SHELL := /bin/bash
GO ?= go
BIN := bin/curlew

.PHONY: run build test race check security bench profile eval fit mutants disguised drift scale faults faults-long screenshots release readme interop clean

run: build
	@$(BIN) demo

build:
	@CGO_ENABLED=0 $(GO) build -o $(BIN) ./cmd/curlew

test:
	@scripts/test

race:
	@scripts/test ./...

check:
	@scripts/check

security:
	@scripts/security

bench: build
	@cd bench && $(GO) run ./engine
	@cd bench && $(GO) run ./crawl
	@cd bench && $(GO) run ./extract
	@cd bench && $(GO) run ./records
	@cd bench && $(GO) run ./learn
	@cd bench && $(GO) run ./watch
	@cd bench && $(GO) run ./console
	@cd bench && $(GO) run ./onboard

profile:
	@cd bench && $(GO) run ./profile --document ../docs/speed.md --svg ../docs/speed.svg

fit:
	@scripts/fit-readings --write
	@scripts/fit-match --write
	@scripts/fit-confidence --write

eval:
	@scripts/eval

mutants:
	@scripts/mutants

disguised:
	@scripts/disguised

drift:
	@cd bench && $(GO) run ./drift --document ../docs/drift.md --svg ../docs/drift.svg --commit $$(git rev-parse --short HEAD)

scale:
	@cd bench && $(GO) run ./scale

faults:
	@$(GO) run ./faults

faults-long:
	@$(GO) run ./faults --long --document docs/faults.md --commit $$(git rev-parse --short HEAD)

SHOTS ?= bin/screenshots
screenshots:
	@CURLEW_SCREENSHOTS=$(abspath $(SHOTS)) $(GO) test -count=1 -timeout 20m ./internal/door/cli -run TestScreenshots
	@echo "Pictures are in $(SHOTS)."

release:
	@scripts/release

readme:
	@scripts/readme

interop:
	@scripts/interop

clean:
	@rm -rf bin data
