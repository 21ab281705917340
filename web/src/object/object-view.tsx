import type { ShownAttribute, ShownObject } from '../api/objects.js';
import type { Moment } from '../past/past.js';
import { paths } from '../paths.js';
import { Link } from '../router.js';
import { foldedText, stretchesOf } from './fold.js';
import { linkedParts } from './linked-parts.js';
import './object-view.css';

interface ObjectViewProps {
  readonly object: ShownObject;
  /** The moment of the past to which its links lead; undefined for now. */
  readonly moment: Moment | undefined;
}

/**
 * The attributes of an object, with a link on every reference. Folds the lines after the first ones of an attribute.
 */
export function ObjectView({ object, moment }: ObjectViewProps) {
  return (
    <div class="object-view">
      {stretchesOf(object.attributes).map((stretch, index) => {
        const lines = stretch.attributes.map((attribute, line) => (
          <Line key={line} attribute={attribute} moment={moment} />
        ));
        if (!stretch.isFolded) return <dl key={index}>{lines}</dl>;
        return (
          <details key={index}>
            <summary>{foldedText(stretch)}</summary>
            <dl>{lines}</dl>
          </details>
        );
      })}
    </div>
  );
}

function Line({ attribute, moment }: ValueProps) {
  const { name, comment } = attribute;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Value attribute={attribute} moment={moment} />
        {comment !== undefined && <span class="soft"> # {comment}</span>}
      </dd>
    </div>
  );
}

interface ValueProps {
  readonly attribute: ShownAttribute;
  readonly moment: Moment | undefined;
}

function Value({ attribute: { name, value, target }, moment }: ValueProps) {
  if (target) return <Link to={paths.object(target, '', moment)}>{value}</Link>;
  if (name === 'origin' && /^as\d+$/i.test(value))
    return <Link to={paths.query(new URLSearchParams({ q: value, ...moment }))}>{value}</Link>;
  // An account is not a mailbox.
  if (name === 'auth') return <>{value}</>;
  return (
    <>
      {linkedParts(value).map(({ text, href }, index) =>
        href === undefined ? (
          text
        ) : href.startsWith('mailto:') ? (
          <a key={index} href={href}>
            {text}
          </a>
        ) : (
          // Another site does not learn the referring page.
          <a key={index} href={href} rel="noopener noreferrer nofollow" target="_blank">
            {text}
          </a>
        ),
      )}
    </>
  );
}
