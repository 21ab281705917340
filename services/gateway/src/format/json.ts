import { jsonHead } from './json-head.js';
import { jsonMessages } from './json-messages.js';
import { objectText } from './json-object.js';
import { type JsonObject, jsonLocator, jsonValue } from './json-text.js';
import type { Tail } from './resource.js';
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
    open: (head) => `{${membersText(jsonHead(head))}${head.listsObjects ? openList() : ''}`,
    object: (entry) => `${openList()}${listed!++ === 0 ? '' : ', '}${objectText(entry)}`,
    messages: (list) => closeList() + (list.length === 0 ? '' : membersText({ errormessages: jsonMessages(list) })),
    close: (tail) => `${closeList()}${membersText(tailMembers(tail))}${members === 0 ? ' }' : '\n}'}`,
  };
}

function tailMembers({ versions, terms, version }: Tail): JsonObject {
  return {
    versions: versions && {
      type: versions.type,
      key: versions.key,
      version: versions.versions.map(({ revision, date, operation }) => ({ revision, date, operation })),
    },
    'terms-and-conditions': terms === undefined ? undefined : jsonLocator(terms),
    version: version && {
      version: version.version,
      timestamp: version.timestamp,
      'commit-id': version.commitId,
    },
  };
}
