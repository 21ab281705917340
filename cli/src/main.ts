import { explain } from './failure.js';
import { exitCode, note, processIo } from './io.js';
import { runProgram } from './program.js';

// A reader that stops early ("cadastre export ... | head") is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  const io = processIo();
  note(io, `cadastre: standard output: ${explain(error)}`);
  process.exit(exitCode.failed);
});

process.exitCode = await runProgram(process.argv.slice(2), processIo());
// An interrupted load still waits for standard input.
if (process.exitCode > 128) process.exit();
