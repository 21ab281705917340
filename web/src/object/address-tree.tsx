import type { AddressRange } from '@cadastre/rpsl';
import { type Query, search } from '../api/search.js';
import { Show, useLoad } from '../design/load.js';
import type { Moment } from '../past/past.js';
import { type ObjectName, paths } from '../paths.js';
import { Link } from '../router.js';
import { addressesOf, isWhole, type Node, nodesOf, placeIn, sizeText } from './address-space.js';
import './address-tree.css';

const kinds: Readonly<Record<string, readonly string[]>> = {
  inetnum: ['inetnum', 'route'],
  route: ['inetnum', 'route'],
  inet6num: ['inet6num', 'route6'],
  route6: ['inet6num', 'route6'],
};
const maxChildren = 200;

/** Whether objects of a type are in the address tree. */
export function hasAddressTree(type: string): boolean {
  return type in kinds;
}

interface TreeProps {
  readonly name: ObjectName;
  /** The moment of the past that it shows; undefined for now. */
  readonly moment: Moment | undefined;
}

/** Shows the objects that enclose an object, those with the same addresses, and the first level inside. */
export function AddressTree({ name, moment }: TreeProps) {
  const own = addressesOf(name);
  if (own === undefined) return <p class="card">This object has no addresses.</p>;
  const key = `${name.key} ${moment?.['as-of']}`;
  return (
    <div class="card stack">
      <section>
        <h2>Above</h2>
        <Above key={key} name={name} moment={moment} />
      </section>
      <section>
        <h2>Below</h2>
        {isWhole(own) ? (
          // The registry does not list the objects inside the whole address space.
          <p class="soft">Everything is inside.</p>
        ) : (
          <Below key={key} name={name} moment={moment} own={own} />
        )}
      </section>
    </div>
  );
}

function Above({ name, moment }: TreeProps) {
  const loaded = useLoad('', (signal) =>
    search({ ...queryOf(name, moment), flags: ['all-less', 'no-referenced'] }, signal),
  );
  return (
    <Show of={loaded} what="what encloses this object">
      {({ objects }) => {
        const above = nodesOf(objects);
        return (
          <ol class="list tree">
            {above.map((node) => (
              <TreeNode
                key={keyOf(node)}
                node={node}
                depth={largerThan(above, node).length}
                outer={outerOf(above, node)}
                present={isSame(node, name)}
                moment={moment}
              />
            ))}
          </ol>
        );
      }}
    </Show>
  );
}

function Below({ name, moment, own }: TreeProps & { readonly own: AddressRange }) {
  const query = { ...queryOf(name, moment), flags: ['one-more', 'no-referenced'], limit: maxChildren };
  const loaded = useLoad('', (signal) => search(query, signal));
  return (
    <Show of={loaded} what="what is inside">
      {({ objects }) => {
        const below = nodesOf(objects).sort(byAddress);
        return (
          <>
            {below.length === 0 && <p class="soft">Nothing is registered inside.</p>}
            <ol class="list tree">
              {below.map((node) => (
                <TreeNode key={keyOf(node)} node={node} depth={0} outer={own} present={false} moment={moment} />
              ))}
            </ol>
            {below.length >= maxChildren && <p class="soft">There are more; these are the first.</p>}
          </>
        );
      }}
    </Show>
  );
}

function queryOf({ source, type, key }: ObjectName, moment: Moment | undefined): Query {
  const text = type.startsWith('route') ? key.replace(/AS\d+$/i, '') : key;
  return { text, sources: [source], types: kinds[type] ?? [], asOf: moment?.['as-of'] ?? '' };
}

const byAddress = (a: Node, b: Node) => (a.range.first < b.range.first ? -1 : a.range.first > b.range.first ? 1 : 0);

const keyOf = ({ object: { name } }: Node) => `${name.type} ${name.key}`;
const isSame = ({ object }: Node, { type, key }: ObjectName) => object.name.type === type && object.name.key === key;

/** The next larger range above a node. */
function outerOf(above: readonly Node[], node: Node): AddressRange {
  return largerThan(above, node).at(-1)?.range ?? node.range;
}

function largerThan(above: readonly Node[], { range }: Node): Node[] {
  return above.filter((one) => one.range.last - one.range.first > range.last - range.first);
}

interface TreeNodeProps {
  readonly node: Node;
  readonly depth: number;
  /** The range of the bar. */
  readonly outer: AddressRange;
  readonly present: boolean;
  readonly moment: Moment | undefined;
}

function TreeNode({ node: { object, range }, depth, outer, present, moment }: TreeNodeProps) {
  const { start, width } = placeIn(outer, range);
  const netname = object.attributes.find(({ name }) => name === 'netname' || name === 'origin')?.value;
  const drawn = Math.max(width * 100, 1);
  return (
    <li class={present ? 'present' : undefined} style={{ '--depth': Math.min(depth, 12) }}>
      <span class="tree-what">
        <span class="chip plain">{object.name.type}</span>{' '}
        <Link to={paths.object(object.name, 'tree', moment)} class="mono" current={present}>
          {object.name.key}
        </Link>{' '}
        <span class="small soft">
          {netname} · {sizeText(range)}
        </span>
      </span>
      <svg class="tree-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="ground" width="100" height="6" />
        <rect class="part" x={Math.min(start * 100, 100 - drawn)} width={drawn} height="6" />
      </svg>
    </li>
  );
}
