import { setTimeout as delay } from 'node:timers/promises';
import { folderStore } from '../../../../services/mirror/src/files/folder.js';
import { createFollower } from '../../../../services/mirror/tests/follower.fixture.js';

/** Looks at a publication all the time, as a follower that minds everything: two hashes of a version, for example. */
export interface Watch {
  /** Looks now. Throws what a look before has found. */
  look(): Promise<void>;
  /** The sessions that were seen. */
  sessions(): readonly string[];
  /** The objects of the last look. */
  objects(): readonly string[];
  stop(): Promise<void>;
}

const everyMs = 250;

/** Watches TEST in a folder of publications. The first look is the caller's, once there is a publication. */
export async function watchPublication(folder: string, publicKey: string): Promise<Watch> {
  const follower = createFollower(folderStore(folder), 'TEST', publicKey);
  const sessions = new Set<string>();
  const stopping = new AbortController();
  async function lookOnce(): Promise<void> {
    sessions.add((await follower.update()).notification.sessionId);
  }
  // One after the other; after a fault no further one.
  let last: Promise<void> = Promise.resolve();
  function look(): Promise<void> {
    last = last.then(lookOnce);
    return last;
  }
  await look();
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await delay(everyMs);
      // Whoever looks next is told.
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
