# One image for each service and for the command line program: SERVICE is objects, auth, search, events, whois, mirror,
# gateway or cli.
# `make images` builds them all. Any builder works; the first stages are the same for every service.
#
# The image has Node.js, the C library and the program: no shell, no package manager. It runs as uid 10001, on a
# read-only root file system, without capabilities. It writes only to /data (the gateway's self-signed certificate,
# the index of search, what mirror publishes).

# The base by name, or pinned: --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:...
ARG NODE_IMAGE=node:24-bookworm-slim

# The runtime of Node.js.
FROM ${NODE_IMAGE} AS runtime
COPY scripts/images/collect-runtime.sh /
RUN sh /collect-runtime.sh /image

# Manifests alone, so that a change of code does not reinstall packages.
FROM ${NODE_IMAGE} AS manifests
COPY . /all
RUN mkdir /src && cd /all && \
    find . \( -name package.json -o -name package-lock.json -o -name .npmrc \) -exec cp --parents {} /src \;

# Generates and compiles everything, as `make code bundles` does. Versions and checksums of packages are those of
# package-lock.json.
FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY --from=manifests /src .
RUN npm install --no-save --ignore-scripts --omit=dev --loglevel=error
COPY . .
RUN cd proto && npx buf generate && npx buf build --as-file-descriptor-set -o descriptors.binpb && node mark-idempotent.mjs
RUN node scripts/compile.mjs && node scripts/bundle.mjs && npm run --workspace web build

# What one service runs with: its own packages, those it depends on, and nothing for development. All files get the
# same time, so that what did not change is the same layer in every build and every version.
FROM ${NODE_IMAGE} AS service
ARG SERVICE
WORKDIR /src
COPY --from=manifests /src .
COPY --from=build /root/.npm /root/.npm
RUN npm install --no-save --ignore-scripts --omit=dev --prefer-offline --loglevel=error --workspace=@cadastre/${SERVICE}
COPY --from=build /src /built
COPY --from=runtime /image /image/runtime
RUN node /built/scripts/images/lay-out.mjs ${SERVICE} /src /built /image && \
    chmod --recursive u=rwX,go=rX /image/packages /image/own && \
    find /image -exec touch --no-dereference --date=@0 {} +

FROM scratch
COPY --from=service /image/runtime /
COPY --from=service /image/packages /
COPY --from=service /image/own /
ENV PATH=/usr/local/bin NODE_ENV=production CADASTRE_DATA_DIR=/data CADASTRE_WEB_DIR=/app/web/dist \
    CADASTRE_LISTEN=0.0.0.0:9090 CADASTRE_OPERATIONS=0.0.0.0:9091
WORKDIR /app
USER 10001:10001
# Texts of a megabyte lie outside the heap: the collector counts them together with it, and lets both grow a little first
# (docs/adr/0075-costly-clients-come-last.md). Threads that help to collect wait for a busy processor, and all for them.
ENTRYPOINT ["node", "--no-parallel-scavenge", "--external-memory-accounted-in-global-limit", "--initial-old-space-size=96", "main.js"]
ARG SERVICE
ARG VERSION=0.0.0
ARG BUILD_COMMIT
ARG BUILD_TIME
ENV CADASTRE_BUILD_COMMIT=${BUILD_COMMIT} CADASTRE_BUILD_TIME=${BUILD_TIME}
LABEL org.opencontainers.image.title="cadastre-${SERVICE}" \
      org.opencontainers.image.description="Cadastre, a registry database for Internet number resources: ${SERVICE}" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${BUILD_COMMIT}" \
      org.opencontainers.image.created="${BUILD_TIME}"
