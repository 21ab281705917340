import { setting } from './settings.js';

/** The settings of every service that is called by gRPC; spread them into the service's own. */
export const rpcSettings = {
  peers: setting.pairs({
    name: 'CADASTRE_RPC_PEERS',
    doc: 'Certificate names of our other services where they differ from their own names: gateway=registry-gateway,...',
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
    doc: 'File with lines "NAME SHA256" of callers that show a token instead of a certificate.',
    optional: true,
  }),
  callerRate: setting.integer({
    name: 'CADASTRE_RPC_CALLER_RATE',
    doc: 'Most calls per second of each caller that is none of our services.',
    default: 200,
    min: 1,
  }),
  callerCalls: setting.integer({
    name: 'CADASTRE_RPC_CALLER_CALLS',
    doc: 'Most calls at the same time of each caller that is none of our services, streams included.',
    default: 50,
    min: 1,
  }),
  reflection: setting.flag({
    name: 'CADASTRE_RPC_REFLECTION',
    doc: 'Whether callers may ask for the contracts (gRPC reflection).',
    default: true,
  }),
  plaintext: setting.flag({
    name: 'CADASTRE_RPC_PLAINTEXT',
    doc: 'Whether a production service may be open, without certificates, to all machines that reach it.',
    default: false,
  }),
  connectionAgeMs: setting.duration({
    name: 'CADASTRE_RPC_CONNECTION_AGE',
    doc: 'How long a connection lasts before its client is asked to make a new one, and so to find new replicas.',
    default: '5m',
  }),
};
