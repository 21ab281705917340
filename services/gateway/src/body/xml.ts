import { SaxesParser, type SaxesTagNS } from 'saxes';
import { Refusal } from '../errors.js';
import { messages } from '../messages.js';
import type { BodyAttribute, BodyLimits, BodyObjects } from './whois-resource.js';

/** Elements allowed beside the attributes themselves: links, keys, messages of an answer that is sent back. */
const elementsPerAttribute = 4;
const otherElements = 1_000;

const objectPath = 'whois-resources/objects/object';
const attributePath = `${objectPath}/attributes/attribute`;

/**
 * The objects of a whois-resources document. Unknown elements and attributes are passed over. Throws a Refusal
 * (400) that names line and column for what is not well-formed, for a DOCTYPE, a foreign root, and excesses.
 * Entities other than the five predefined ones are an error, so nothing can be expanded.
 */
export function parseXml(text: string, limits: BodyLimits): BodyObjects {
  const parser = new SaxesParser({ xmlns: true, position: true });
  const objects: BodyAttribute[][] = [];
  const path: string[] = [];
  const most = limits.attributes * elementsPerAttribute + otherElements;
  let elements = 0;
  let attributes = 0;
  const refuse = (reason: string): never => {
    throw new Refusal(400, messages.malformedXml(reason, parser.line, parser.column + 1));
  };
  parser.on('error', (error) => refuse(sentence(error)));
  parser.on('doctype', () => refuse('a DOCTYPE is not allowed'));
  parser.on('opentag', (tag) => {
    if (path.length === 0 && (tag.local !== 'whois-resources' || tag.uri !== '')) {
      refuse(`root element whois-resources expected, found ${tag.name}`);
    }
    if (path.length >= limits.depth) refuse(`elements are nested deeper than ${limits.depth} levels`);
    if (++elements > most) refuse('too many elements');
    path.push(tag.uri === '' ? tag.local : `{${tag.uri}}`);
    const place = path.join('/');
    if (place === objectPath && objects.push([]) > limits.objects) {
      throw new Refusal(400, messages.tooManyObjects(limits.objects));
    }
    if (place !== attributePath) return;
    if (++attributes > limits.attributes) throw new Refusal(400, messages.tooManyAttributes(limits.attributes));
    objects.at(-1)!.push(bodyAttribute(tag));
  });
  parser.on('closetag', () => {
    path.pop();
  });
  parser.write(text).close();
  return objects;
}

function bodyAttribute(tag: SaxesTagNS): BodyAttribute {
  const attribute: { name?: string; value?: string; comment?: string } = {};
  for (const { local, uri, value } of Object.values(tag.attributes)) {
    if (uri === '' && (local === 'name' || local === 'value' || local === 'comment')) attribute[local] = value;
  }
  return attribute;
}

/** The parser's sentence without the position that it puts in front. */
function sentence(error: Error): string {
  return error.message.replace(/^\d+:\d+: /, '');
}
