import { countReferrers, type TypeCounts } from '../api/search.js';
import { useLoad } from '../design/load.js';
import type { ObjectName } from '../paths.js';
import type { RowChoice } from './object-rows.js';
import { ObjectTable } from './object-table.js';
import './referrers.css';
import { numberText } from '../design/format.js';
import { referringAttributes } from './referring-attributes.js';

interface ReferrersProps {
  readonly name: ObjectName;
  /** Only these attributes; default: all that can be searched. */
  readonly by?: readonly string[];
  readonly choice: RowChoice;
  readonly choose: (choice: RowChoice) => void;
  /** The element of its heading. */
  readonly heading?: 'h2' | 'h4';
}

/** The objects that refer to an object: how many of each type, and a table. */
export function Referrers({ name, by, ...rest }: ReferrersProps) {
  const inverse = by ?? referringAttributes(name.type);
  if (inverse.length > 0) return <ReferrersBy {...rest} {...{ name, inverse }} />;
  return <p class="card">Nothing can refer to an object of type {name.type}.</p>;
}

interface ReferrersByProps extends Omit<ReferrersProps, 'by'> {
  readonly inverse: readonly string[];
}

const noTotals: TypeCounts = { types: [], isPartial: false };

function ReferrersBy({ name, inverse, choice, choose, heading: Heading = 'h2' }: ReferrersByProps) {
  const counted = useLoad('', (signal) => countReferrers({ text: name.key, source: name.source, inverse }, signal));
  const totals = counted.state === 'loaded' ? counted.value : noTotals;
  const { type } = choice;
  const query = {
    text: name.key,
    sources: [name.source],
    types: type === '' ? [] : [type],
    inverse,
    flags: ['no-referenced'],
    byAddress: true,
  };
  return (
    <section class="card stack">
      <Heading>{headingOf(totals)}</Heading>
      {counted.state === 'failed' && <p class="small soft">The registry cannot count them now.</p>}
      {(counted.state === 'loading' || totals.types.length > 1) && (
        <fieldset class="row types">
          <legend class="visually-hidden">Types</legend>
          {['', ...totals.types.map((counted) => counted.type)].map((shown) => (
            <button
              key={shown}
              type="button"
              class="slim"
              aria-pressed={shown === type}
              onClick={() => choose({ ...choice, type: shown })}
            >
              {shown || 'All types'} {totalText(totals, shown)}
            </button>
          ))}
        </fieldset>
      )}
      <ObjectTable
        key={type}
        query={query}
        caption={`The objects that refer to ${name.key}`}
        empty="Nothing refers to this object."
        total={totals.isPartial ? undefined : totalOf(totals, type)}
        choice={choice}
        choose={choose}
      />
    </section>
  );
}

/** The number of objects of a type, or of all types; undefined if unknown. */
function totalOf({ types }: TypeCounts, type: string): number | undefined {
  const ofType = types.filter((counted) => type === '' || counted.type === type);
  return ofType.length === 0 ? undefined : ofType.reduce((sum, { objects }) => sum + objects, 0);
}

function totalText(totals: TypeCounts, type: string): string {
  const total = totalOf(totals, type);
  return total === undefined ? '' : `${numberText(total)}${totals.isPartial ? '+' : ''}`;
}

function headingOf(totals: TypeCounts): string {
  const total = totalText(totals, '');
  if (total === '') return 'Objects that refer to it';
  return total === '1' ? '1 object refers to it' : `${total} objects refer to it`;
}
