# Cadastre. `make` alone prints the commands.
SHELL := /bin/bash
.DEFAULT_GOAL := help

# Every recipe runs with Node 24: the machine's own, or a copy in .tools/.
NODE = export PATH="$$(scripts/ensure-node.sh):$$PATH"

.PHONY: help
help: ## Print this help
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: deps
deps: node_modules/.installed ## Install what the project needs (Node 24, npm packages)

node_modules/.installed: package.json package-lock.json scripts/ensure-node.sh
	@# Not `npm ci`, which refuses a lock without the packages of other platforms; some registries lack them.
	@# Versions and checksums still come from package-lock.json, which does not change.
	@$(NODE) && npm install --no-save --loglevel=error
	@touch $@

.PHONY: generate
generate: deps ## Generate TypeScript from proto/, the REST interface's description and client, docs/settings.md
	@$(NODE) && (cd proto && npx buf format -w . && npx buf generate && npx buf build --as-file-descriptor-set -o descriptors.binpb)
	@$(NODE) && npx tsc -b services/* libs/system && scripts/generate-client.sh
	@$(NODE) && node scripts/settings-page.mjs >docs/settings.md && node scripts/settings-page.mjs names >libs/service/src/setting-names.ts

.PHONY: build
build: deps ## Compile everything
	@$(NODE) && npx tsc -b && npm run --silent --workspace web build

.PHONY: run
run: build ## Start a whole registry on this machine: https://localhost:8443/
	@$(NODE) && exec env $$(scripts/build-facts.sh) node libs/system/dist/run.js

.PHONY: test
test: lint build ## Check and test everything (needs nothing but this checkout)
	@$(NODE) && npx vitest run

.PHONY: test-long
test-long: build ## Run what takes long: attacks, prices, kills, thousands of generated requests; before each release
	@$(NODE) && CADASTRE_TEST_SIZE=long npx vitest run

.PHONY: test-times
test-times: build ## Measure what each test file costs and write docs/test-times.md
	@$(NODE) && CADASTRE_TEST_TIMES=1 npx vitest run

.PHONY: check
check: lint ## Check quickly: lint, types, unit tests (under a minute)
	@$(NODE) && npx vitest run --project unit

.PHONY: test-system
test-system: build ## Run the tests that start databases, services and browsers
	@$(NODE) && npx vitest run --project '!unit'

.PHONY: lint
lint: build ## Format, lint, import rules, unused code, contracts, chart
	@$(NODE) && scripts/lint.sh

.PHONY: fmt
fmt: deps ## Format and fix what can be fixed
	@$(NODE) && npx biome check --write .

.PHONY: bench
bench: build ## Measure everything and write docs/performance.md; BENCH_QUICK=1 compares two commits
	@$(NODE) && node libs/system/dist/bench/run.js

.PHONY: pack-cli
pack-cli: build ## Pack the command line program for other machines (cli/dist-package)
	@$(NODE) && node scripts/pack-cli.mjs

.PHONY: images
images: ## Build the images of all services with Docker (IMAGE_PREFIX, IMAGE_TAG, NODE_IMAGE) and print their sizes
	@scripts/images/build.sh

.PHONY: test-images
test-images: deps ## Build the images and test them on a Docker engine with a real PostgreSQL and Redis
	@$(NODE) && scripts/images/test.sh

.PHONY: test-cluster
test-cluster: deps ## Test the chart in a real Kubernetes of one node, which it builds and starts; before each release
	@$(NODE) && scripts/cluster/test.sh

.PHONY: contracts-release
contracts-release: deps ## Make `make lint` protect the current contracts from breaking changes
	@$(NODE) && cd proto && npx buf build -o released.binpb
	@cp services/gateway/openapi.json services/gateway/openapi.released.json

.PHONY: clean
clean: ## Remove what was built (keeps .data)
	rm -rf {proto,cli,web,libs/*,services/*,clients/*}/dist cli/dist-package web/dist-types node_modules .tools
