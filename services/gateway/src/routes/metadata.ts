import { type Source, SourceKind } from '@cadastre/proto/objects';
import { type AttributeUse, isObjectTypeName, objectType, templateText, verboseTemplateText } from '@cadastre/rpsl';
import type { Context } from '../context.js';
import { Refusal } from '../errors.js';
import type { Exchange } from '../exchange.js';
import type { TargetOf } from '../locator.js';
import { messages } from '../messages.js';
import { readContent, whoisResources } from '../openapi/content.js';
import { parameter } from '../parameters.js';
import type { Answer } from '../respond.js';
import type { Route } from './route.js';

/** GET of the list of sources (decision R14). */
export const sourceList: Route<'sources'> = {
  id: 'listSources',
  tag: 'Metadata',
  summary: 'List the sources',
  doc: 'The sources of this registry, and those that are mirrored here for queries.',
  query: {},
  success: { doc: 'The sources.', content: readContent(whoisResources('sources', 'grs-sources')) },
  credentials: 'optional',
  answer: listSources,
};

const templateQuery = {
  verbose: parameter.flag('As text only: explains every attribute.'),
};

/** GET of the template of an object type (decision R13); as text also with the meaning of every attribute. */
export const typeTemplate: Route<'template', typeof templateQuery> = {
  id: 'getTemplate',
  tag: 'Metadata',
  summary: 'Fetch the template of an object type',
  doc: 'Which attributes objects of this type have, how often, and what they can be found by. An unknown type is a bad request.',
  query: templateQuery,
  success: { doc: 'The template.', content: readContent(whoisResources('templates')) },
  credentials: 'optional',
  answer: getTemplate,
};

async function listSources(context: Context, exchange: Exchange<TargetOf<'sources'>>): Promise<Answer> {
  const { request, link } = exchange;
  const options = { deadlineMs: context.settings.readDeadline, requestId: request.id };
  const { sources } = await context.reader.listSources({}, options);
  const named = (kind: SourceKind) => sources.filter((source) => source.kind === kind).map(sourceEntry);
  const grsSources = named(SourceKind.SOURCE_KIND_GRS);
  const head = { link, service: 'getSupportedDataSources', sources: named(SourceKind.SOURCE_KIND_MAIN), grsSources };
  return { status: 200, content: { head } };
}

function sourceEntry({ name }: Source) {
  return { name: name.toUpperCase(), id: name.toLowerCase() };
}

async function getTemplate(
  context: Context,
  exchange: Exchange<TargetOf<'template'>, typeof templateQuery>,
): Promise<Answer> {
  const { target, link } = exchange;
  const { verbose } = exchange.parameters;
  const type = target.type.toLowerCase();
  if (!isObjectTypeName(type)) throw new Refusal(400, messages.invalidObjectType(target.type));
  const template = {
    type,
    source: context.settings.source.toLowerCase(),
    attributes: objectType(type)!.attributes.map(templateAttribute),
    text: verbose ? verboseTemplateText(type) : templateText(type),
  };
  return { status: 200, content: { head: { link, service: 'getObjectTemplate', templates: [template] } } };
}

const keyNames = { primary: 'PRIMARY_KEY', lookup: 'LOOKUP_KEY', inverse: 'INVERSE_KEY' };
const keyOrder = ['primary', 'lookup', 'inverse'] as const;

function templateAttribute({ name, requirement, cardinality, keys }: AttributeUse) {
  return {
    name,
    requirement: requirement === 'deprecated' ? 'OPTIONAL' : requirement.toUpperCase(),
    cardinality: cardinality.toUpperCase(),
    keys: keyOrder.filter((key) => keys.includes(key)).map((key) => keyNames[key]),
  };
}
