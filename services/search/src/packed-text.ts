/** What the index stores of an object beside its text; values in a text that repeat it become one character. */
export interface Beside {
  /** Name of the source, upper case. */
  readonly source: string;
  readonly key: string;
  readonly created?: Date | undefined;
  readonly modified: Date;
}

/**
 * The attributes that become one character of a packed text. Stored texts depend on the order: append only, or increase
 * `format` in `tables.ts`. Other attributes do not change.
 */
const names = (
  'inetnum netname descr country geofeed geoloc prefixlen language org sponsoring-org admin-c tech-c abuse-c status ' +
  'assignment-size remarks notify mnt-by mnt-lower mnt-domains mnt-routes mnt-irt created last-modified source ' +
  'inet6num as-block aut-num as-name member-of import-via import mp-import export-via export mp-export default ' +
  'mp-default as-set members mbrs-by-ref route origin pingable ping-hdl holes inject aggr-mtd aggr-bndry ' +
  'export-comps components route6 route-set mp-members inet-rtr alias local-as ifaddr interface peer mp-peer ' +
  'filter-set filter mp-filter peering-set peering mp-peering rtr-set domain zone-c nserver ds-rdata poetic-form ' +
  'poem form text author mntner upd-to mnt-nfy auth mnt-ref irt address phone fax-no e-mail signature contact ' +
  'encryption irt-nfy key-cert method owner fingerpr certif organisation org-name org-type reg-nr ref-nfy role ' +
  'nic-hdl abuse-mailbox person changed'
).split(' ');

/** The beginning of a line: the name and its padding in the usual layout (`printObject`). */
const prefixes = names.map((name) => `${name}:`.padEnd(16));

/** The code of the first attribute; values and other lines use the codes below. */
const firstCode = 14;
const codes = new Map(names.map((name, at) => [name, firstCode + at]));
const characters = names.map((_, at) => String.fromCharCode(firstCode + at));

/** Precedes a text that cannot be packed. */
const whole = '\u0001';
/** Precedes an unchanged line. */
const sameLine = '\u0002';
const sameLineCode = 2;

/** Values of one character represent what is stored beside the text. */
const standIns = {
  key: '\u0003',
  upperKey: '\u0004',
  source: '\u0005',
  created: '\u0006',
  modified: '\u0007',
} as const;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of a packed text.
const controls = /[\u0000-\u0008\u000b-\u001f]/;

/**
 * A shorter form of a text: names with their padding, and values that are stored beside it, become one character each.
 * The texts of a registry become less than half as long.
 */
export function packText(text: string, beside: Beside): string {
  if (!text.endsWith('\n') || controls.test(text)) return whole + text;
  let packed = '';
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const colon = text.indexOf(':', at);
    const code = colon < 0 || colon > end ? undefined : codes.get(text.slice(at, colon));
    const prefix = code === undefined ? undefined : prefixes[code - firstCode]!;
    if (prefix === undefined || !text.startsWith(prefix, at)) {
      packed += sameLine + text.slice(at, end + 1);
    } else {
      const short = standIn(text.slice(at + prefix.length, end), beside);
      packed += characters[code! - firstCode]!;
      packed += short === undefined ? text.slice(at + prefix.length, end + 1) : `${short}\n`;
    }
    at = end + 1;
  }
  return packed;
}

function standIn(value: string, { source, key, created, modified }: Beside): string | undefined {
  if (value === source) return standIns.source;
  if (value.length === key.length) {
    if (value === key) return standIns.key;
    if (value === key.toUpperCase()) return standIns.upperKey;
  }
  if (value.length !== timestampLength || value.charCodeAt(timestampLength - 1) !== upperZ) return undefined;
  if (value === timestamp(modified)) return standIns.modified;
  return created !== undefined && value === timestamp(created) ? standIns.created : undefined;
}

/** The text that `packText` made shorter. */
export function unpackText(packed: string, beside: Beside): string {
  if (packed.startsWith(whole)) return packed.slice(whole.length);
  let text = '';
  for (let at = 0; at < packed.length; ) {
    const end = packed.indexOf('\n', at);
    const code = packed.charCodeAt(at);
    if (code !== sameLineCode) text += prefixes[code - firstCode]!;
    const value = end === at + 2 && code !== sameLineCode ? standsFor(packed[at + 1]!, beside) : undefined;
    text += value === undefined ? packed.slice(at + 1, end + 1) : `${value}\n`;
    at = end + 1;
  }
  return text;
}

/** The value that a character represents; undefined for one that is the value itself. */
function standsFor(character: string, { source, key, created, modified }: Beside): string | undefined {
  switch (character) {
    case standIns.key:
      return key;
    case standIns.upperKey:
      return key.toUpperCase();
    case standIns.source:
      return source;
    case standIns.created:
      return created && timestamp(created);
    case standIns.modified:
      return timestamp(modified);
    default:
      return undefined;
  }
}

const timestampLength = '2026-01-02T03:04:05Z'.length;
const upperZ = 90;
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** As in `created:` and `last-modified:`; much faster than `toISOString`. */
function timestamp(instant: Date): string {
  const date = `${instant.getUTCFullYear()}-${twoDigits[instant.getUTCMonth() + 1]}-${twoDigits[instant.getUTCDate()]}`;
  const minutes = `${twoDigits[instant.getUTCHours()]}:${twoDigits[instant.getUTCMinutes()]}`;
  return `${date}T${minutes}:${twoDigits[instant.getUTCSeconds()]}Z`;
}
