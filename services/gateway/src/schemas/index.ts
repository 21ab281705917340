import { abuseResourcesSchemas } from './abuse-resources.js';
import { accountSchemas } from './accounts.js';
import { objectCountsSchemas } from './object-counts.js';
import type { Schema } from './schema.js';
import { spaceSchemas } from './space.js';
import { submissionSchemas } from './submission.js';
import { webhookSchemas } from './webhooks.js';
import { whoisResourcesSchemas } from './whois-resources.js';

/** Every schema that has a name. */
export const schemas: Readonly<Record<string, Schema>> = {
  ...whoisResourcesSchemas,
  ...submissionSchemas,
  ...abuseResourcesSchemas,
  ...accountSchemas,
  ...webhookSchemas,
  ...objectCountsSchemas,
  ...spaceSchemas,
};
