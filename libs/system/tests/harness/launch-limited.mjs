// `node --import` loads this into the supervisor of a system whose services run under limits on memory: it starts them
// by the launcher that memory-limits.ts writes. The services themselves it leaves as they are.
const launcher = process.env.CADASTRE_TEST_LAUNCHER;
if (launcher !== undefined && process.argv[1]?.endsWith('libs/system/dist/run.js')) process.execPath = launcher;
