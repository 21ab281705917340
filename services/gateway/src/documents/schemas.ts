import { schemas as rdapSchemas } from '@cadastre/rdap';
import { abuseResourcesSchemas } from './abuse-resources-schema.js';
import { accountSchemas } from './accounts.js';
import { objectCountsSchemas } from './object-counts.js';
import { resourceDescriptionSchemas } from './resource-descriptions-schema.js';
import type { Schema } from './schema.js';
import { setExpansionSchemas } from './set-expansion.js';
import { setPrefixesSchemas } from './set-prefixes.js';
import { spaceSchemas } from './space.js';
import { submissionSchemas } from './submission.js';
import { webhookSchemas } from './webhooks.js';
import { whoisResourcesSchemas } from './whois-resources-schema.js';
import { wordMatchesSchemas } from './word-matches.js';

/** Every schema that has a name. */
export const schemas: Readonly<Record<string, Schema>> = {
  ...whoisResourcesSchemas,
  ...submissionSchemas,
  ...abuseResourcesSchemas,
  ...resourceDescriptionSchemas,
  ...accountSchemas,
  ...webhookSchemas,
  ...objectCountsSchemas,
  ...wordMatchesSchemas,
  ...setExpansionSchemas,
  ...setPrefixesSchemas,
  ...spaceSchemas,
  ...rdapSchemas,
};
