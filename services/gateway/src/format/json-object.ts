import type { Tag } from '@cadastre/proto/registry';
import { jsonMessages } from './json-messages.js';
import { type JsonObject, jsonText, jsonValue } from './json-text.js';
import type { AbuseContactEntry, AttributeEntry, ObjectEntry } from './resource.js';

// Objects are the bulk of every answer: their text is put together by hand.

/** An object of a list of objects. */
export function objectText(o: ObjectEntry): string {
  return `{
      "type" : ${jsonText(o.type)},
      "link" : ${linkText(o.link, '      ')},
      "source" : {
        "id" : ${jsonText(o.source)}
      },
      "primary-key" : {
        "attribute" : ${primaryKeyText(o)}
      },
      "attributes" : {
        "attribute" : ${attributesText(o.attributes)}
      }${annotationsText(o)}
    }`;
}

function linkText(href: string, indent: string): string {
  return `{\n${indent}  "type" : "locator",\n${indent}  "href" : ${jsonText(href)}\n${indent}}`;
}

function primaryKeyText(o: ObjectEntry): string {
  const entries = o.primaryKey.map(
    ({ name, value }) => `{\n          "name" : ${jsonText(name)},\n          "value" : ${jsonText(value)}\n        }`,
  );
  return entries.length === 0 ? '[ ]' : `[ ${entries.join(', ')} ]`;
}

function attributesText(attributes: readonly AttributeEntry[]): string {
  let text = '';
  for (const { name, value, reference, comment, managed } of attributes) {
    text += text === '' ? '[ {\n' : ', {\n';
    if (reference !== undefined) text += `          "link" : ${linkText(reference.href, '          ')},\n`;
    text += `          "name" : ${jsonText(name)},\n          "value" : ${jsonText(value)}`;
    if (reference !== undefined) text += `,\n          "referenced-type" : "${reference.type}"`;
    if (managed) text += ',\n          "managed" : true';
    if (comment !== undefined) text += `,\n          "comment" : ${jsonText(comment)}`;
    text += '\n        }';
  }
  return text === '' ? '[ ]' : `${text} ]`;
}

/** What few objects have: speed does not matter here. */
function annotationsText(o: ObjectEntry): string {
  let text = '';
  for (const [name, value] of Object.entries(annotations(o))) {
    if (value !== undefined) text += `,\n      "${name}" : ${jsonValue(value, '      ')}`;
  }
  return text;
}

function annotations(o: ObjectEntry): JsonObject {
  return {
    tags: o.tags.length === 0 ? undefined : { tag: o.tags.map(tagMember) },
    'resource-holder': o.resourceHolder && { key: o.resourceHolder.key, name: o.resourceHolder.name },
    'abuse-contact': o.abuseContact && abuseContactMember(o.abuseContact),
    managed: o.managed,
    objectmessages: o.messages && o.messages.length > 0 ? jsonMessages(o.messages, 'objectmessage') : undefined,
    version: o.version,
  };
}

function tagMember({ id, data }: Tag): JsonObject {
  return { id, data: data === '' ? undefined : data };
}

/** An abuse contact. */
export function abuseContactMember({ key, email, suspect, orgId }: AbuseContactEntry): JsonObject {
  return { key, email, suspect, 'org-id': orgId };
}
