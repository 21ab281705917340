/** Feeds send a heartbeat every ten seconds. */
const defaultSilenceMs = 25_000;

/** The messages of a stream; cancels it when none arrives for `silenceMs`. Time spent in the reader does not count. */
export async function* unlessSilent<T>(
  open: (alive: AbortSignal) => AsyncIterable<T>,
  signal: AbortSignal,
  silenceMs = defaultSilenceMs,
): AsyncGenerator<T> {
  const silence = new AbortController();
  const expect = () => setTimeout(() => silence.abort(), silenceMs);
  let timer = expect();
  try {
    for await (const message of open(AbortSignal.any([signal, silence.signal]))) {
      clearTimeout(timer);
      yield message;
      timer = expect();
    }
  } finally {
    clearTimeout(timer);
  }
}
