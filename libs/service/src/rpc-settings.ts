import { setting } from './settings.js';

/** The settings of every gRPC service; spread them into the service's own. */
export const rpcSettings = {
  listen: setting.address({
    name: 'CADASTRE_LISTEN',
    doc: 'Address of the gRPC interface.',
    default: '127.0.0.1:9090',
  }),
  peers: setting.pairs({
    name: 'CADASTRE_RPC_PEERS',
    doc: 'Certificate names of other services, where they differ from the service names: gateway=registry-gateway,...',
    default: [],
  }),
  operators: setting.list({
    name: 'CADASTRE_OPERATORS',
    doc: "Names of certificates or tokens of the operator's own systems, which may call every method.",
    default: ['operator'],
  }),
  allowed: setting.pairs({
    name: 'CADASTRE_RPC_ALLOW',
    doc: 'Further callers and what they may call: NAME=SERVICE or NAME=SERVICE/METHOD,...',
    default: [],
  }),
  tokensFile: setting.text({
    name: 'CADASTRE_RPC_TOKENS_FILE',
    doc: 'File with lines "NAME SHA256" of callers that authenticate by token instead of certificate.',
    optional: true,
  }),
  callerLimits: setting.integers({
    name: 'CADASTRE_RPC_CALLER_LIMITS',
    doc: 'Maximum calls per second, and concurrent calls, including streams, of each caller that is not a Cadastre service, at each replica.',
    defaults: { rate: '200', calls: '50' },
  }),
  plaintext: setting.flag({
    name: 'CADASTRE_RPC_PLAINTEXT',
    doc: 'Whether a production service may listen on TCP without certificates.',
    default: false,
  }),
};
