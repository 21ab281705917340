import { formatPrefix } from '@cadastre/rpsl';
import { listVersions } from '../api/versions.js';
import { useLoad } from '../design/load.js';
import { type ObjectName, paths } from '../paths.js';
import { Link } from '../router.js';
import type { Outcome } from '../scroll.js';
import { addressesOf, isNetwork } from './address-space.js';
import { comparedVersions, comparisonParameters } from './comparison.js';

interface OutcomeNoticeProps {
  readonly name: ObjectName;
  readonly outcome: Outcome | undefined;
}

/** Says that the object was saved, and what its user may do now. */
export function OutcomeNotice({ name, outcome }: OutcomeNoticeProps) {
  const loaded = useLoad('', (signal) => (outcome === 'saved' ? listVersions(name, signal) : Promise.resolve([])));
  if (outcome === undefined) return null;
  const { from, to } = comparedVersions(new URLSearchParams(), loaded.state === 'loaded' ? loaded.value : []);
  const steps = outcome === 'created' ? nextSteps(name) : [];
  return (
    <div role="status">
      {loaded.state !== 'loading' && (
        <p class="note done">
          {outcome === 'created' ? 'Created.' : to === 0 ? 'Saved.' : `Saved as version ${to}.`}{' '}
          {from > 0 && (
            <>
              <Link to={paths.object(name, 'history', undefined, comparisonParameters({ from, to }))}>
                See the change
              </Link>{' '}
              or <Link to={paths.edit(name, from)}>undo it</Link>.
            </>
          )}
          {steps.length > 0 && (
            <>
              Next:{' '}
              {steps.map(([what, place], index) => (
                <span key={place}>
                  {index > 0 && ', '}
                  <Link to={place}>{what}</Link>
                </span>
              ))}
            </>
          )}
        </p>
      )}
    </div>
  );
}

/** What users often create after an object of a type, and where. */
function nextSteps(name: ObjectName): [what: string, to: string][] {
  const { type, key } = name;
  if (type === 'mntner') {
    const values = { 'mnt-by': key };
    return [
      ['an organisation', paths.create('organisation', { values })],
      ['a network', paths.create('inetnum', { values })],
      ['a key for programs', paths.account],
    ];
  }
  if (type === 'organisation') return [['a role for abuse reports', paths.create('role')]];
  if (!isNetwork(type)) return [];
  const range = addressesOf(name);
  const prefix = range ? formatPrefix(range) : '';
  const route = type === 'inetnum' ? 'route' : 'route6';
  return [
    ...(prefix.includes('/')
      ? [['a route', paths.create(route, { values: { [route]: prefix } })] as [string, string]]
      : []),
    ['its reverse zones', paths.reverseZones(key)],
    ['an abuse contact', paths.edit(name)],
  ];
}
