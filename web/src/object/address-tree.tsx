import { type AddressRange, isWholeSpace } from '@cadastre/rpsl';
import { useEffect, useRef, useState } from 'preact/hooks';
import { messagesOf } from '../api/registry.js';
import { type NextPage, type Query, search } from '../api/search.js';
import { Button } from '../design/button.js';
import { Load } from '../design/load.js';
import { toggled } from '../design/toggled.js';
import { TreeList } from '../design/tree-list.js';
import type { Moment } from '../past/past.js';
import { type ObjectName, paths } from '../paths.js';
import { goTo } from '../router.js';
import {
  type AddressRow,
  type Level,
  type LevelPart,
  nodeId,
  objectOfLevel,
  rowsOfLevel,
  typesInside,
  typesOfFamily,
} from './address-rows.js';
import {
  addressesOf,
  byAddress,
  isNetwork,
  isRoute,
  type Node,
  nodesOf,
  placeIn,
  resourceOf,
  sizeOf,
  sizeText,
} from './address-space.js';
import './address-tree.css';
import { ObjectLink } from '../design/object-link.js';

const pageSize = 200;

/** Whether objects of a type are in the address tree. */
export function hasAddressTree(type: string): boolean {
  return isNetwork(type) || isRoute(type);
}

interface TreeProps {
  readonly name: ObjectName;
  /** The moment of the past that it shows; undefined for now. */
  readonly moment: Moment | undefined;
}

/** Shows the objects that enclose an object, those with the same addresses, and those inside, level by level. */
export function AddressTree({ name, moment }: TreeProps) {
  const own = addressesOf(name);
  const types = typesOfFamily(name.type);
  // Loads both parts together: nothing moves when the second one arrives.
  const load = async (signal: AbortSignal) => {
    const [above, inside] = await Promise.all([
      search({ ...queryOf(name, moment), types, flags: ['all-less', 'no-referenced'] }, signal),
      // The registry does not list the objects inside the whole address space.
      own && !isWholeSpace(own) ? firstPages(name, types, moment, signal) : undefined,
    ]);
    return { above: nodesOf(above.objects), inside };
  };
  if (own === undefined) return <p class="card">This object has no addresses.</p>;
  return (
    <div class="card stack address-tree">
      <Load key={moment?.['as-of']} load={load} what="the address tree">
        {({ above, inside }) => (
          <>
            <section>
              <h2>Above</h2>
              <ol class="list tree">
                {above.map((node) => (
                  <AboveRow key={nodeId(node)} node={node} above={above} name={name} moment={moment} />
                ))}
              </ol>
            </section>
            <section>
              <h2>Below</h2>
              {inside === undefined ? (
                <p class="soft">Everything is inside.</p>
              ) : (
                <Below name={name} moment={moment} own={own} first={inside} />
              )}
            </section>
          </>
        )}
      </Load>
    </div>
  );
}

interface AboveRowProps extends TreeProps {
  readonly node: Node;
  readonly above: readonly Node[];
}

function AboveRow({ node, above, name, moment }: AboveRowProps) {
  const { object } = node;
  const larger = largerThan(above, node);
  const present = object.name.type === name.type && object.name.key === name.key;
  return (
    <li class={present ? 'present' : undefined} style={{ '--depth': Math.min(larger.length, deepest) }}>
      <What
        node={node}
        outer={larger.at(-1)?.range ?? node.range}
        level={larger.length > deepest ? larger.length + 1 : undefined}
        present={present}
        moment={moment}
      />
    </li>
  );
}

/** Deeper rows are not indented more, but show their level. */
const deepest = 12;

interface BelowProps extends TreeProps {
  readonly own: AddressRange;
  readonly first: readonly LevelPart[];
}

/** The identifier of the level inside the object of the page. */
const rootLevel = '';

