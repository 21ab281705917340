import type { ShownAttribute, ShownObject } from '../api/objects.js';
import { paths } from '../paths.js';
import { Link } from '../router.js';
import './object-view.css';

/** The attributes of an object, with a link on every reference. */
export function ObjectView({ object }: { readonly object: ShownObject }) {
  return (
    <dl class="object-view">
      {object.attributes.map((attribute, index) => (
        <div key={index} class={attribute.name === 'remarks' || attribute.name === 'descr' ? 'remark' : undefined}>
          <dt>{attribute.name}</dt>
          <dd>
            <Value attribute={attribute} />
            {attribute.comment !== undefined && <span class="soft"> # {attribute.comment}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ attribute: { name, value, target } }: { readonly attribute: ShownAttribute }) {
  if (target) return <Link to={paths.object(target)}>{value}</Link>;
  if (/^https:\/\/\S+$/.test(value)) return <OutsideLink href={value} />;
  if (name === 'origin' && /^as\d+$/i.test(value)) return <QueryLink value={value} />;
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
function QueryLink({ value }: { readonly value: string }) {
  return <Link to={paths.query(new URLSearchParams({ q: value }))}>{value}</Link>;
}
