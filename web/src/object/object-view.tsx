import type { ShownAttribute, ShownObject } from '../api/objects.js';
import type { Moment } from '../past/past.js';
import { paths } from '../paths.js';
import { Link } from '../router.js';
import './object-view.css';

interface ObjectViewProps {
  readonly object: ShownObject;
  /** The moment of the past to which its links lead; undefined for now. */
  readonly moment: Moment | undefined;
}

/** The attributes of an object, with a link on every reference. */
export function ObjectView({ object, moment }: ObjectViewProps) {
  return (
    <dl class="object-view">
      {object.attributes.map((attribute, index) => (
        <div key={index} class={attribute.name === 'remarks' || attribute.name === 'descr' ? 'remark' : undefined}>
          <dt>{attribute.name}</dt>
          <dd>
            <Value attribute={attribute} moment={moment} />
            {attribute.comment !== undefined && <span class="soft"> # {attribute.comment}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface ValueProps {
  readonly attribute: ShownAttribute;
  readonly moment: Moment | undefined;
}

function Value({ attribute: { name, value, target }, moment }: ValueProps) {
  if (target) return <Link to={paths.object(target, '', moment)}>{value}</Link>;
  if (/^https:\/\/\S+$/.test(value)) return <OutsideLink href={value} />;
  if (name === 'origin' && /^as\d+$/i.test(value)) return <QueryLink value={value} moment={moment} />;
  return <>{value}</>;
}

/** A link to another site, which does not learn the referring page. */
function OutsideLink({ href }: { readonly href: string }) {
  return (
    <a href={href} rel="noopener noreferrer nofollow" target="_blank">
      {href}
    </a>
  );
}

/** Texts that name an object without being references. */
function QueryLink({ value, moment }: { readonly value: string; readonly moment: Moment | undefined }) {
  return <Link to={paths.query(new URLSearchParams({ q: value, ...moment }))}>{value}</Link>;
}
