# Cadastre. `make` alone prints the commands.
SHELL := /bin/bash
.DEFAULT_GOAL := help

# Every recipe runs with Node 24: the system's own, or a copy in .tools/.
NODE = export PATH="$$(scripts/ensure-node.sh):$$PATH"

.PHONY: help
help: ## Print this help
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Downloads Node.js meanwhile: any npm can install the packages. Not `npm ci`, which refuses a lock without the packages
# of other platforms; some registries lack them. Versions and checksums still come from package-lock.json.
INSTALL = scripts/ensure-node.sh >/dev/null & npm install --no-save --prefer-offline --loglevel=error
PACKAGES = package.json package-lock.json scripts/ensure-node.sh

.PHONY: deps
deps: node_modules/.all ## Install what the project needs (Node 24, npm packages)

node_modules/.all: $(PACKAGES)
	@$(INSTALL) && wait $$!
	@touch node_modules/.run $@

# The packages for `make run`, a third of all; never removes packages that `make deps` installed.
node_modules/.run: $(PACKAGES)
	@$(INSTALL) $(if $(wildcard node_modules/.all),,--omit=dev) && wait $$!
	@touch $@

# Includes folders: their times change when a file is deleted.
CONTRACTS = $(shell find proto/cadastre proto/google proto/grpc) $(wildcard proto/buf*.yaml proto/*.mjs)

proto/descriptors.binpb: $(CONTRACTS) package-lock.json | node_modules/.run
	@$(NODE) && cd proto && npx buf generate && npx buf build --as-file-descriptor-set -o $(@F) && node mark-idempotent.mjs

clients/typescript/src/interface.ts: services/gateway/openapi.json package-lock.json | node_modules/.all
	@$(NODE) && npx openapi-typescript $< --output $@ >/dev/null

CLIENT = $(wildcard clients/typescript/src/*.ts)

clients/typescript/dist/index.js: $(CLIENT) clients/typescript/src/interface.ts tsconfig.json
	@$(NODE) && npx tsc -p clients/typescript && touch $@

web/dist/index.html: $(shell find web/src web/*.* libs/rpsl/src libs/query/src) $(filter-out %/interface.ts,$(CLIENT)) package-lock.json | node_modules/.run
	@$(NODE) && npm run --silent --workspace web build

.PHONY: code
code: proto/descriptors.binpb
	@$(NODE) && node scripts/compile.mjs

.PHONY: build
build: deps ## Generate and compile everything; `make lint` checks the types
	@$(MAKE) --silent --jobs=2 $(RUNS) bundles clients/typescript/dist/index.js

.PHONY: generate
generate: code ## Write what the code describes: services/gateway/openapi.json, docs/reference/
	@$(NODE) && node services/gateway/dist/openapi/print.js >services/gateway/openapi.json
	@$(NODE) && node scripts/settings-page.mjs >docs/reference/settings.md && node scripts/reference.mjs
	@$(NODE) && node scripts/test-sizes.ts >docs/develop/test-sizes.md

# A program starts faster from few files. `make run` starts only the programs of libs/system.
.PHONY: bundles bundle-system
bundles: code
	@$(NODE) && node scripts/bundle.mjs

bundle-system: code
	@$(NODE) && node scripts/bundle.mjs libs/system

# The prerequisites of `make run`.
RUNS = code web/dist/index.html

.PHONY: run
run: node_modules/.run ## Start a whole registry on this machine: https://localhost:8443/
	@$(MAKE) --silent --jobs=2 $(RUNS) bundle-system
	@$(NODE) && exec env $$(scripts/build-facts.sh) node libs/system/dist/run.js

.PHONY: dev
dev: node_modules/.run ## Like run; restarts a service when its code changes
	@$(MAKE) --silent --jobs=2 $(RUNS)
	@$(NODE) && exec env $$(scripts/build-facts.sh) node scripts/dev.mjs $(RUNS)

.PHONY: test
test: lint build ## Check and test everything (needs nothing but this checkout)
	@$(NODE) && npx vitest run

.PHONY: test-long
test-long: build ## Run what takes long: attacks, prices, kills, thousands of generated requests; before each release
	@$(NODE) && CADASTRE_TEST_SIZE=long npx vitest run

.PHONY: test-times
test-times: build ## Measure what each test file costs and write docs/develop/test-times.md
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
	@$(NODE) && npx biome check --write . && cd proto && npx buf format -w .

.PHONY: bench
bench: build ## Measure everything and write docs/measurements/performance.md; BENCH_QUICK=1 compares two commits
	@$(NODE) && node bench/src/run.ts

.PHONY: endurance
endurance: build ## Inject faults under a mixed load for HOURS (2) and write docs/measurements/endurance.md; 0: each fault once
	@$(NODE) && CADASTRE_TEST_SIZE=all CADASTRE_ENDURANCE_HOURS=$(or $(HOURS),2) \
	  npx vitest run --project system libs/system/tests/endurance.test.ts

.PHONY: pack-cli
pack-cli: build ## Pack the command line program for other machines (cli/dist-package)
	@$(NODE) && node scripts/pack-cli.mjs

.PHONY: images
images: ## Build the images of all services with Docker (IMAGE_PREFIX, IMAGE_TAG, NODE_IMAGE) and print their sizes
	@scripts/images/build.sh

.PHONY: test-images
test-images: build ## Build the images and test them on a Docker engine with a real PostgreSQL and Redis
	@$(NODE) && scripts/images/test.sh

.PHONY: test-cluster
test-cluster: build ## Test the chart in a real Kubernetes of one node, which it builds and starts; before each release
	@$(NODE) && scripts/cluster/test.sh

.PHONY: test-release
test-release: deps ## Publish a release into a registry on this machine, verify and install it; before each release
	@$(NODE) && scripts/release/trial/test.sh

RELEASE_STEPS = sbom licences audit packages chart compose notes checksums

.PHONY: release
release: deps ## Build what a release consists of, in dist/release (RELEASE_TAG, RELEASE_HOME, RELEASE_REGISTRY)
	@$(NODE) && node scripts/release/check.mjs && $(MAKE) --silent build && \
	  for step in $(RELEASE_STEPS); do node scripts/release/$$step.mjs || exit; done

.PHONY: contracts-release
contracts-release: deps ## Make `make lint` protect the current contracts from breaking changes
	@$(NODE) && cd proto && npx buf build -o released.binpb
	@cp services/gateway/openapi.json services/gateway/openapi.released.json

.PHONY: clean
clean: ## Remove what was built (keeps .data)
	rm -rf dist {proto,cli,web,libs/*,services/*,clients/*}/dist cli/dist-package node_modules .tools
	rm -rf proto/src/gen proto/descriptors.binpb clients/typescript/src/interface.ts libs/service/setting-names.json
