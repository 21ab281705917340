import { setImmediate as turn } from 'node:timers/promises';
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';
import {
  type BodyAttribute,
  type BodyLimits,
  type BodyObjects,
  type ObjectMember,
  objectMembers,
} from './whois-resources.js';

/**
 * Maximum number of elements beside the attributes: links, keys and messages of a response that a client sends back.
 */
const elementsPerAttribute = 4;
const otherElements = 1_000;
/** Maximum number of XML attributes of one element, namespace declarations included; responses have at most seven. */
const maxXmlAttributes = 200;
/** Characters of the name of an element or XML attribute, and of a namespace. */
const maxNameLength = 200;
const maxNamespaceLength = 1_000;
/** Characters to parse before other requests get their turn; the slowest text needs about 5 ms. */
const sliceLength = 64 * 1024;

const objectDepth = 3;
const attributePath = ['whois-resources', 'objects', 'object', 'attributes', 'attribute'];

/**
 * The objects of a whois-resources document. Ignores unknown elements and attributes. Throws an HttpError (400) with
 * line and column when the document is not well-formed, has a DOCTYPE or another root, or exceeds a limit. Supports
 * only the five predefined entities, so no entity expands. Parses a long document in slices, so that other requests
 * proceed.
 */
export async function parseXml(text: string, limits: BodyLimits): Promise<BodyObjects> {
  const parser = new SaxesParser({ xmlns: true, position: true });
  const objects: OpenObject[] = [];
  const max = limits.attributes * elementsPerAttribute + otherElements;
  let elements = 0;
  let attributes = 0;
  let xmlAttributes = 0;
  let depth = 0;
  /** How many open elements, from the root, match `attributePath`. */
  let known = 0;
  const refuse = (reason: string): never => {
    throw new HttpError(400, messages.malformedXml(reason, parser.line, parser.column + 1));
  };
  parser.on('error', (error) => refuse(sentence(error)));
  parser.on('doctype', () => refuse('a DOCTYPE is not allowed'));
  parser.on('opentagstart', ({ name }) => {
    xmlAttributes = 0;
    if (name.length > maxNameLength) refuse(`a name is longer than ${maxNameLength} characters`);
  });
  parser.on('attribute', ({ name, prefix, value }) => {
    if (++xmlAttributes > maxXmlAttributes) refuse(`an element has more than ${maxXmlAttributes} attributes`);
    if (name.length > maxNameLength) refuse(`a name is longer than ${maxNameLength} characters`);
    if ((prefix === 'xmlns' || name === 'xmlns') && value.length > maxNamespaceLength) {
      refuse(`a namespace is longer than ${maxNamespaceLength} characters`);
    }
  });
  parser.on('opentag', (tag) => {
    if (depth === 0 && (tag.local !== 'whois-resources' || tag.uri !== '')) {
      refuse(`root element whois-resources expected, found ${tag.name}`);
    }
    if (depth >= limits.depth) refuse(`elements are nested deeper than ${limits.depth} levels`);
    if (++elements > max) refuse('too many elements');
    const isKnown = known === depth && tag.uri === '' && tag.local === attributePath[depth];
    depth++;
    if (!isKnown) return;
    known = depth;
    if (depth === objectDepth && objects.push(bodyObject(tag)) > limits.objects) {
      throw new HttpError(400, messages.tooManyObjects(limits.objects));
    }
    if (depth !== attributePath.length) return;
    if (++attributes > limits.attributes) throw new HttpError(400, messages.tooManyAttributes(limits.attributes));
    objects.at(-1)!.attributes.push(bodyAttribute(tag));
  });
  parser.on('closetag', () => {
    depth--;
    known = Math.min(known, depth);
  });
  for (let at = 0; at < text.length; at += sliceLength) {
    if (at > 0) await turn();
    parser.write(text.slice(at, at + sliceLength));
  }
  parser.close();
  return objects;
}

type OpenObject = { attributes: BodyAttribute[] } & { [M in ObjectMember]?: string };

function bodyObject(tag: SaxesTagNS): OpenObject {
  const object: OpenObject = { attributes: [] };
  for (const [member, name] of Object.entries(objectMembers)) {
    const sent = tag.attributes[name];
    if (sent) object[member as ObjectMember] = sent.value;
  }
  return object;
}

function bodyAttribute(tag: SaxesTagNS): BodyAttribute {
  const attribute: { name?: string; value?: string; comment?: string } = {};
  for (const { local, uri, value } of Object.values(tag.attributes)) {
    if (uri === '' && (local === 'name' || local === 'value' || local === 'comment')) attribute[local] = value;
  }
  return attribute;
}

/** The parser's message without the position at its start. */
function sentence(error: Error): string {
  return error.message.replace(/^\d+:\d+: /, '');
}
