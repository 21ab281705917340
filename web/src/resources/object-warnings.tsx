import { useEffect, useRef, useState } from 'preact/hooks';
import { checkObjects } from '../api/checked-objects.js';
import { messagesOf } from '../api/registry.js';
import { Button } from '../design/button.js';
import { amount, numberText } from '../design/format.js';
import { Alert } from '../design/messages.js';
import { ObjectLink } from '../design/object-link.js';
import { namePath, type ObjectName } from '../paths.js';
import { afterPage, type Check, type Found, newCheck, type WarningKind, warningKinds } from './warnings.js';

/** Objects that are checked at first. */
const firstStep = 2_000;
/** Objects that a click adds. */
const step = 10_000;

const texts: Record<WarningKind, readonly [heading: string, meaning: string]> = {
  conflict: ['Routes against a ROA', 'Networks that validate origins refuse what these routes announce.'],
  'no-roa': ['Routes without a ROA', 'No one can tell whether these announcements are yours.'],
  'no-contact': [
    'No abuse contact',
    'Neither these objects nor those above them name an organisation or role with an abuse-mailbox.',
  ],
  undeliverable: ['Abuse contacts that get no mail', 'Mails to these mailboxes came back.'],
  'dead-reference': ['Contacts that do not exist', 'These objects name a contact that is not in the registry.'],
};

/** The problems of the objects of the maintainers. */
export function ObjectWarnings({ maintainers }: { readonly maintainers: readonly ObjectName[] }) {
  const [check, setCheck] = useState(() => newCheck(maintainers));
  const [limit, setLimit] = useState(firstStep);
  const [error, setError] = useState<unknown>();
  const status = useRef<HTMLParagraphElement>(null);
  const [part] = check.left;
  const isChecking = part !== undefined && check.checked < limit && error === undefined;
  useEffect(() => {
    if (!isChecking) return;
    const controller = new AbortController();
    checkObjects(part.maintainer, part.types, check.cursor, controller.signal).then(
      (page) => controller.signal.aborted || setCheck(afterPage(check, page)),
      (failure) => controller.signal.aborted || setError(failure),
    );
    return () => controller.abort();
  }, [check, isChecking]);
  const checkMore = () => {
    if (isChecking) return;
    // The button disappears when everything is checked.
    status.current?.focus();
    setError(undefined);
    setLimit(check.checked + step);
  };
  const kinds = warningKinds.filter((kind) => check.found[kind].count > 0);
  return (
    <section class="card stack" aria-labelledby="warnings">
      <h2 id="warnings">What needs attention</h2>
      <p class="soft" role="status" ref={status} tabIndex={-1}>
        {stateText(check, isChecking, kinds.length > 0)}
      </p>
      {kinds.map((kind) => (
        <WarningsOf key={kind} kind={kind} found={check.found[kind]} />
      ))}
      {error !== undefined && <Alert messages={messagesOf(error)} />}
      {part !== undefined && (!isChecking || limit > firstStep) && (
        <p>
          <Button label={error === undefined ? `Check ${numberText(step)} more` : 'Try again'} act={checkMore} />
        </p>
      )}
    </section>
  );
}

function stateText({ checked, left }: Check, isChecking: boolean, hasWarnings: boolean): string {
  const count = amount(checked, 'object');
  if (isChecking) return `Checked ${count} …`;
  const more = left.length > 0 ? '; there are more' : '';
  return `Checked ${count}${more}.${hasWarnings ? '' : ' Nothing is wrong with them.'}`;
}

function WarningsOf({ kind, found: { count, first } }: { readonly kind: WarningKind; readonly found: Found }) {
  const [heading, meaning] = texts[kind];
  return (
    <details class="warning-kind" open={count <= 5}>
      <summary>
        {heading} <span class="chip warn">{numberText(count)}</span>
      </summary>
      <p class="small soft">{meaning}</p>
      <ul class="list">
        {first.map(({ object, text }) => (
          <li key={`${namePath(object)} ${text}`}>
            <span class="chip plain">{object.type}</span> <ObjectLink name={object} />{' '}
            {text && <span class="small soft">{text}</span>}
          </li>
        ))}
      </ul>
      {count > first.length && <p class="soft small">These are the first {first.length}.</p>}
    </details>
  );
}
