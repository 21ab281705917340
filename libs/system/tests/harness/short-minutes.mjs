// Loaded before a service (node --import): divides its pauses of 5 seconds or more by twenty. The pauses of the mirror
// service, a minute between two rounds or after a fault, would make each step of a test as long.
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

const wait = timers.setTimeout;
timers.setTimeout = (ms, ...more) => wait(ms >= 5_000 ? ms / 20 : ms, ...more);
syncBuiltinESMExports();
