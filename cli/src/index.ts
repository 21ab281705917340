/** The command line program as a function. */
export { type Io, processIo } from './io.js';
export { runProgram } from './program.js';
