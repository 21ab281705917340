/** A mail in readable form. */
export interface Mail {
  /** Its header fields in their order, decoded. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  /** Its text, decoded; a mail of several parts as it was written. */
  readonly text: string;
}

/** Reads a mail (RFC 5322, RFC 2045, RFC 2047) in UTF-8; a broken one as far as possible. */
export function readMail(written: string): Mail {
  const end = /\r?\n\r?\n/.exec(written) ?? { index: written.length, 0: '' };
  const fields = written
    .slice(0, end.index)
    .replace(/\r?\n(?=[ \t])/g, '')
    .split(/\r?\n/)
    .map((line) => /^([^:]+):\s*(.*)$/.exec(line))
    .flatMap((match) => (match ? [{ name: match[1]!, value: wordsDecoded(match[2]!) }] : []));
  const body = written.slice(end.index + end[0].length);
  return { fields, text: bodyDecoded(body, fieldOf({ fields }, 'content-transfer-encoding')) };
}

/** The value of the first header field with a name; empty when there is none. */
export function fieldOf({ fields }: Pick<Mail, 'fields'>, wanted: string): string {
  return fields.find(({ name }) => name.toLowerCase() === wanted)?.value ?? '';
}

function bodyDecoded(body: string, encoding: string): string {
  switch (encoding.toLowerCase()) {
    case 'quoted-printable':
      return utf8(unquoted(body.replace(/=\r?\n/g, '')));
    case 'base64':
      return utf8(unbased(body));
    default:
      return body;
  }
}

/** Decodes words such as `=?UTF-8?Q?caf=C3=A9?=`; drops the space between two of them. */
function wordsDecoded(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      utf8(kind.toLowerCase() === 'b' ? unbased(word) : unquoted(word.replaceAll('_', ' '))),
    );
}

/** The bytes, each as a character. */
function unquoted(text: string): string {
  return text.replace(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function unbased(text: string): string {
  try {
    return atob(text);
  } catch {
    return text;
  }
}

function utf8(bytes: string): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}
