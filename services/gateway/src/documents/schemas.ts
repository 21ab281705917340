import { schemas as rdapSchemas } from '@cadastre/rdap';
import type { Schema } from '@cadastre/rdap/schema';
import { abuseResourcesSchemas } from './abuse-resources.js';
import { accountSchemas } from './accounts.js';
import { resourceDescriptionSchemas } from './resource-descriptions.js';
import { searchSchemas } from './searches.js';
import { setExpansionSchemas } from './set-expansion.js';
import { setOmissionsSchemas } from './set-omissions.js';
import { setPrefixesSchemas } from './set-prefixes.js';
import { spaceSchemas } from './space.js';
import { submissionSchemas } from './submission.js';
import { webhookSchemas } from './webhooks.js';
import { whoisResourcesSchemas } from './whois-resources-schema.js';

/** Every named schema. */
export const schemas: Readonly<Record<string, Schema>> = {
  ...whoisResourcesSchemas,
  ...submissionSchemas,
  ...abuseResourcesSchemas,
  ...resourceDescriptionSchemas,
  ...accountSchemas,
  ...webhookSchemas,
  ...searchSchemas,
  ...setExpansionSchemas,
  ...setPrefixesSchemas,
  ...setOmissionsSchemas,
  ...spaceSchemas,
  ...rdapSchemas,
};
