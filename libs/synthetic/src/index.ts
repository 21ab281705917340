export { type Counts, maxObjects, minObjects } from './counts.js';
export { generateRegistry } from './generate.js';
export { type RegistryPlan, registryPlan } from './plan.js';
export type { RegistryOptions } from './registry.js';
