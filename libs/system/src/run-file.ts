import { rename, rm, writeFile } from 'node:fs/promises';

/** What a running system publishes to programs on this machine, in run.json of its data directory. */
export interface RunFile {
  /** Process number of the supervisor. */
  pid: number;
  /** gRPC addresses. */
  objects: string;
  auth: string;
  search: string;
  events: string;
  /** The gRPC address of the whois service, beside its port for queries. */
  whoisRpc: string;
  /** Absent where the mirror service does not run. */
  mirror?: string;
  /** Base addresses of the REST interface. */
  http: string;
  https: string;
  /** HTTPS with client certificates. */
  certHttps: string;
  /** Address of the whois interface. */
  whois: string;
  /** File with the certificate of the HTTPS addresses. */
  certificate: string;
}

/** Atomically writes a file that only its owner may read. */
export async function writePrivateFile(file: string, content: unknown): Promise<void> {
  const fresh = `${file}.new`;
  await rm(fresh, { force: true });
  await writeFile(fresh, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(fresh, file);
}
