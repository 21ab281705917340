import { packageVersion } from '@cadastre/service';
import { Command, CommanderError } from 'commander';
import type { Run } from './action.js';
import { addApiKeyCommands } from './commands/api-key.js';
import { addApplyCommand } from './commands/apply.js';
import { addBlockCommands } from './commands/block.js';
import { addCompletionCommand } from './commands/completion.js';
import { addDeleteCommand } from './commands/delete.js';
import { addDiffCommand } from './commands/diff.js';
import { addEmailCommands } from './commands/email.js';
import { addEventsCommands } from './commands/events.js';
import { addExportCommand } from './commands/export.js';
import { addGenerateCommand } from './commands/generate.js';
import { addGetCommand } from './commands/get.js';
import { addHistoryCommands } from './commands/history.js';
import { addLoadCommand } from './commands/load.js';
import { addLoginCommands } from './commands/login.js';
import { addMailCommands } from './commands/mail.js';
import { addManual } from './commands/manual.js';
import { addMirrorCommands } from './commands/mirror.js';
import { addRdapCommands } from './commands/rdap.js';
import { addSearchCommand } from './commands/search.js';
import { addIndexCommands } from './commands/search-index.js';
import { addStatusCommand } from './commands/status.js';
import { addTagCommands } from './commands/tag.js';
import { addWebhooksCommands } from './commands/webhooks.js';
import { explain } from './failure.js';
import { type ExitCode, exitCode, type Io, note } from './io.js';
import { printable } from './printable.js';

/** Runs `cadastre` with the arguments after the program's name; resolves to the exit code and never rejects. */
export async function runProgram(args: string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCode.done;
  const run: Run =
    (action) =>
    async (...actionArgs) => {
      code = (await action(...actionArgs)) ?? exitCode.done;
    };
  try {
    await createProgram(io, run).parseAsync(args, { from: 'user' });
    return code;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? exitCode.done : exitCode.failed;
    note(io, `cadastre: ${explain(thrown)}`);
    return exitCode.failed;
  }
}

function createProgram(io: Io, run: Run): Command {
  const program = new Command('cadastre')
    .description(
      'Use a registry over its REST interface (login, get, search, diff, apply, delete, history list); or operate ' +
        'one: that of "make run" (CADASTRE_DATA_DIR), or the one at CADASTRE_OBJECTS_ADDRESS, ' +
        'CADASTRE_AUTH_ADDRESS and CADASTRE_SEARCH_ADDRESS.',
    )
    // The packed program has a package.json, too (scripts/pack-cli.mjs).
    .version(packageVersion(import.meta.url), '-V, --version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(printable(text)),
    });
  addLoginCommands(program, io, run);
  addGetCommand(program, io, run);
  addSearchCommand(program, io, run);
  addDiffCommand(program, io, run);
  addApplyCommand(program, io, run);
  addDeleteCommand(program, io, run);
  addLoadCommand(program, io, run);
  addExportCommand(program, io, run);
  addApiKeyCommands(program, io, run);
  addTagCommands(program, io, run);
  addEmailCommands(program, io, run);
  addEventsCommands(program, io, run);
  addMailCommands(program, io, run);
  addWebhooksCommands(program, io, run);
  addBlockCommands(program, io, run);
  addHistoryCommands(program, io, run);
  addGenerateCommand(program, io, run);
  addRdapCommands(program, io, run);
  addMirrorCommands(program, io, run);
  addIndexCommands(program, io, run);
  addStatusCommand(program, io, run);
  addCompletionCommand(program, io, run);
  addManual(program);
  // That of the library prints the whole help for an unknown command, and does not report the error.
  program.helpCommand(false);
  program
    .command('help')
    .description('display help for command')
    .argument('[command...]', 'the command')
    .action((names: string[]) => {
      const found = names.reduce<Command>((parent, name) => {
        const command = parent.commands.find((one) => one.name() === name);
        return command ?? program.error(`error: unknown command '${names.join(' ')}'`);
      }, program);
      found.help();
    });
  return program;
}
