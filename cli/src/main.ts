import { processIo } from './io.js';
import { runProgram } from './program.js';

// A reader that has seen enough ("cadastre export ... | head") is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await runProgram(process.argv.slice(2), processIo());
