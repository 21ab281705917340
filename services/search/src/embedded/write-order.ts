/** When a copy is still this far behind after its wait, it no longer delays the changes of the index in use. */
const maxHoldMs = 2_000;

export type WriteOrder = ReturnType<typeof createWriteOrder>;

/** Lets batches and switches of the index of a source come one after the other. */
export function createWriteOrder() {
  const last = new Map<string, Promise<unknown>>();
  const held = new Map<string, { readonly ended: Promise<void>; end(): void }>();
  const release = (source: string) => {
    held.get(source)?.end();
    held.delete(source);
  };
  return {
    /** Runs the work when the earlier work of the source has ended. */
    run<T>(source: string, work: () => Promise<T>): Promise<T> {
      const result = (last.get(source) ?? Promise.resolve()).then(work);
      last.set(
        source,
        result.catch(() => {}),
      );
      return result;
    },
    /** Holds the batches of a source: its copy is slightly behind, and would never catch up under constant writes. */
    hold(source: string): void {
      if (held.has(source)) return;
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(() => release(source), maxHoldMs).unref();
      held.set(source, {
        ended,
        end() {
          clearTimeout(timer);
          resolve();
        },
      });
    },
    release,
    /** Waits while the batches of a source are held. */
    unheld: (source: string) => held.get(source)?.ended,
    /** Waits until all work has ended. */
    async idle(): Promise<void> {
      await Promise.all([...last.values()]);
    },
  };
}
