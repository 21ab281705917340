import { formatPrefix, formatRange, prefixLength } from '@cadastre/rpsl';
import { useEffect } from 'preact/hooks';
import { describeSpace, type Network, type Space } from '../api/space.js';
import { focusPage } from '../design/focus.js';
import { numberText } from '../design/format.js';
import { Show, useLoad } from '../design/load.js';
import { ObjectLink } from '../design/object-link.js';
import { useShowMore } from '../design/show-more.js';
import { isSame } from '../object/address-space.js';
import { paths } from '../paths.js';
import { Link, navigate } from '../router.js';
import { BlockMap } from './block-map.js';
import { usageText } from './own-space.js';
import { offeredPrefix } from './space-cells.js';

interface SpaceMapProps {
  readonly range: string;
  /** The length of the free prefix that the user wants. */
  readonly length: number | undefined;
}

/** The used and free parts of a range of addresses: its map, the next free prefix, and the networks inside. */
export function SpaceMap({ range, length }: SpaceMapProps) {
  const loaded = useLoad(range, (signal) => describeSpace(range, signal));
  const shown = loaded.state === 'loaded' ? formatPrefix(loaded.value.range) : range;
  useEffect(() => {
    // The cell that led here was removed.
    if (document.activeElement === document.body) focusPage();
  }, []);
  return (
    <div class="stack">
      <header class="stack">
        <Above enclosing={loaded.state === 'loaded' ? loaded.value.enclosing : []} range={shown} />
        <h1>
          <span class="mono">{shown}</span>
        </h1>
      </header>
      <div class="card stack space-map">
        <Show of={loaded} what="the map">
          {(space) => <Picture space={space} />}
        </Show>
      </div>
      {loaded.state === 'loaded' && (
        <>
          <NextFree space={loaded.value} length={length} />
          <Inside space={loaded.value} />
        </>
      )}
    </div>
  );
}

/** The networks around the range, largest first. */
function Above({ enclosing, range }: { readonly enclosing: readonly Network[]; readonly range: string }) {
  const around = enclosing.map((network) => formatPrefix(network.range)).filter((prefix) => prefix !== range);
  return (
    <nav class="row small around" aria-label="Around this range">
      <Link to={paths.resources()}>My resources</Link>
      {around.toReversed().map((prefix) => (
        <span key={prefix}>
          <span aria-hidden="true">› </span>
          <Link to={paths.resources(prefix)} class="mono" text={prefix} />
        </span>
      ))}
    </nav>
  );
}

function Picture({ space }: { readonly space: Space }) {
  const [network] = space.enclosing;
  return (
    <>
      <div class="row spread">
        <p class="flush">{usageText(space)}</p>
        <ul class="list row small soft map-key" aria-label="Key">
          <KeyEntry share={0}>free</KeyEntry>
          <KeyEntry share={0.4}>partly registered</KeyEntry>
          <KeyEntry share={1}>registered</KeyEntry>
        </ul>
      </div>
      {network && <Around network={network} space={space} />}
      {space.isPartial && (
        <p>There are too many objects here to tell what is free: only some of them are drawn. Choose a part.</p>
      )}
      <BlockMap space={space} />
    </>
  );
}

function KeyEntry({ share, children }: { readonly share: number; readonly children: string }) {
  return (
    <li class="row">
      <svg viewBox="0 0 10 10" aria-hidden="true">
        <rect class="used" y={10 - 10 * share} width="10" height={10 * share} />
      </svg>
      {children}
    </li>
  );
}

/** The object of the range, or around it, and what its status means for free addresses. */
function Around({ network, space }: { readonly network: Network; readonly space: Space }) {
  const { range, netname, status } = network;
  return (
    <p class="flush">
      {isSame(range, space.range) ? 'Registered as ' : 'Part of '}
      <ObjectLink name={network} /> <span class="soft">{[netname, status].filter(Boolean).join(' · ')}</span>
      {status?.startsWith('ASSIGNED') && '. It is assigned, so its holder may use addresses that are not registered.'}
    </p>
  );
}

/** Offers the first free prefix of a length for a new object. */
function NextFree({ space, length }: { readonly space: Space; readonly length: number | undefined }) {
  const { range, type, enclosing } = space;
  // An object may have the range itself.
  const isTaken = enclosing[0] !== undefined && isSame(enclosing[0].range, range);
  const free = space.free.filter((prefix) => !(isTaken && isSame(prefix, range)));
  if (space.isPartial) return null;
  const offered = offeredPrefix(free, range.family, length);
  if (offered === undefined) return <p class="card">Nothing is free here.</p>;
  return (
    <section class="card" aria-labelledby="next-free">
      <h2 id="next-free">Next free prefix</h2>
      <div class="row next-free">
        <label for="free-length">Length</label>
        <select
          id="free-length"
          value={prefixLength(offered)}
          onChange={({ currentTarget }) =>
            navigate(paths.resources(formatPrefix(range), Number(currentTarget.value)), { replace: true })
          }
        >
          {free.map((prefix) => (
            <option key={prefixLength(prefix)} value={prefixLength(prefix)}>
              /{prefixLength(prefix)}
            </option>
          ))}
        </select>
        <output for="free-length" class="mono">
          {formatPrefix(offered)}
        </output>
        <Link class="button primary" to={paths.create(type, { values: { [type]: formatRange(offered) } })}>
          Create {type}
        </Link>
        <Link class="button" to={paths.resources(formatPrefix(offered))} text="Show" />
      </div>
    </section>
  );
}

/** Networks in the list at first, and that a click adds. */
const step = 50;

/** The outermost networks inside, as a list. */
function Inside({ space: { inside, objects } }: { readonly space: Space }) {
  const { visible, list, more } = useShowMore(inside, step, 'networks');
  if (inside.length === 0) return null;
  return (
    <section class="card stack" aria-labelledby="inside">
      <h2 id="inside">
        Inside <span class="soft">{numberText(inside.length)} on the first level</span>
      </h2>
      {objects > 1000 && <p class="soft small">Only networks that fill a part of the map: there are very many.</p>}
      <ul class="list inside" ref={list}>
        {visible.map((object) => (
          <li key={object.key} class="row spread">
            <ObjectLink name={object} />
            <Link
              to={paths.resources(formatPrefix(object.range))}
              class="small"
              label={`Map of ${formatPrefix(object.range)}`}
            >
              Map
            </Link>
          </li>
        ))}
      </ul>
      {more}
    </section>
  );
}