/** The objects inside: each can be opened, and pages of a level are loaded as they come into view. */
function Below({ name, moment, own, first }: BelowProps) {
  const [levels, setLevels] = useState<ReadonlyMap<string, Level>>(
    () => new Map([[rootLevel, { state: 'loaded', parts: first }]]),
  );
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const controller = useRef(new AbortController());
  useEffect(() => () => controller.current.abort(), []);
  const put = (id: string, level: Level) =>
    controller.current.signal.aborted || setLevels((last) => new Map(last).set(id, level));
  const load = (id: string) => {
    const level = levels.get(id);
    if (level?.state === 'loading') return;
    const parts = level?.parts ?? [];
    put(id, { state: 'loading', parts });
    morePages(id === rootLevel ? name : objectOfLevel(id, name.source), parts, moment, controller.current.signal).then(
      (more) => put(id, { state: 'loaded', parts: more }),
      (error) => put(id, { state: 'failed', parts, error }),
    );
  };
  const rows = rowsOfLevel(levels, open, rootLevel, own);
  const nothing = isNetwork(name.type) ? 'Nothing is assigned inside.' : 'Nothing is registered inside.';
  if (rows.length === 1 && rows[0]!.kind === 'nothing') return <p class="soft">{nothing}</p>;
  const toggle = ({ id }: AddressRow) => setOpen((last) => toggled(last, id));
  const follow = (row: AddressRow) => {
    if (row.kind === 'failed') load(row.level);
    if (row.kind === 'object') goTo(paths.object(row.node.object.name, 'tree', moment));
  };
  return (
    <TreeList label={`Inside ${name.key}`} rows={rows} toggle={toggle} follow={follow}>
      {(row) => {
        const level = levels.get(row.level);
        if (row.kind === 'object') return <What node={row.node} outer={row.outer} moment={moment} tabIndex={-1} />;
        if (row.kind === 'nothing') return <span class="soft">{nothing}</span>;
        if (row.kind === 'more') return <More level={level} load={() => load(row.level)} />;
        return <Failed level={level} load={() => load(row.level)} />;
      }}
    </TreeList>
  );
}

interface RestProps {
  readonly level: Level | undefined;
  readonly load: () => void;
}

/** Loads the next page of a level as soon as it is rendered. */
function More({ level, load }: RestProps) {
  useEffect(load, [level]);
  return <span class="soft">Loading …</span>;
}

function Failed({ level, load }: RestProps) {
  const why = level?.state === 'failed' ? messagesOf(level.error).map(({ text }) => text) : [];
  return (
    <span class="row" role="alert">
      Could not load more. {why.join(' ')}
      <Button class="slim" label="Try again" act={load} />
    </span>
  );
}

/** The first page of each type on the level inside an object. */
function firstPages(name: ObjectName, types: readonly string[], moment: Moment | undefined, signal: AbortSignal) {
  return Promise.all(types.map((type) => pageOf(name, type, {}, moment, signal)));
}

/** The parts of a level with one more page: of the part that is loaded least far. */
async function morePages(
  name: ObjectName,
  parts: readonly LevelPart[],
  moment: Moment | undefined,
  signal: AbortSignal,
): Promise<readonly LevelPart[]> {
  if (parts.length === 0) return firstPages(name, typesInside(name.type), moment, signal);
  const endOf = ({ nodes }: LevelPart) => nodes.at(-1)?.range.first ?? -1n;
  const [behind] = parts.filter(({ next }) => next).sort((a, b) => (endOf(a) < endOf(b) ? -1 : 1));
  if (behind?.next === undefined) return parts;
  const page = await pageOf(name, behind.type, behind.next, moment, signal);
  return parts.map((part) => (part === behind ? { ...page, nodes: [...part.nodes, ...page.nodes] } : part));
}

async function pageOf(
  name: ObjectName,
  type: string,
  from: NextPage,
  moment: Moment | undefined,
  signal: AbortSignal,
): Promise<LevelPart> {
  const query = { ...queryOf(name, moment), types: [type], flags: ['one-more', 'no-referenced'], limit: pageSize };
  const { objects, next } = await search({ ...query, ...from }, signal);
  return { type, nodes: nodesOf(objects).sort((a, b) => byAddress(a.range, b.range)), next };
}

function queryOf(name: ObjectName, moment: Moment | undefined): Query {
  return { text: resourceOf(name), sources: [name.source], asOf: moment?.['as-of'] ?? '' };
}

function largerThan(above: readonly Node[], { range }: Node): Node[] {
  return above.filter((node) => sizeOf(node.range) > sizeOf(range));
}

interface WhatProps {
  readonly node: Node;
  readonly outer: AddressRange;
  /** Its level, if its indentation does not show it. */
  readonly level?: number | undefined;
  readonly present?: boolean;
  readonly moment: Moment | undefined;
  readonly tabIndex?: number;
}

function What({ node: { object, range }, outer, level, present = false, moment, tabIndex = 0 }: WhatProps) {
  const { start, width } = placeIn(outer, range);
  const netname = object.attributes.find(({ name }) => name === 'netname' || name === 'origin')?.value;
  const drawn = Math.max(width * 100, 1);
  return (
    <>
      <span class="tree-what">
        {level !== undefined && <span class="small soft">level {level} </span>}
        <span class="chip plain">{object.name.type}</span>{' '}
        <ObjectLink name={object.name} view="tree" past={moment} current={present} tabIndex={tabIndex} />{' '}
        <span class="small soft">
          {netname} · {sizeText(range)}
        </span>
      </span>
      <svg class="tree-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="ground" width="100" height="6" />
        <rect class="used" x={Math.min(start * 100, 100 - drawn)} width={drawn} height="6" />
      </svg>
    </>
  );
}
