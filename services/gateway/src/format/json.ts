import type { Message } from '@cadastre/proto/registry';
import { type JsonObject, jsonText, jsonValue } from './json-text.js';
import type { AttributeEntry, Head, ObjectEntry, SourceEntry, Tail, TemplateEntry } from './resource.js';
import { severityName } from './severity.js';
import type { Writer } from './writer.js';

/** Writes whois-resources as JSON. */
export function createJsonWriter(): Writer {
  let members = 0;
  let listed: number | undefined;
  const separator = () => (members++ === 0 ? '\n' : ',\n');
  const membersText = (object: JsonObject) => {
    let text = '';
    for (const [name, value] of Object.entries(object)) {
      if (value !== undefined) text += `${separator()}  "${name}" : ${jsonValue(value, '  ')}`;
    }
    return text;
  };
  const openList = () => {
    if (listed !== undefined) return '';
    listed = 0;
    return `${separator()}  "objects" : {\n    "object" : [ `;
  };
  const closeList = () => {
    if (listed === undefined) return '';
    const text = listed === 0 ? ']\n  }' : ' ]\n  }';
    listed = undefined;
    return text;
  };
  return {
    open: (head) => `{${membersText(headMembers(head))}${head.listsObjects ? openList() : ''}`,
    object: (entry) => `${openList()}${listed!++ === 0 ? '' : ', '}${objectText(entry)}`,
    messages: (list) => closeList() + (list.length === 0 ? '' : membersText(messagesMember(list))),
    close: (tail) => `${closeList()}${membersText(tailMembers(tail))}${members === 0 ? ' }' : '\n}'}`,
  };
}

function headMembers(head: Head): JsonObject {
  return {
    link: head.link === undefined ? undefined : locator(head.link),
    service: head.service === undefined ? undefined : { name: head.service },
    templates: head.templates && { template: head.templates.map(templateMember) },
    sources: head.sources && { source: head.sources.map(sourceMember) },
    'grs-sources': head.grsSources && {
      source: head.grsSources.map((source) => ({ ...sourceMember(source), 'grs-id': source.id })),
    },
  };
}

function tailMembers({ versions, terms, version }: Tail): JsonObject {
  return {
    versions: versions && {
      type: versions.type,
      key: versions.key,
      version: versions.versions.map(({ revision, date, operation }) => ({ revision, date, operation })),
    },
    'terms-and-conditions': terms === undefined ? undefined : locator(terms),
    version: version && {
      version: version.version,
      timestamp: version.timestamp,
      'commit-id': version.commitId,
    },
  };
}

function locator(href: string): JsonObject {
  return { type: 'locator', href };
}

function sourceMember(source: SourceEntry): JsonObject {
  return { name: source.name, id: source.id };
}

function templateMember(template: TemplateEntry): JsonObject {
  const attribute = template.attributes.map(({ name, requirement, cardinality, keys }) => ({
    name,
    requirement,
    cardinality,
    keys: keys.length === 0 ? undefined : keys,
  }));
  return { type: template.type, source: { id: template.source }, attributes: { attribute } };
}

function messagesMember(list: readonly Message[]): JsonObject {
  const errormessage = list.map(({ severity, attribute, text, args }) => ({
    severity: severityName(severity),
    attribute: attribute && { name: attribute.name, value: attribute.value },
    text,
    args: args.length === 0 ? undefined : args.map((value) => ({ value })),
  }));
  return { errormessages: { errormessage } };
}

// Objects are the bulk of every answer: their text is put together by hand.

function objectText(o: ObjectEntry): string {
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
      }${tagsText(o)}${o.version === undefined ? '' : `,\n      "version" : ${o.version}`}
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
  for (const { name, value, reference, comment } of attributes) {
    text += text === '' ? '[ {\n' : ', {\n';
    if (reference !== undefined) text += `          "link" : ${linkText(reference.href, '          ')},\n`;
    text += `          "name" : ${jsonText(name)},\n          "value" : ${jsonText(value)}`;
    if (reference !== undefined) text += `,\n          "referenced-type" : "${reference.type}"`;
    if (comment !== undefined) text += `,\n          "comment" : ${jsonText(comment)}`;
    text += '\n        }';
  }
  return text === '' ? '[ ]' : `${text} ]`;
}

function tagsText(o: ObjectEntry): string {
  if (o.tags.length === 0) return '';
  const tag = o.tags.map(({ id, data }) => ({ id, data }));
  return `,\n      "tags" : ${jsonValue({ tag }, '      ')}`;
}
