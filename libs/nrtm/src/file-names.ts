/** Snapshot or delta. */
export type FileKind = 'snapshot' | 'delta';

/** What the name of a published file says. */
export interface PublishedFile {
  readonly kind: FileKind;
  readonly version: number;
  readonly source: string;
  readonly sessionId: string;
  /** 16 random hexadecimal digits: nobody can request a name before it is published. Older files have 32. */
  readonly random: string;
}

/** The name of a gzipped file: `nrtm-delta.3.EXAMPLE.{session}.{random}.json.gz`. */
export function fileName({ kind, version, source, sessionId, random }: PublishedFile): string {
  return `nrtm-${kind}.${version}.${source}.${sessionId}.${random}.json.gz`;
}

const namePattern =
  /^nrtm-(snapshot|delta)\.([1-9]\d{0,14})\.([A-Za-z][\w-]*)\.([\da-f-]{36})\.([\da-f]{16}|[\da-f]{32})\.json\.gz$/;

/** Parses a name that `fileName` made; undefined for any other. */
export function parseFileName(name: string): PublishedFile | undefined {
  const parts = namePattern.exec(name);
  if (parts === null) return undefined;
  const [, kind, version, source, sessionId, random] = parts;
  return { kind: kind as FileKind, version: Number(version), source: source!, sessionId: sessionId!, random: random! };
}
