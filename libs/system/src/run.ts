import { describeSettings, readSettings, SettingsError, withParent } from '@cadastre/service';
import { createParts, type Parts } from './parts.js';
import { type RunSettings, runSettings } from './run-settings.js';
import { StartFailure } from './start-failure.js';
import { type System, startSystem } from './system.js';

const killTimeoutMs = 3_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);
// Ctrl-C in `make run | tee FILE` ends `tee` first: the registry has to stop in order all the same.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

async function main(): Promise<void> {
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    say('Starts a whole registry on this machine and runs it until Ctrl-C. Settings, read from the environment:\n');
    say(describeSettings(runSettings));
    return;
  }
  const settings = readSettings(runSettings);
  const parts = createParts();
  const ending = endOnSignal(parts);
  try {
    welcome(await startSystem(settings, parts, say), settings);
  } catch (error) {
    // Failures during the stop are consequences of the stop.
    if (!ending.requested()) {
      await parts.stop();
      throw error;
    }
  }
  await ending.done;
}

/** Stops all parts on a signal; kills them on a second one. `done` resolves when all have ended. */
function endOnSignal(parts: Parts): { requested(): boolean; done: Promise<void> } {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  let times = 0;
  const ask = (): void => {
    times += 1;
    if (times === 1) {
      say('Stopping (Ctrl-C again kills everything at once)');
      parts.stop().then(resolve, reject);
    } else {
      parts.kill();
      setTimeout(() => process.exit(1), killTimeoutMs).unref();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask);
  if (process.argv.includes(withParent)) process.stdin.once('close', ask).on('error', ask).resume();
  return { requested: () => times > 0, done };
}

function welcome({ addresses, key, mails }: System, { source, published }: RunSettings): void {
  say('');
  say(`In a browser   ${addresses.https}/ (its certificate is self-signed: accept it)`);
  say(`REST, HTTPS    ${addresses.https}/`);
  say(`REST, HTTP     ${addresses.http}/ (reads only)`);
  say(`With certs     ${addresses.certHttps}/ (HTTPS with client certificates)`);
  say(`Whois          ${addresses.whois} (TCP)`);
  if (addresses.mirror && published.length > 0)
    say(`For mirrors    ${addresses.https}/nrtmv4/ (docs/use/mirroring.md)`);
  if (mails) say(`Mails          ${mails} (nothing is sent: bin/cadastre mail show)`);
  say(`Certificate    ${addresses.certificate}`);
  say(`API key        ${key.credential}`);
  say(
    `               of ${key.account}, who may edit the sample objects of EXAMPLE-MNT; until ${key.expires.slice(0, 10)}`,
  );
  say('');
  say(`Try            curl --cacert ${addresses.certificate} ${addresses.https}/${source}/mntner/EXAMPLE-MNT.json`);
  say('Walk-through   docs/start/walk-through.md    Command line   bin/cadastre --help    Stop   Ctrl-C');
  say('Cadastre is ready');
}

try {
  await main();
  process.exit(0);
} catch (error) {
  if (error instanceof SettingsError || error instanceof StartFailure) complain(error.message);
  else complain(`The system cannot run: ${error instanceof Error ? error.stack : String(error)}`);
  process.exit(1);
}
