interface LinkedPart {
  readonly text: string;
  readonly href?: string;
}

const url = /https:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}]/.source;
const mailbox = /[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z][a-z\d-]*[a-z\d]/.source;
const linked = new RegExp(`${url}|${mailbox}`, 'gi');

/** Splits a value at the https URLs and mailboxes in it. */
export function linkedParts(value: string): LinkedPart[] {
  const parts: LinkedPart[] = [];
  let end = 0;
  for (const { 0: text, index } of value.matchAll(linked)) {
    if (index > end) parts.push({ text: value.slice(end, index) });
    parts.push({ text, href: text.includes('://') ? text : `mailto:${encodeURIComponent(text).replace('%40', '@')}` });
    end = index + text.length;
  }
  return end < value.length ? [...parts, { text: value.slice(end) }] : parts;
}
