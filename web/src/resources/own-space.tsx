import { formatPrefix } from '@cadastre/rpsl';
import { useEffect, useState } from 'preact/hooks';
import { describeSpace, type OwnNetwork, type OwnSpaceList, type Space } from '../api/space.js';
import { amount } from '../design/format.js';
import { type Loaded, Show } from '../design/load.js';
import { useShowMore } from '../design/show-more.js';
import { sizeOf, sizeText } from '../object/address-space.js';
import { paths } from '../paths.js';
import { Link } from '../router.js';
import { cellsOf, shareText } from './space-cells.js';

/** Networks that are shown at first, and that a click adds: each is a search. */
const step = 10;

/** The outermost networks of the account, and their use. */
export function OwnSpace({ own }: { readonly own: Loaded<OwnSpaceList> }) {
  return (
    <section class="card stack own-space" aria-labelledby="own-space">
      <h2 id="own-space">My address space</h2>
      <Show of={own} what="your address space">
        {(list) =>
          list.networks.length === 0 ? (
            <p class="soft">No network names one of your maintainers.</p>
          ) : (
            <Networks {...list} />
          )
        }
      </Show>
    </section>
  );
}

function Networks({ networks, isIncomplete }: OwnSpaceList) {
  const { visible, list, more } = useShowMore(networks, step, 'networks');
  const spaces = useSpaces(visible);
  return (
    <>
      <ul class="list networks" ref={list}>
        {visible.map((network) => (
          <NetworkRow key={network.key} network={network} space={spaces.get(network.key)} />
        ))}
      </ul>
      {more}
      {isIncomplete && <p class="soft small">You have more networks than this page can list.</p>}
    </>
  );
}

/** The use of a network is unknown: the request failed. */
const unknown = 'unknown';

/** The use of each network, one request after the other; undefined while that is loading. */
function useSpaces(networks: readonly OwnNetwork[]): ReadonlyMap<string, Space | typeof unknown> {
  const [spaces, setSpaces] = useState<ReadonlyMap<string, Space | typeof unknown>>(new Map());
  const key = networks.find((network) => !spaces.has(network.key))?.key;
  useEffect(() => {
    if (key === undefined) return;
    const controller = new AbortController();
    describeSpace(key, controller.signal)
      .catch(() => unknown as typeof unknown)
      .then((space) => controller.signal.aborted || setSpaces((before) => new Map(before).set(key, space)));
    return () => controller.abort();
  }, [key]);
  return spaces;
}

interface NetworkRowProps {
  readonly network: OwnNetwork;
  readonly space: Space | typeof unknown | undefined;
}

function NetworkRow({ network, space }: NetworkRowProps) {
  const { key, range, netname, status, attributes } = network;
  const known = space === unknown ? undefined : space;
  return (
    <li>
      <div>
        <Link to={paths.resources(formatPrefix(range))} class="mono" text={formatPrefix(range)} />{' '}
        <span class="small soft">
          {[netname, status, attributes.includes('mnt-by') ? '' : `yours by ${attributes.join(', ')}`]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </div>
      <Strip space={known} />
      <p class="flush small soft networks-use">
        {known ? usageText(known) : space === unknown ? 'Could not load how it is used.' : 'Loading …'}
      </p>
      <Link class="small" to={paths.object(network)} label={`Object ${key}`} text="Object" />
    </li>
  );
}

/** The used share of a range, in one line. */
export function usageText({ range, used, objects, isPartial }: Space): string {
  const count = `${amount(objects, 'object')} inside`;
  if (isPartial) return `${sizeText(range)}, more than ${count}`;
  return `${sizeText(range)}, ${shareText(used, sizeOf(range))} registered, ${objects === 0 ? 'nothing inside' : count}`;
}

/** The cells of a range in one line. */
function Strip({ space }: { readonly space: Space | undefined }) {
  const cells = space ? cellsOf(space) : [];
  return (
    <svg class="strip" viewBox={`0 0 ${Math.max(cells.length, 1)} 10`} preserveAspectRatio="none" aria-hidden="true">
      {cells.map(
        ({ share }, at) =>
          share > 0 && <rect class="used" key={at} x={at} y={10 - 10 * share} width="1.02" height={10 * share} />,
      )}
    </svg>
  );
}
