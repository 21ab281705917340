import { setTimeout as delay } from 'node:timers/promises';
import { folderStore } from '../../../../services/mirror/src/files/folder.js';
import { createFollower } from '../../../../services/mirror/tests/follower.fixture.js';

/** Watches a publication continuously, as a strict follower: for example, it refuses two hashes of a version. */
export interface Watch {
  /** Reads it now. Throws what an earlier read has found. */
  look(): Promise<void>;
  /** The sessions so far. */
  sessions(): readonly string[];
  /** The objects of the last read. */
  objects(): readonly string[];
  stop(): Promise<void>;
}

const everyMs = 250;

/** Watches TEST in a folder of publications. The caller does the first read, once there is a publication. */
export async function watchPublication(folder: string, publicKey: string): Promise<Watch> {
  const follower = createFollower(folderStore(folder), 'TEST', publicKey);
  const sessions = new Set<string>();
  const stopping = new AbortController();
  async function lookOnce(): Promise<void> {
    sessions.add((await follower.update()).notification.sessionId);
  }
  // One after the other; none after a fault.
  let last: Promise<void> = Promise.resolve();
  function look(): Promise<void> {
    last = last.then(lookOnce);
    return last;
  }
  await look();
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await delay(everyMs);
      // The next reader gets the error.
      await look().catch(() => stopping.abort());
    }
  })();
  return {
    look,
    sessions: () => [...sessions],
    objects: () => follower.objects(),
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}
