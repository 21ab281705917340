/** The whole system as local processes; for `make run`, end-to-end tests and benchmarks. */
export { createParts, type Parts } from './parts.js';
export { type RunSettings, runSettings } from './run-settings.js';
export { StartFailure } from './start-failure.js';
export { type System, startSystem } from './system.js';
