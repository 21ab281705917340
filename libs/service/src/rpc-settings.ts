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
  callerRate: setting.integer({
    name: 'CADASTRE_RPC_CALLER_RATE',
    doc: 'Maximum calls per second of each caller that is not a Cadastre service, at each replica.',
    default: 200,
    min: 1,
  }),
  callerCalls: setting.integer({
    name: 'CADASTRE_RPC_CALLER_CALLS',
    doc: 'Maximum concurrent calls, including streams, of each caller that is not a Cadastre service, at each replica.',
    default: 50,
    min: 1,
  }),
  reflection: setting.flag({
    name: 'CADASTRE_RPC_REFLECTION',
    doc: 'Whether the service offers gRPC reflection.',
    default: true,
  }),
  plaintext: setting.flag({
    name: 'CADASTRE_RPC_PLAINTEXT',
    doc: 'Whether a production service may listen on TCP without certificates.',
    default: false,
  }),
};
