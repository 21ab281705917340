/** The standard contract of health (grpc.health.v1). */
export * from './gen/grpc/health/v1/health.js';
