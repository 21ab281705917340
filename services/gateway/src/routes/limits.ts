import type { Context } from '../context.js';
import type { Exchange } from '../exchange.js';
import type { LimitEntry } from '../format/resource.js';
import type { Standing } from '../limits/limits.js';
import type { TargetOf } from '../locator.js';
import { readContent, whoisResources } from '../openapi/content.js';
import type { Answer } from '../respond.js';
import type { Route } from './route.js';

/** GET of where the caller stands with the limits that hold for it. */
export const ownLimits: Route<'limits'> = {
  id: 'showLimits',
  tag: 'Metadata',
  summary: 'Show my limits',
  doc: 'The limits that hold for the caller, and what of them is used.',
  query: {},
  success: { doc: 'The limits.', content: readContent(whoisResources('limits')) },
  credentials: 'optional',
  answer: showLimits,
};

async function showLimits(context: Context, exchange: Exchange<TargetOf<'limits'>>): Promise<Answer> {
  const { consumer, link } = exchange;
  const entries = context.limits.standings(consumer).map(limitEntry);
  return {
    status: 200,
    // To every client its own, by its address alone.
    isPublic: false,
    content: { head: { link, service: 'getLimits', limits: { client: consumer.shown, entries } } },
  };
}

function limitEntry({ name, limit, used, window }: Standing): LimitEntry {
  return {
    name,
    most: limit,
    used,
    remaining: Math.max(0, limit - used),
    ...(window && {
      seconds: window.lengthMs / 1000,
      resets: `${new Date(window.end).toISOString().slice(0, 19)}Z`,
    }),
  };
}
