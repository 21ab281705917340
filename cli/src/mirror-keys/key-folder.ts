import { generateKeyPairSync } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprintOf, publicKeyOf } from '@cadastre/nrtm';
import { syncFolder, unlessAbsent } from '@cadastre/service';
import { CommandFailure } from '../failure.js';

/** The names that the mirror service reads in CADASTRE_MIRROR_KEYS_DIR. */
export const keyFiles = { active: 'signing-key.pem', next: 'next-signing-key.pem' } as const;
/** When each key was made and used, from which the mirror service knows the age of its keys. */
export const notesFile = 'signing-keys.json';

/** The public part of a key that signs notification files (ES256: P-256). */
export interface PublicKey {
  /** SHA-256 of the public key in DER form, in lower-case hex. */
  fingerprint: string;
  /** PEM (SubjectPublicKeyInfo): what mirrors configure. */
  pem: string;
}

/** A key in the folder, with the time since which it exists, and since which it signs. */
export interface FolderKey extends PublicKey {
  created: Date;
  activated: Date | undefined;
}

/** The contents of the folder. */
export interface KeyFolder {
  active: FolderKey | undefined;
  next: FolderKey | undefined;
  /** Keys that no longer sign, oldest first; their private parts are deleted. */
  retired: readonly { fingerprint: string; retired: Date }[];
}

interface Note {
  created: string;
  activated?: string;
  retired?: string;
}

type Notes = Record<string, Note>;

/** Reads the folder. Throws a CommandFailure for a file that is not a key on the curve P-256. */
export async function readKeyFolder(folder: string): Promise<KeyFolder> {
  const notes = await readNotes(folder);
  const [active, next] = await Promise.all(
    [keyFiles.active, keyFiles.next].map((name) => readKey(join(folder, name), notes)),
  );
  const present = [active?.fingerprint, next?.fingerprint];
  const retired = Object.entries(notes).flatMap(([fingerprint, { retired }]) =>
    retired === undefined || present.includes(fingerprint) ? [] : [{ fingerprint, retired: new Date(retired) }],
  );
  return { active, next, retired: retired.sort((a, b) => a.retired.getTime() - b.retired.getTime()) };
}

/** Makes a key as the active or the next one, in a folder that it creates if needed; refuses to replace one. */
export async function addKey(folder: string, place: keyof typeof keyFiles, now: Date): Promise<PublicKey> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { privateKey, publicKey: pem } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const fingerprint = fingerprintOf(pem);
  const created = now.toISOString();
  // A record without its key is harmless; a key without its record has the age of its file.
  await writeNotes(folder, {
    ...(await readNotes(folder)),
    [fingerprint]: { created, ...(place === 'active' && { activated: created }) },
  });
  await writeNew(join(folder, keyFiles[place]), privateKey);
  return { fingerprint, pem };
}

/** Makes the next key the active one. Deletes the private part of the former key. */
export async function activateNextKey(folder: string, now: Date): Promise<void> {
  const { active, next } = await readKeyFolder(folder);
  if (next === undefined) throw new CommandFailure(`${join(folder, keyFiles.next)}: no such file`);
  const at = now.toISOString();
  const noteOf = ({ created, activated }: FolderKey): Note => ({
    created: created.toISOString(),
    ...(activated && { activated: activated.toISOString() }),
  });
  await writeNotes(folder, {
    ...(await readNotes(folder)),
    ...(active && { [active.fingerprint]: { ...noteOf(active), retired: at } }),
    [next.fingerprint]: { ...noteOf(next), activated: at },
  });
  await rename(join(folder, keyFiles.next), join(folder, keyFiles.active));
  await syncFolder(folder);
}

async function readKey(file: string, notes: Notes): Promise<FolderKey | undefined> {
  const found = await unlessAbsent(readFile(file, 'utf8'));
  if (found === undefined) return undefined;
  const pem = parsed(() => publicKeyOf(found));
  if (pem === undefined) throw new CommandFailure(`${file}: is no private key on the curve P-256 in PEM`);
  const fingerprint = fingerprintOf(pem);
  const note = notes[fingerprint];
  return {
    fingerprint,
    pem,
    created: note ? new Date(note.created) : (await stat(file)).mtime,
    activated: note?.activated ? new Date(note.activated) : undefined,
  };
}

function parsed<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

async function readNotes(folder: string): Promise<Notes> {
  const file = join(folder, notesFile);
  const text = await unlessAbsent(readFile(file, 'utf8'));
  if (text === undefined) return {};
  const notes = parsed(() => JSON.parse(text) as unknown);
  const isNote = (note: Partial<Note> | null) =>
    [note?.created, note?.activated ?? 0, note?.retired ?? 0].every(
      (at) => !Number.isNaN(new Date(at ?? '').getTime()),
    );
  if (typeof notes !== 'object' || notes === null || !Object.values(notes).every(isNote)) {
    throw new CommandFailure(`${file}: is not a list of keys that this program wrote`);
  }
  return notes as Notes;
}

async function writeNotes(folder: string, notes: Notes): Promise<void> {
  const file = join(folder, notesFile);
  const fresh = await writeTemporary(file, `${JSON.stringify(notes, null, 2)}\n`);
  await rename(fresh, file);
}

/** Writes a file that must not exist yet; it gets its name only when it is complete. */
async function writeNew(file: string, text: string): Promise<void> {
  const fresh = await writeTemporary(file, text);
  try {
    await link(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new CommandFailure(`${file} exists; this command never replaces a key`);
  } finally {
    await rm(fresh, { force: true });
  }
  await syncFolder(join(file, '..'));
}

async function writeTemporary(file: string, text: string): Promise<string> {
  const fresh = `${file}.${process.pid}.part`;
  await rm(fresh, { force: true });
  const handle = await open(fresh, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return fresh;
}
