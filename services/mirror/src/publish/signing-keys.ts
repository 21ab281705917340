import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { publicKeyOf, samePublicKey } from '@cadastre/nrtm';
import { errorText, follow, type Logger, SettingsError, unlessAbsent } from '@cadastre/service';

/** The keys of publications. */
export interface SigningKeys {
  /** Private key (PEM) that signs. */
  readonly privateKey: string;
  /** Its public key (PEM). */
  readonly publicKey: string;
  /** Public key (PEM) of the next key; undefined when none is announced. */
  readonly nextPublicKey: string | undefined;
}

/** The keys in use. */
export interface FollowedKeys {
  current(): SigningKeys;
  stop(): void;
}

const signingFile = 'signing-key.pem';
const nextFile = 'next-signing-key.pem';
const intervalMs = 10_000;

/**
 * Reads the keys of a directory now, and again when they change; continues with the old ones while the files are
 * invalid. Throws a SettingsError when the first read fails.
 */
export async function followSigningKeys(directory: string, logger: Logger): Promise<FollowedKeys> {
  let keys = await readKeys(directory).catch((error) => {
    throw new SettingsError([`CADASTRE_MIRROR_KEYS_DIR: ${errorText(error)}`]);
  });
  const stop = follow({
    current: keys,
    load: () => readKeys(directory),
    isSame: (one, other) => one.publicKey === other.publicKey && one.nextPublicKey === other.nextPublicKey,
    use(found) {
      if (found.publicKey !== keys.publicKey) warnUnlessAnnounced(keys, found, logger);
      keys = found;
    },
    onProblem(error, repeated) {
      if (!repeated) logger.error({ reason: errorText(error) }, 'cannot read signing keys: using the previous ones');
    },
    intervalMs,
  });
  return { current: () => keys, stop };
}

function warnUnlessAnnounced(before: SigningKeys, now: SigningKeys, logger: Logger): void {
  const { nextPublicKey } = before;
  if (nextPublicKey !== undefined && samePublicKey(nextPublicKey, now.publicKey)) logger.info('signing key rotated');
  else logger.error('signing key replaced by one that was not announced: followers need the new one by hand');
}

/** The signing key need not be announced: the operator may remove its other file later. */
async function readKeys(directory: string): Promise<SigningKeys> {
  const privateKey = await readFile(path.join(directory, signingFile), 'utf8');
  const publicKey = publicKeyIn(signingFile, privateKey);
  const next = await unlessAbsent(readFile(path.join(directory, nextFile), 'utf8'));
  const nextPublicKey = next === undefined ? undefined : publicKeyIn(nextFile, next);
  return { privateKey, publicKey, nextPublicKey: nextPublicKey === publicKey ? undefined : nextPublicKey };
}

/** The error texts of the library may contain parts of a key. */
function publicKeyIn(file: string, privateKey: string): string {
  try {
    return publicKeyOf(privateKey);
  } catch {
    throw new Error(`${file} is no private key (PKCS 8, PEM) on the curve P-256`);
  }
}
