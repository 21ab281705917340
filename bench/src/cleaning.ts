/** Registers an action for the end of this program. */
export type OnEnd = (clean: () => Promise<unknown>) => void;

/** The actions for the end of the program, also after a failure. */
export interface Cleaning {
  readonly onEnd: OnEnd;
  /** Runs all actions, the newest first, once. Prints failures and continues. */
  clean(): Promise<void>;
}

/** Ctrl-C and SIGTERM clean up and end the program. */
export function createCleaning(): Cleaning {
  const registered: (() => Promise<unknown>)[] = [];
  let cleaned: Promise<void> | undefined;
  const clean = () => {
    cleaned ??= cleanAll(registered);
    return cleaned;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      console.log('Stopping');
      void clean().then(() => process.exit(1));
    });
  }
  return { onEnd: (one) => registered.unshift(one), clean };
}

async function cleanAll(registered: (() => Promise<unknown>)[]): Promise<void> {
  for (let one = registered.shift(); one; one = registered.shift()) {
    await one().catch((error) => console.error(`Cleaning failed: ${error}`));
  }
}
