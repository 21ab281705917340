import { createHash, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import {
  type Change,
  changeRecord,
  type FileReference,
  headerRecord,
  type Notification,
  notificationFileName,
  objectRecord,
  sequenceRecord,
  signNotification,
  writeNotification,
} from '@cadastre/nrtm';

/** A pair of keys on P-256, PEM. */
export function keyPair(): { privateKey: string; publicKey: string } {
  return generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}

/** An HTTP server of files. */
export interface FileServer {
  /** By path. */
  readonly files: Map<string, Buffer>;
  /** Paths in the order of requests, with the status of the answers. */
  readonly requests: string[];
  /** Paths that lead elsewhere. */
  readonly redirects: Map<string, string>;
  url(path: string): URL;
  close(): Promise<void>;
}

export async function startFileServer(): Promise<FileServer> {
  const files = new Map<string, Buffer>();
  const redirects = new Map<string, string>();
  const requests: string[] = [];
  const server = http.createServer((request, response) => {
    const path = request.url!;
    const file = files.get(path);
    const location = redirects.get(path);
    const etag = file && `"${createHash('sha256').update(file).digest('hex')}"`;
    const isKnown = etag !== undefined && request.headers['if-none-match'] === etag;
    const status = location !== undefined ? 302 : file === undefined ? 404 : isKnown ? 304 : 200;
    requests.push(`${path} ${status}`);
    response.writeHead(status, { ...(location && { location }), ...(etag && { etag }) });
    response.end(status === 200 ? file : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    files,
    redirects,
    requests,
    url: (path) => new URL(path, `http://127.0.0.1:${port}`),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Where a publisher writes its files. */
export interface Layout {
  readonly gzip: boolean;
  /** Below the folder of the notification; empty, or ends with a slash. */
  readonly folder: (sessionId: string) => string;
}

export const layouts = {
  ours: { gzip: true, folder: () => '' },
  plain: { gzip: false, folder: () => '' },
  subFolders: { gzip: true, folder: (sessionId: string) => `${sessionId}/` },
} satisfies Record<string, Layout>;

/** A publication of one source, whose files are in a map. */
export interface Publication {
  readonly source: string;
  /** The content of the next notification. */
  next: Notification;
  /** Begins a session, with a snapshot at version 1. */
  begin(objects: readonly string[]): void;
  snapshot(objects: readonly string[]): void;
  delta(...changes: Change[]): void;
  /** Signs and writes the notification. */
  notify(privateKey: string, changes?: Partial<Notification>): Promise<void>;
  /** Path of a file. */
  path(reference: FileReference): string;
  readonly notificationPath: string;
}

export function createPublication(
  files: Map<string, Buffer>,
  layout: Layout = layouts.ours,
  source = 'EXAMPLE',
): Publication {
  const base = `/nrtmv4/${source}/`;
  let minute = 0;
  function write(kind: 'snapshot' | 'delta', version: number, records: readonly object[]): FileReference {
    const { sessionId } = publication.next;
    const text = [headerRecord({ kind, source, sessionId, version }), ...records].map(sequenceRecord).join('');
    const isGzip = layout.gzip || kind === 'snapshot';
    const bytes = isGzip ? gzipSync(text) : Buffer.from(text);
    const name = `nrtm-${kind}.${version}.${source}.${sessionId}.${randomBytes(16).toString('hex')}.json${isGzip ? '.gz' : ''}`;
    const url = `${layout.folder(sessionId)}${name}`;
    files.set(base + url, bytes);
    return { version, url, hash: createHash('sha256').update(bytes).digest('hex') };
  }
  const publication: Publication = {
    source,
    next: undefined as unknown as Notification,
    begin(objects) {
      const sessionId = randomUUID();
      const none = { version: 1, url: '-', hash: '' };
      publication.next = { source, sessionId, version: 1, timestamp: new Date(), snapshot: none, deltas: [] };
      publication.next = { ...publication.next, snapshot: write('snapshot', 1, objects.map(objectRecord)) };
    },
    snapshot(objects) {
      const { version } = publication.next;
      publication.next = { ...publication.next, snapshot: write('snapshot', version, objects.map(objectRecord)) };
    },
    delta(...changes) {
      const version = publication.next.version + 1;
      const deltas = [...publication.next.deltas, write('delta', version, changes.map(changeRecord))];
      publication.next = { ...publication.next, version, deltas };
    },
    async notify(privateKey, changes = {}) {
      const timestamp = new Date(Date.now() + 1_000 * ++minute);
      const payload = writeNotification({ ...publication.next, timestamp, ...changes });
      files.set(publication.notificationPath, Buffer.from(await signNotification(payload, privateKey)));
    },
    path: ({ url }) => base + url,
    notificationPath: base + notificationFileName,
  };
  return publication;
}
