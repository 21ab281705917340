export { type Counts, maxObjects, minObjects } from './counts.js';
export { generateRegistry } from './generate.js';
export { generateLargeSet, type LargeSetOptions, largeSetName } from './large-set.js';
export { type RegistryPlan, registryPlan } from './plan.js';
export type { RegistryOptions } from './registry.js';
