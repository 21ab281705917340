import type { Context } from '../context.js';
import type { Job } from '../leases.js';
import { followMetrics } from './follow-metrics.js';
import { followJob } from './follow-source.js';
import type { Origins } from './read-origins.js';

/** A job for each copy that follows an origin. */
export function followers(origins: Origins, context: Context): Job[] {
  const { pool, objects, now, logger } = context;
  const metrics = followMetrics(context.metrics, now);
  return [...origins].map(([source, origin]) => followJob({ source, origin, pool, objects, now, logger, metrics }));
}
