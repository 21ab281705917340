// `node --import` loads this into the supervisor of a system whose services run under limits on memory: it starts them
// by the launcher that memory-limits.ts writes. It does not change the services themselves; it records the start of the
// index process, which the whois service starts.
import { appendFileSync } from 'node:fs';

const launcher = process.env.CADASTRE_TEST_LAUNCHER;
if (launcher !== undefined && process.argv[1]?.endsWith('libs/system/dist/run.js')) process.execPath = launcher;
const starts = process.env.CADASTRE_TEST_STARTS;
if (starts !== undefined && process.argv[1]?.endsWith('services/whois/dist/index-process/main.js'))
  appendFileSync(starts, 'whois index\n');
