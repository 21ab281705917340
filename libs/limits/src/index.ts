/** The limits of clients, and blocked networks, for the services that the public uses. */
export { type BlockList, createBlockList } from './blocked-networks.js';
export { networksOf } from './client-networks.js';
export { createCredentialFollower } from './credential-follower.js';
export type { LimitedClient } from './limited-clients.js';
export { createLimiter, type LimitExceeded, type Limiter, type LimiterService, type Usage } from './limiter.js';
export { type ConcurrentLimit, type CostLimit, type CountedLimit, costLimits, unlimited } from './policy.js';
export { limitSettings } from './settings.js';
