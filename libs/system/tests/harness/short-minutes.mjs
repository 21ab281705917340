// Loaded before a service (node --import): its pauses of 5 seconds or more last a twentieth, or the part that the URL
// names, `?60` for a sixtieth. Those of the mirror service, a minute between two rounds or after a fault, would make each
// step of a test as long.
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

const part = Number(new URL(import.meta.url).search.slice(1) || 20);
const wait = timers.setTimeout;
timers.setTimeout = (ms, ...more) => wait(ms >= 5_000 ? ms / part : ms, ...more);
syncBuiltinESMExports();
