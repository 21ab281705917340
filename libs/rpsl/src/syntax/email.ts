const maxAddressLength = 320;

// Parts of RFC 822: words, quoted strings, domain literals and comments (without nesting).
const quoted = '"(?:[^"\\\\\\r\\n]|\\\\.)*"';
const comment = '(?: *\\([^()]*\\))?';
const atom = "[A-Z0-9!#$%&'*+/=?^_`{|}~-]+";
const domainLabel = '[A-Z0-9](?:[A-Z0-9-]*[A-Z0-9])?';

const named = new RegExp(`^(?:[^<>()[\\]@,;:"\\\\]|${quoted})*<([^<>]*)>${comment}$`);
const bare = new RegExp(`^([^<>()]*[^<>() ])${comment}$`);
const localPart = new RegExp(`^(?:${atom}|${quoted})(?:\\.(?:${atom}|${quoted}))*$`, 'i');
const domainName = new RegExp(`^${domainLabel}(?:\\.${domainLabel})*$`, 'i');
const domainLiteral = /^\[[^[\]\\\s]+\]$/;
const asciiOnly = /^[ -~]*$/;

/** The address in a value, without display name and comment; undefined when there is none. */
export function bareEmail(value: string): string | undefined {
  return (named.exec(value) ?? bare.exec(value))?.[1];
}

/** Exactly one address, with or without a display name. The length limit counts the bare address. */
export function isEmail(value: string): boolean {
  const address = bareEmail(value);
  if (address === undefined || address.length > maxAddressLength) return false;
  const at = address.lastIndexOf('@');
  const local = address.slice(0, Math.max(at, 0));
  const domain = address.slice(at + 1);
  return asciiOnly.test(local) && localPart.test(local) && (domainName.test(domain) || domainLiteral.test(domain));
}
