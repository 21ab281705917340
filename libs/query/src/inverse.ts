import type { Message } from '@cadastre/proto/registry';
import { type AttributeName, attributeType, foldKey, type ObjectTypeName } from '@cadastre/rpsl';
import { searchable } from './inverse-attributes.js';
import { type Outcome, ok, refused } from './outcome.js';
import { queryMessages } from './query-messages.js';

/** `person` means all attributes that name a contact. */
const contactAttributes: readonly AttributeName[] = ['abuse-c', 'admin-c', 'tech-c', 'zone-c', 'author', 'ping-hdl'];

/** One attribute with its search value. */
export type InverseTerm =
  /** `targets`: one of these objects must exist for the value to match; none for plain values. */
  | {
      readonly kind: 'term';
      readonly attribute: AttributeName;
      readonly value: string;
      readonly targets: readonly { readonly type: ObjectTypeName; readonly key: string }[];
    }
  | { readonly kind: 'host'; readonly prefix: string };

/** The terms of an inverse lookup; it finds objects with any of them. */
export function inverseTerms(names: readonly string[], text: string): Outcome<readonly InverseTerm[]> {
  const attributes = readAttributes(names);
  if (!attributes.ok) return attributes;
  if (isCredential(text)) return refused(queryMessages.credentialSearch());
  const messages = unsearchable(attributes.value);
  if (messages.length > 0) return { ok: false, messages };
  return ok(attributes.value.map((attribute) => inverseTerm(attribute, text)));
}

/** Whether an inverse lookup would reveal who has a credential. */
export function isCredential(text: string): boolean {
  return /^(?:sso |md5-pw )/i.test(text);
}

/** A message about each attribute that no inverse lookup may name. */
export function unsearchable(attributes: readonly AttributeName[]): Message[] {
  return attributes.filter((name) => searchable[name] === undefined).map(queryMessages.notSearchable);
}

/** The named attributes, without duplicates; names may be short, in any letter case, and lists. */
export function readAttributes(names: readonly string[]): Outcome<readonly AttributeName[]> {
  const found = new Set<AttributeName>();
  const messages: Message[] = [];
  for (const name of names.flatMap((value) => value.split(',')).map((value) => value.trim())) {
    if (name === '') continue;
    const attribute = attributeType(name);
    if (attribute === undefined) messages.push(queryMessages.unknownAttribute(name));
    else if (attribute.name === 'person') for (const contact of contactAttributes) found.add(contact);
    else found.add(attribute.name);
  }
  return messages.length > 0 ? { ok: false, messages: messages.slice(0, 1) } : ok([...found]);
}

function inverseTerm(attribute: AttributeName, text: string): InverseTerm {
  const comparison = searchable[attribute]!;
  const whole = text.toLowerCase();
  if (comparison.kind === 'host') return { kind: 'host', prefix: whole.replace(/\.$/, '') };
  const value = comparison.kind === 'interface' ? whole.replace(/(?:\/32)?(?: .*)?$/, '') : whole;
  const refers = comparison.kind === 'reference' && !(attribute === 'mbrs-by-ref' && value === 'any');
  const targets = refers ? comparison.types.map((type) => ({ type, key: foldKey(type, text) })) : [];
  return { kind: 'term', attribute, value, targets };
}
