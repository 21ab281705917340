/** What the index stores of an object beside its text; values in a text that repeat it take one character. */
export interface Beside {
  /** Name of the source, upper case. */
  readonly source: string;
  readonly key: string;
  readonly created?: Date;
  readonly modified: Date;
}

/**
 * The attributes that take one character of a packed text. Stored texts depend on the order: append only, or raise
 * `format` in `tables.ts`. Other attributes stay as they are.
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

/** What a line begins with: the name and its padding in the usual layout (`printObject`). */
const prefixes = names.map((name) => `${name}:`.padEnd(16));

/** The code of the first attribute; below are codes that values and other lines use. */
const firstCode = 14;
const codes = new Map(names.map((name, at) => [name, firstCode + at]));

/** Before a text that cannot be packed. */
const whole = '\u0001';
/** Before a line that is as it was. */
const sameLine = '\u0002';
const sameLineCode = 2;

/** Values of one character that stand for what is stored beside the text. */
const standIns = (beside: Beside): readonly (readonly [string, string])[] => [
  ['\u0003', beside.key],
  ['\u0004', beside.key.toUpperCase()],
  ['\u0005', beside.source],
  ['\u0006', timestamp(beside.modified)],
  ['\u0007', beside.created === undefined ? '' : timestamp(beside.created)],
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of a packed text.
const controls = /[\u0000-\u0008\u000b-\u001f]/;

/**
 * A shorter form of a text: names with their padding, and values that are stored beside it, take one character each.
 * A registry's text takes 40 percent of its length.
 */
export function packText(text: string, beside: Beside): string {
  if (!text.endsWith('\n') || controls.test(text)) return whole + text;
  const shortOf = new Map(standIns(beside).map(([short, value]) => [value, short]));
  shortOf.delete('');
  let packed = '';
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const colon = text.indexOf(':', at);
    const code = colon < 0 || colon > end ? undefined : codes.get(text.slice(at, colon));
    const prefix = code === undefined ? undefined : prefixes[code - firstCode]!;
    if (prefix !== undefined && text.startsWith(prefix, at)) {
      const value = text.slice(at + prefix.length, end);
      packed += `${String.fromCharCode(code!)}${shortOf.get(value) ?? value}\n`;
    } else {
      packed += sameLine + text.slice(at, end + 1);
    }
    at = end + 1;
  }
  return packed;
}

/** The text that `packText` made shorter. */
export function unpackText(packed: string, beside: Beside): string {
  if (packed.startsWith(whole)) return packed.slice(whole.length);
  const values = standIns(beside);
  let text = '';
  for (let at = 0; at < packed.length; ) {
    const end = packed.indexOf('\n', at);
    const code = packed.charCodeAt(at);
    if (code === sameLineCode) {
      text += packed.slice(at + 1, end + 1);
    } else {
      const short = end === at + 2 ? values.find(([one]) => one === packed[at + 1]) : undefined;
      text += prefixes[code - firstCode]! + (short === undefined ? packed.slice(at + 1, end + 1) : `${short[1]}\n`);
    }
    at = end + 1;
  }
  return text;
}

/** As in `created:` and `last-modified:`. */
function timestamp(instant: Date): string {
  return `${instant.toISOString().slice(0, 19)}Z`;
}
