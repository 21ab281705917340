import { jsonLocator, type Members, messageList, objectJson } from '@cadastre/documents';
import type { Head, ResultEntry, SearchParameters, Tail, TemplateEntry, Writer } from './whois-resources.js';

/**
 * Writes whois-resources as JSON. The layout has no meaning, but each member of the root and each object has its own
 * line, so that clients can read a stream line by line.
 */
export function createJsonWriter(): Writer {
  let separator = '';
  let isListOpen = false;
  const next = (text: string) => {
    const line = `${separator}\n${text}`;
    separator = ',';
    return line;
  };
  const membersText = (members: Members) => {
    let text = '';
    for (const [name, value] of Object.entries(members)) {
      if (value !== undefined) text += next(`"${name}":${JSON.stringify(value)}`);
    }
    return text;
  };
  const openList = () => {
    if (isListOpen) return '';
    const text = next('"objects":{"object":[');
    isListOpen = true;
    separator = '';
    return text;
  };
  const closeList = () => {
    if (!isListOpen) return '';
    isListOpen = false;
    separator = ',';
    return '\n]}';
  };
  return {
    open: (head) => `{${membersText(headMembers(head))}${head.listsObjects ? openList() : ''}`,
    object: (entry) => openList() + next(objectJson(entry)),
    join: () => {
      const before = openList() + separator;
      separator = ',';
      return before;
    },
    messages: (list) => closeList() + (list.length === 0 ? '' : membersText({ errormessages: messageList(list) })),
    close: (tail) => `${closeList()}${membersText(tailMembers(tail))}\n}`,
  };
}

function headMembers(head: Head): Members {
  return {
    link: head.link === undefined ? undefined : jsonLocator(head.link),
    service: head.service === undefined ? undefined : { name: head.service },
    parameters: head.parameters && searchParameters(head.parameters),
    templates: head.templates && { template: head.templates.map(template) },
    sources: head.sources && { source: head.sources },
    'grs-sources': head.grsSources && { source: head.grsSources },
    'geolocation-attributes': head.geolocation,
    limits: head.limits,
  };
}

/** Shows every list, even an empty one. */
function searchParameters({ inverseAttributes, client, types, flags, queries, sources }: SearchParameters): Members {
  return {
    'inverse-lookup': valueList('inverse-attribute', 'value', inverseAttributes),
    client,
    'type-filters': valueList('type-filter', 'id', types),
    flags: valueList('flag', 'value', flags),
    'query-strings': valueList('query-string', 'value', queries),
    sources: valueList('source', 'id', sources),
  };
}

function valueList(item: string, name: string, values: readonly string[]): Members {
  return values.length === 0 ? {} : { [item]: values.map((value) => ({ [name]: value })) };
}

function template({ type, source, attributes }: TemplateEntry): Members {
  return { type, source: { id: source }, attributes: { attribute: attributes } };
}

function result({ outcome, object, messages }: ResultEntry): Members {
  const objectmessages = messages.length > 0 ? messageList(messages, 'objectmessage') : undefined;
  return { outcome, object, objectmessages };
}

function tailMembers({ results, versions, terms, version }: Tail): Members {
  return {
    results: results && { result: results.map(result) },
    versions,
    'terms-and-conditions': terms === undefined ? undefined : jsonLocator(terms),
    version,
  };
}
