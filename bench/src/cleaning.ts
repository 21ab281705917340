/** Registers something to do at the end of this program. */
export type OnEnd = (clean: () => Promise<unknown>) => void;

/** What to do at the end of the program, however it ends. */
export interface Cleaning {
  readonly onEnd: OnEnd;
  /** Does everything, the newest first, once. A failure is printed and keeps nothing from being done. */
  clean(): Promise<void>;
}

/** Ctrl-C and SIGTERM clean, and end the program. */
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
