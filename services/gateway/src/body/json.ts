import { Refusal } from '../errors.js';
import { messages } from '../messages.js';
import { JsonFault, type JsonNode, readJson } from './json-reader.js';
import { requireShape, whoisResources } from './json-schema.js';
import type { BodyAttribute, BodyLimits, BodyObjects } from './whois-resource.js';

/** Values allowed beside the attributes themselves: links, keys, messages of an answer that is sent back. */
const valuesPerAttribute = 12;
const otherValues = 5_000;

/**
 * The objects of a whois-resources document. Members that answers do not have are refused. Throws a Refusal (400)
 * that names line and column for what is not well-formed or not of the expected shape, and for excesses.
 */
export function parseJson(text: string, limits: BodyLimits): BodyObjects {
  const lists = itemsOf(memberOf(readDocument(text, limits), 'objects'), 'object').map((object) =>
    itemsOf(memberOf(object, 'attributes'), 'attribute'),
  );
  if (lists.length > limits.objects) throw new Refusal(400, messages.tooManyObjects(limits.objects));
  const count = lists.reduce((sum, list) => sum + list.length, 0);
  if (count > limits.attributes) throw new Refusal(400, messages.tooManyAttributes(limits.attributes));
  return lists.map((list) => list.map(bodyAttribute));
}

function readDocument(text: string, limits: BodyLimits): JsonNode {
  try {
    const document = readJson(text, {
      depth: limits.depth,
      values: limits.attributes * valuesPerAttribute + otherValues,
    });
    requireShape(document, whoisResources);
    return document;
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const before = text.slice(0, error.at);
    const column = error.at - before.lastIndexOf('\n');
    throw new Refusal(400, messages.malformedJson(error.reason, before.split('\n').length, column));
  }
}

function bodyAttribute(node: JsonNode): BodyAttribute {
  const attribute: { name?: string; value?: string; comment?: string } = {};
  for (const name of ['name', 'value', 'comment'] as const) {
    const scalar = memberOf(node, name);
    if (scalar?.kind === 'scalar') attribute[name] = scalar.text;
  }
  return attribute;
}

/** The items of a list that is a member; none when it is absent. */
function itemsOf(node: JsonNode | undefined, name: string): readonly JsonNode[] {
  const list = memberOf(node, name);
  return list?.kind === 'list' ? list.items : [];
}

function memberOf(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return node?.kind === 'object' ? node.members.findLast((member) => member.name === name)?.value : undefined;
}
