// /metadata/templates/:objectType

import {
  type AttributeUse,
  asciiLowerCase,
  isObjectTypeName,
  objectType,
  templateText,
  verboseTemplateText,
} from '@cadastre/rpsl';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { readContent, whoisResources } from '../openapi/content.js';
import { parameter } from '../parameters.js';
import type { RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { Resource, Route, RouteRequest } from '../route.js';

type TemplateParameters = Record<'objectType', string>;

const templateQuery = {
  verbose: parameter.flag('Explains every attribute; only in text.'),
};

/** GET of the template of an object type (decision R13); as text also with the meaning of every attribute. */
const typeTemplate: Route<TemplateParameters, typeof templateQuery> = {
  id: 'getTemplate',
  tag: 'Metadata',
  summary: 'Fetch the template of an object type',
  doc: 'Returns the attributes of an object type, how often each may occur, and how searches can use it. An unknown type is refused with 400.',
  query: templateQuery,
  success: { doc: 'The template.', content: readContent(whoisResources('templates')) },
  credentials: 'optional',
  handler: getTemplate,
};

export const templateResource: Resource = {
  name: 'template',
  url: '/metadata/templates/:objectType',
  GET: typeTemplate,
};

async function getTemplate(
  context: Context,
  { params, query, link }: RouteRequest<TemplateParameters, typeof templateQuery>,
): Promise<RouteReply> {
  const type = asciiLowerCase(params.objectType);
  if (!isObjectTypeName(type)) throw new HttpError(400, messages.invalidObjectType(params.objectType));
  const template = {
    type,
    source: context.settings.source.toLowerCase(),
    attributes: objectType(type)!.attributes.map(templateAttribute),
    text: query.verbose ? verboseTemplateText(type) : templateText(type),
  };
  return { status: 200, content: { head: { link, service: 'getObjectTemplate', templates: [template] } } };
}

const keyNames = { primary: 'PRIMARY_KEY', lookup: 'LOOKUP_KEY', inverse: 'INVERSE_KEY' };
const keyOrder = ['primary', 'lookup', 'inverse'] as const;

function templateAttribute({ name, requirement, cardinality, keys }: AttributeUse) {
  const uses = keyOrder.filter((key) => keys.includes(key)).map((key) => keyNames[key]);
  return {
    name,
    requirement: requirement.toUpperCase(),
    cardinality: cardinality.toUpperCase(),
    ...(uses.length > 0 && { keys: uses }),
  };
}
