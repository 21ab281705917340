import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { hasStatus, messagesOf } from '../api/registry.js';
import { Button } from './button.js';
import { focusHeadingOf } from './focus.js';
import './load.css';
import { Messages } from './messages.js';

/** The state of a fetch. */
export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: unknown; readonly retry: () => void }
  | { readonly state: 'loaded'; readonly value: T; readonly retry: () => void };

interface LoadOptions {
  /** While another key loads, the last value remains; default: false. */
  readonly keepsLast?: boolean;
}

/** Fetches a value, and again when `key` changes; cancels fetches that are no longer needed. */
export function useLoad<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  { keepsLast = false }: LoadOptions = {},
): Loaded<T> {
  const [attempt, setAttempt] = useState(0);
  const [loaded, setLoaded] = useState<{ of: string; result: Loaded<T> }>();
  const of = `${attempt} ${key}`;
  useEffect(() => {
    const controller = new AbortController();
    const retry = () => setAttempt((last) => last + 1);
    load(controller.signal).then(
      (value) => controller.signal.aborted || setLoaded({ of, result: { state: 'loaded', value, retry } }),
      (error) => controller.signal.aborted || setLoaded({ of, result: { state: 'failed', error, retry } }),
    );
    return () => controller.abort();
  }, [of]);
  const stays = loaded?.of === of || (keepsLast && loaded?.result.state === 'loaded');
  return stays ? loaded.result : { state: 'loading' };
}

interface ShowProps<T> {
  readonly of: Loaded<T>;
  /** The name of the value, for example "the versions". */
  readonly what: string;
  /** Replaces the message for some errors; for the others it returns nothing (undefined, false). */
  readonly failed?: (error: unknown) => ComponentChildren;
  readonly children: (value: T) => ComponentChildren;
}

/** Shows the loaded value, that it is loading, or why it failed. */
export function Show<T>({ of, what, failed, children }: ShowProps<T>) {
  if (of.state === 'loading') return <Waiting what={what} />;
  if (of.state === 'loaded') return <>{children(of.value)}</>;
  return <>{failed?.(of.error) || <Failure {...of} what={what} />}</>;
}

interface LoadProps<T> extends Omit<ShowProps<T>, 'of'> {
  readonly load: (signal: AbortSignal) => Promise<T>;
}

/** Fetches a value once, and shows it. */
export function Load<T>({ load, ...rest }: LoadProps<T>) {
  return <Show of={useLoad('', load)} {...rest} />;
}

/** A text while something is loading. */
export function Waiting({ what }: { readonly what: string }) {
  return (
    <div class="waiting" role="status">
      <span class="visually-hidden">Loading {what}</span>
      <span class="bar" />
      <span class="bar" />
      <span class="bar" />
    </div>
  );
}

function Failure({ error, what, retry }: Extract<Loaded<unknown>, { state: 'failed' }> & { readonly what: string }) {
  const tryAgain = (event: Event) => {
    focusHeadingOf(event.currentTarget as Element);
    retry();
  };
  return (
    <div class="stack" role="alert">
      <p class="failure-head">Could not load {what}.</p>
      <Messages messages={messagesOf(error)} />
      {/* After these, a retry would get the same answer. */}
      {!hasStatus(error, 400, 404, 410) && (
        <p>
          <Button label="Try again" act={tryAgain} />
        </p>
      )}
    </div>
  );
}
