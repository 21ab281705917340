/** The contract that carries calls between our services. */
export * from './gen/cadastre/rpc/v1/exchange.js';
