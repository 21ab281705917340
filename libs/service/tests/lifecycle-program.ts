import { setTimeout as delay } from 'node:timers/promises';
import { baseSettings, defineProgram, runMain, SettingsError, setting, type Values } from '../src/index.js';

/** The program that lifecycle.test.ts runs: prints one line per event. */
const say = (line: string) => process.stdout.write(`${line}\n`);
const spec = {
  ...baseSettings,
  drainMs: setting.integer({ name: 'TEST_DRAIN_MS', doc: 'How long stopping takes.', default: 0 }),
  failure: setting.oneOf(['none', 'settings', 'unreachable', 'start', 'later'], {
    name: 'TEST_FAILURE',
    doc: 'What goes wrong.',
    default: 'none',
  }),
};

const create = async (settings: Values<typeof spec>) => {
  if (settings.failure === 'settings') throw new SettingsError(['TEST_PAIR: set both or none']);
  const alive = setInterval(() => {}, 1000);
  if (settings.failure === 'unreachable') {
    say('waiting');
    await new Promise(() => {});
  }
  return {
    async start() {
      if (settings.failure === 'start') throw new Error('cannot listen');
      if (settings.failure === 'later') setImmediate(() => void Promise.reject(new Error('forgotten')));
      say('started');
    },
    async stop() {
      say('draining');
      await delay(settings.drainMs);
      clearInterval(alive);
      say('drained');
    },
  };
};

const greeting = {
  logLevel: baseSettings.logLevel,
  failure: spec.failure,
  name: setting.text({ name: 'TEST_NAME', doc: 'Whom to greet.' }),
};
const greet = {
  settings: greeting,
  async run({ failure, name }: Values<typeof greeting>) {
    if (failure === 'start') throw new Error('cannot greet');
    say(`hello ${name}`);
  },
};

await runMain(defineProgram('program', spec, create), { greet });
