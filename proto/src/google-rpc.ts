/** The standard error model of gRPC: the content of the trailer "grpc-status-details-bin". */
export * from './gen/google/rpc/error_details.js';
export * from './gen/google/rpc/status.js';
