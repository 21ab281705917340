import type { AddressRange } from '@cadastre/rpsl';
import { search } from '../api/search.js';
import { Show, useLoad } from '../design/load.js';
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

/** Shows the objects that enclose an object, those with the same addresses, and the first level inside. */
export function AddressTree({ name }: { readonly name: ObjectName }) {
  const own = addressesOf(name);
  const loaded = useLoad(name.key, (signal) => loadTree(name, own, signal));
  if (own === undefined) return <p class="card">This object has no addresses.</p>;
  return (
    <Show of={loaded} what="the address tree">
      {({ above, below }) => (
        <div class="card stack">
          <section>
            <h2>Above</h2>
            <ol class="list tree">
              {above.map((node) => (
                <TreeNode
                  key={keyOf(node)}
                  node={node}
                  depth={largerThan(above, node).length}
                  outer={outerOf(above, node)}
                  present={isSame(node, name)}
                />
              ))}
            </ol>
          </section>
          <section>
            <h2>Below</h2>
            {below.length === 0 && (
              <p class="soft">{isWhole(own) ? 'Everything is inside.' : 'Nothing is registered inside.'}</p>
            )}
            <ol class="list tree">
              {below.map((node) => (
                <TreeNode key={keyOf(node)} node={node} depth={0} outer={own} present={false} />
              ))}
            </ol>
            {below.length >= maxChildren && <p class="soft">There are more; these are the first.</p>}
          </section>
        </div>
      )}
    </Show>
  );
}

async function loadTree(name: ObjectName, own: AddressRange | undefined, signal: AbortSignal) {
  if (own === undefined) return { above: [], below: [] };
  const text = name.type.startsWith('route') ? name.key.replace(/AS\d+$/i, '') : name.key;
  const query = { text, sources: [name.source], types: kinds[name.type] ?? [] };
  const [above, below] = await Promise.all([
    search({ ...query, flags: ['all-less', 'no-referenced'] }, signal),
    // The registry does not list the objects inside the whole address space.
    isWhole(own)
      ? { objects: [] }
      : search({ ...query, flags: ['one-more', 'no-referenced'], limit: maxChildren }, signal),
  ]);
  const byAddress = (a: Node, b: Node) => (a.range.first < b.range.first ? -1 : a.range.first > b.range.first ? 1 : 0);
  return { above: nodesOf(above.objects), below: nodesOf(below.objects).sort(byAddress) };
}

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
}

function TreeNode({ node: { object, range }, depth, outer, present }: TreeNodeProps) {
  const { start, width } = placeIn(outer, range);
  const netname = object.attributes.find(({ name }) => name === 'netname' || name === 'origin')?.value;
  const drawn = Math.max(width * 100, 1);
  return (
    <li class={present ? 'present' : undefined} style={{ '--depth': Math.min(depth, 12) }}>
      <span class="tree-what">
        <span class="chip plain">{object.name.type}</span>{' '}
        <Link to={paths.object(object.name, 'tree')} class="mono" current={present}>
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
