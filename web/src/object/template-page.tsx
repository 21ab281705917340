import { type Cardinality, type KeyKind, objectType, type Requirement } from '@cadastre/rpsl';
import { Table } from '../design/table.js';
import { useTitle } from '../design/title.js';
import { attributeHelp } from '../edit/attribute-help.js';
import { paths } from '../paths.js';
import { Link } from '../router.js';

const requirements: Readonly<Record<Requirement, string>> = {
  mandatory: 'mandatory',
  optional: 'optional',
  conditional: 'mandatory in some objects',
  generated: 'set by the registry',
};
const cardinalities: Readonly<Record<Cardinality, string>> = { single: 'once', multiple: 'several times' };
const keyKinds: Readonly<Record<KeyKind, string>> = {
  primary: 'primary key',
  lookup: 'search key',
  inverse: 'inverse key',
};

/** The attributes of a type, with their meaning. */
export function TemplatePage({ type }: { readonly type: string }) {
  const known = objectType(type);
  useTitle(known ? `Attributes of ${known.name}` : 'No such type');
  if (known === undefined) {
    return (
      <section>
        <h1>No such type</h1>
        <p>
          The registry has no objects of type {type}. <Link to={paths.create()}>See all types</Link>
        </p>
      </section>
    );
  }
  return (
    <div class="stack">
      <h1>
        Attributes of <span class="mono">{known.name}</span>
      </h1>
      <p>
        {known.meaning} <Link to={paths.create(known.name)}>Create one</Link>
      </p>
      <div class="card scrolls">
        <Table
          class="stacks"
          caption={`The attributes of ${known.name}, in their order`}
          columns={['Attribute', 'Use', 'Meaning']}
        >
          {known.attributes.map(({ name, requirement, cardinality, keys }) => (
            <tr key={name}>
              <th scope="row" class="mono">
                {name}
              </th>
              <td data-label="Use">
                {[requirements[requirement], cardinalities[cardinality], ...keys.map((key) => keyKinds[key])].join(
                  ', ',
                )}
              </td>
              <td data-label="Meaning">{attributeHelp(name, known.name).meaning}</td>
            </tr>
          ))}
        </Table>
      </div>
    </div>
  );
}
