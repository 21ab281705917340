import type { Attribute } from '@cadastre/rpsl';
import type { Redacted } from './documents.js';
import { mailboxes } from './jcard.js';
import type { Stored } from './registry.js';
import { filledValues } from './values.js';

/** The e-mail addresses of the entity at a path. Its abuse mailbox, if any, is shown and has a type. */
export function withheldEmail(stored: Stored, path: string): Redacted {
  const isShown = mailboxes(stored).length > 0;
  const property = isShown ? "@[0]=='email' && @[1].type!='work'" : "@[0]=='email'";
  return {
    name: { description: 'Personal e-mail information' },
    prePath: `${path}.vcardArray[1][?(${property})]`,
    method: 'removal',
    reason: { description: 'Personal data' },
  };
}

/** Name, address and telephone of the contact at a path. The link of the contact leads to them. */
export function withheldCard(path: string): Redacted {
  return {
    name: { description: 'Contact information' },
    prePath: `${path}.vcardArray`,
    method: 'removal',
    reason: { description: 'Personal data' },
  };
}

/** The values of an attribute of which a document shows only the first, in a member; empty when there is only one. */
export function withheldValues(stored: Stored, attribute: string, member: string): Redacted[] {
  const values = new Set(filledValues(stored, attribute));
  if (values.size < 2) return [];
  return [
    {
      name: { description: `Multiple ${attribute} attributes found` },
      postPath: `$.${member}`,
      pathLang: 'jsonpath',
      method: 'partialValue',
      reason: { description: `Only the first of ${[...values].join(', ')} is shown.` },
    },
  ];
}

/** Prefixes the paths of a document with `path`, which leads to the document. */
export function nestedPaths(redacted: readonly Redacted[], path: string): Redacted[] {
  return redacted.map(({ prePath, postPath, ...rest }) => ({
    ...rest,
    ...(prePath === undefined ? {} : { prePath: path + prePath.slice(1) }),
    ...(postPath === undefined ? {} : { postPath: path + postPath.slice(1) }),
  }));
}

/** The path of the elements of a list that have a handle. */
export function memberPath(list: string, handle: string): string {
  return `$.${list}[?(@.handle==${literal(handle)})]`;
}

/** A text in a JSONPath (RFC 9535): in single quotes, or as JSON writes it. */
function literal(text: string): string {
  const json = JSON.stringify(text);
  return json.length === text.length + 2 && !text.includes("'") ? `'${text}'` : json;
}

const hiddenAttributes: ReadonlySet<string> = new Set(['auth', 'mnt-nfy', 'notify', 'ref-nfy', 'upd-to']);

/** Whether the registry shows an attribute only on request; except `e-mail`. */
export function isHidden({ name }: Attribute): boolean {
  return hiddenAttributes.has(name);
}
