/** A whole registry on this machine as a value, for benchmarks. `make run` and the end-to-end tests start run.ts. */
export { serialOf } from './load-samples.js';
export { type Registry, type RegistryOptions, startRegistry } from './registry.js';
