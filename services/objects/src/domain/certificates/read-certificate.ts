import { type Message, messages, type RpslObject, toLatin1 } from '@cadastre/rpsl';
import { createWorkerPool, ServiceError } from '@cadastre/service';
import { places } from '../places.js';
import { type CertificateReading, isMaterial, materialOf, type Unreadable } from './material.js';
import { x509Fingerprint } from './x509.js';

/** Reads key-certs on separate threads, so that a costly key does not block the service. */
export type CertificateReader = ReturnType<typeof createCertificateReader>;

/** Reading a key takes milliseconds, the costliest within the bounds about one second. */
const usualDeadlineMs = 3_000;
const tasks = new URL('./key-tasks.js', import.meta.url);
type KeyTasks = typeof import('./key-tasks.js');

/** Makes the reader; its threads start when the first key arrives. */
export function createCertificateReader(deadlineMs = usualDeadlineMs) {
  const pool = createWorkerPool<KeyTasks>({ tasks, threads: 2, maxWaiting: 8, deadlineMs });
  const queued = createWorkerPool<KeyTasks>({ tasks, threads: 1, maxWaiting: Number.POSITIVE_INFINITY, deadlineMs });
  return {
    /**
     * Reads the material of a key-cert (rule G-KEYCERT-GEN) at the given time. Throws a ServiceError `unavailable` on
     * overload and after the timeout. Do not call it inside a transaction, nor for an anonymous request.
     */
    async read(object: RpslObject, now: Date): Promise<CertificateReading> {
      const material = materialOf(object);
      if (!isMaterial(material)) return unreadable(material, object);
      const read = await pool.run(material.kind === 'pgp' ? 'readPgpKey' : 'readX509', material.octets, now);
      return typeof read === 'string' || 'tooMuch' in read
        ? unreadable(read, object)
        : { ok: true, facts: { ...read, owners: read.owners.map(storable) } };
    },
    /**
     * The subkeys of `CertificateFacts.signingSubkeys`, for objects that no rule checks. Never refuses for overload:
     * calls queue for one thread. Empty without a readable PGP key, and after the timeout.
     */
    async signingSubkeys(object: RpslObject): Promise<readonly string[]> {
      const material = materialOf(object);
      if (!isMaterial(material) || material.kind !== 'pgp' || !material.outline.hasSigningSubkeys) return [];
      return queued.run('signingSubkeysOf', material.octets).catch(noneInTime);
    },
    async close(): Promise<void> {
      await Promise.all([pool.close(), queued.close()]);
    },
  };
}

/** The fingerprint that identifies the holder of a key-cert's key; undefined when it holds no key. Cheap. */
export function readKeyFingerprint(object: RpslObject): string | undefined {
  const material = materialOf(object);
  if (!isMaterial(material)) return undefined;
  return material.kind === 'pgp' ? material.outline.fingerprint : x509Fingerprint(material.octets);
}

function noneInTime(error: unknown): readonly string[] {
  if (error instanceof ServiceError && error.kind === 'unavailable') return [];
  throw error;
}

function unreadable(reason: Unreadable, object: RpslObject): CertificateReading {
  return { ok: false, messages: [complaint(reason, object)] };
}

function complaint(reason: Unreadable, object: RpslObject): Message {
  if (typeof reason === 'object') {
    return { severity: 'error', text: 'The key is not accepted: it has %s', args: [reason.tooMuch] };
  }
  switch (reason) {
    case 'no-key':
      return messages.noKey();
    case 'several-keys':
      return messages.multipleKeys();
    case 'invalid':
      return messages.invalidCertificate(places(object, 'certif').at(-1)!);
  }
}

/** Names in certificates are free text that an attacker may choose. */
function storable(owner: string): string {
  return toLatin1(owner)
    .text.replace(/\p{Cc}+/gu, ' ')
    .trim();
}
