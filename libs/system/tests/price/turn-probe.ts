// `node --import` loads this into every service of a measured system. Records each long turn of the event loop: the CPU
// time of the main thread, in milliseconds, from one timer to the next. Other clients of the process waited at least
// that long, however busy the machine was.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const tickMs = 5;
/** Twice the usual lateness of a tick. */
const longMs = 10;

const directory = process.env.CADASTRE_TEST_TURN_PROBE;
// The index process of whois counts as whois.
const service = /services\/(\w+)\/dist\/(?:index-process\/)?main\.js$/.exec(process.argv[1] ?? '')?.[1];
if (isMainThread && directory !== undefined && service !== undefined) watch(join(directory, service));

function watch(file: string): void {
  let before = process.threadCpuUsage();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    const turnMs = (user + system) / 1000;
    if (turnMs >= longMs) appendFileSync(file, `${turnMs}\n`);
    before = process.threadCpuUsage();
  };
  setInterval(look, tickMs).unref();
}
