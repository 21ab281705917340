import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataPaths } from './run-settings.js';

/**
 * Makes the folders of the mirror service, and the key that signs its publications, unless an earlier run made them.
 */
export async function ensureSigningKey({ mirrorKeys, publications }: DataPaths): Promise<void> {
  await mkdir(publications, { recursive: true });
  await mkdir(mirrorKeys, { recursive: true, mode: 0o700 });
  const file = join(mirrorKeys, 'signing-key.pem');
  if (existsSync(file)) return;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
}
