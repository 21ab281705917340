/** Members of several kinds of origins in the file of origins. Each check returns the faults. */

/** The URL of a file: https or file, also http in the operator's own network. */
export function urlFaults(name: string, text: unknown, ownNetwork: boolean): string[] {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  const allowed = ownNetwork ? ['https:', 'file:', 'http:'] : ['https:', 'file:'];
  if (url === null || !allowed.includes(url.protocol)) {
    return [`${name}: must be an https or file URL (http only with "ownNetwork")`];
  }
  return url.username || url.password ? [`${name}: must not hold credentials`] : [];
}

/** The registry's name for a source. */
export function sourceFaults(source: unknown): string[] {
  const isName = typeof source === 'string' && /^[A-Za-z][\w-]{0,79}$/.test(source);
  return isName ? [] : ['source: must be the name of a source'];
}

/** Unknown members. */
export function unknownFaults(others: object, members: readonly string[]): string[] {
  return Object.keys(others).map((name) => `${name}: is none of ${members.join(', ')}`);
}

/** The encoding of the files of a dump. */
export function encodingFaults(encoding: unknown): string[] {
  return encoding === 'latin1' || encoding === 'utf8' ? [] : ['encoding: must be latin1 or utf8'];
}

export function flagFaults(name: string, value: unknown): string[] {
  return typeof value === 'boolean' ? [] : [`${name}: must be true or false`];
}
