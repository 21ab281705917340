// Which package may import which (docs/develop/architecture.md). A forbidden import fails the build.
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    forbid(
      'no-cycles',
      'Modules must not import each other in a circle.',
      { pathNot: '^proto/src/gen/' },
      { circular: true },
    ),
    forbid(
      'rpsl-is-pure',
      'libs/rpsl is the object language: it imports nothing of ours and does no I/O (node:url only for punycode).',
      { path: '^libs/rpsl/src', pathNot: '\\.test\\.ts$' },
      { pathNot: '^(libs/rpsl/src|url$)' },
    ),
    forbid(
      'keys-know-nobody',
      'libs/keys looks at octets: it imports nothing of ours, and no library that computes with keys.',
      { path: '^libs/keys/src', pathNot: '\\.test\\.ts$' },
      { pathNot: '^(libs/keys/src|crypto$)' },
    ),
    forbid(
      'proto-knows-nobody',
      'Contracts import nothing of ours.',
      { path: '^proto/' },
      { path: '^(libs|services|cli)/' },
    ),
    forbid(
      'service-library-knows-no-domain',
      'libs/service runs services; it knows the contracts, and of the object language only what a message is.',
      { path: '^libs/service/' },
      { path: '^(services|cli|libs/(?!service/|rpsl/src/message\\.ts$))' },
    ),
    forbid(
      'documents-know-objects',
      'libs/documents knows the contracts and the object language.',
      { path: '^libs/documents/', pathNot: '\\.test\\.ts$' },
      { path: '^(services|cli|node_modules|libs/(?!(documents|rpsl)/))' },
    ),
    forbid(
      'rdap-is-pure',
      'libs/rdap maps objects to documents: it knows the object language and nothing else.',
      { path: '^libs/rdap/src', pathNot: '\\.test\\.ts$' },
      { pathNot: '^(libs/rdap/src|libs/rpsl/)' },
    ),
    forbid(
      'changes-are-for-their-readers',
      'libs/changes knows the contracts, the object language, libs/documents and libs/service.',
      { path: '^libs/changes/' },
      { path: '^(services|cli|libs/(?!(changes|documents|rpsl|service)/))' },
    ),
    forbid(
      'limits-are-for-services',
      'libs/limits knows the contracts, the object language and libs/service.',
      { path: '^libs/limits/' },
      { path: '^(services|cli|libs/(?!(limits|rpsl|service)/))' },
    ),
    forbid(
      'query-is-grammar',
      'libs/query knows the contracts, the object language, and the errors of libs/service.',
      { path: '^libs/query/', pathNot: '\\.test\\.ts$' },
      { path: '^(services|cli|node_modules|libs/(?!(query|rpsl|service)/))' },
    ),
    forbid(
      'browsers-get-pure-words-of-queries',
      'What browsers import of libs/query knows the object language and nothing else.',
      { path: '^libs/query/src/(browser|flags|inverse-attributes)\\.ts$' },
      { pathNot: '^libs/(rpsl/|query/src/(flags|inverse-attributes)\\.ts$)' },
    ),
    forbid(
      'searches-are-for-their-askers',
      'libs/searches knows the contracts and libs/service.',
      { path: '^libs/searches/' },
      { path: '^(services|cli|libs/(?!(searches|service)/))' },
    ),
    forbid(
      'roas-are-for-their-readers',
      'libs/roa knows the contracts, the object language and libs/service.',
      { path: '^libs/roa/' },
      { path: '^(services|cli|libs/(?!(roa|rpsl|service)/))' },
    ),
    forbid(
      'nrtm-is-formats',
      'libs/nrtm reads and writes the formats of mirroring: it knows jose and parts of node, and nothing of ours.',
      { path: '^libs/nrtm/src', pathNot: '\\.test\\.ts$' },
      { pathNot: '^(libs/nrtm/src/|node_modules/jose/|(node:)?(buffer|crypto|zlib|stream(/promises)?)$)' },
    ),
    forbid(
      'services-meet-in-contracts',
      'Services never import each other.',
      { path: '^services/([^/]+)/' },
      { path: '^services/', pathNot: '^services/$1/' },
    ),
    forbid(
      'clients-stand-alone',
      'Clients are for others: they import nothing of ours.',
      { path: '^clients/[^/]+/src' },
      { path: '^(proto|libs|services|cli)/' },
    ),
    forbid(
      'system-is-the-top',
      'Only the benchmark imports libs/system, and only what it exports.',
      { pathNot: '^libs/system/' },
      { path: '^libs/system/', pathNot: '^libs/system/src/index\\.ts$' },
    ),
    forbid(
      'only-bench-starts-registries',
      'Only the benchmark imports libs/system.',
      { pathNot: '^(libs/system|bench)/' },
      { path: '^libs/system/' },
    ),
    forbid(
      'nobody-runs-the-benchmark',
      'The benchmark is no part of the registry; tests of libs/system share its reader of responses.',
      { pathNot: '^(bench/|libs/system/tests/)' },
      { path: '^bench/' },
    ),
    forbid(
      'cli-goes-through-the-contracts',
      'The CLI never goes round the services.',
      { path: '^cli/' },
      { path: '^services/' },
    ),
    forbid(
      'web-knows-the-object-language-and-the-client',
      'The web interface runs in browsers: it talks REST through the typed client, and knows the words of queries.',
      { path: '^web/src', pathNot: '\\.test\\.ts$' },
      { path: '^(proto|cli|services|libs)/', pathNot: '^libs/(rpsl/|query/src/browser\\.ts$)' },
    ),
    forbid(
      'synthetic-data-is-for-tests',
      'Services must not depend on the generator of synthetic data.',
      { path: '^services/[^/]+/src', pathNot: '\\.test\\.ts$' },
      { path: '^libs/synthetic' },
    ),
    forbid(
      'domain-is-pure',
      'The domain of a service knows neither SQL nor RPC.',
      { path: '^services/[^/]+/src/domain', pathNot: '\\.test\\.ts$' },
      { path: '^(services/[^/]+/src/(store|rpc|main|service|context)|node_modules/(pg|@grpc))' },
    ),
    forbid(
      'interfaces-of-the-gateway-are-apart',
      'rest, rdap and web import only the shared folders reply, body, backends, documents, limits and openapi.',
      { path: '^services/gateway/src/(rest|rdap|web)/', pathNot: '\\.test\\.ts$' },
      { path: '^services/gateway/src/(rest|rdap|web|hooks|server)/', pathNot: '^services/gateway/src/$1/' },
    ),
    forbid(
      'hooks-of-the-gateway-know-replies',
      'Hooks import only the folders reply, backends and limits.',
      { path: '^services/gateway/src/hooks/', pathNot: '\\.test\\.ts$' },
      { path: '^services/gateway/src/(rest|rdap|web|server|body|openapi)/' },
    ),
    forbid(
      'the-server-of-the-gateway-knows-replies',
      'The server imports only what it needs to refuse what is not HTTP.',
      { path: '^services/gateway/src/server/', pathNot: '\\.test\\.ts$' },
      { path: '^services/gateway/src/(rest|rdap|web|hooks|body|backends|limits|openapi)/' },
    ),
    forbid(
      'shared-folders-of-the-gateway-know-no-interface',
      'The shared folders of the gateway import no resource and no hook.',
      { path: '^services/gateway/src/(reply|body|backends|documents|limits|openapi)/', pathNot: '\\.test\\.ts$' },
      { path: '^services/gateway/src/(rest|rdap|web|hooks|server)/' },
    ),
    forbid(
      'only-the-app-knows-the-interfaces',
      'Only app.ts, the list of resources, the context and the service import the interfaces and hooks.',
      {
        path: '^services/gateway/src/[^/]+\\.ts$',
        pathNot: '^services/gateway/src/(app|routes|context|create-context|service)\\.ts$|\\.test\\.ts$',
      },
      { path: '^services/gateway/src/(rest|rdap|web|hooks)/' },
    ),
    forbid(
      'documents-of-the-gateway-know-no-framework',
      "The gateway's documents and body parsers know no HTTP framework and no RPC.",
      { path: '^services/gateway/src/(documents|body)/', pathNot: '\\.test\\.ts$' },
      {
        path: '^(node_modules/(fastify|@grpc)|services/gateway/src/(reply|limits|openapi|backends|request-context|context))',
      },
    ),
    forbid(
      'no-tests-in-production',
      'Production code does not import tests.',
      { pathNot: '(\\.test\\.ts$|/tests/)' },
      { path: '(\\.test\\.ts$|/tests/|/testing)' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(/dist/|^proto/src/gen/google)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { conditionNames: ['source', 'import', 'node', 'default'], exportsFields: ['exports'] },
  },
};
