import { objectType } from '@cadastre/rpsl';
import { lookUpText } from '../api/objects.js';
import { isNotFound, messagesOf } from '../api/registry.js';
import { Show, useLoad } from '../design/load.js';
import { Messages } from '../design/messages.js';
import { useTitle } from '../design/title.js';
import { SeveralObjects } from '../edit-many/several-objects.js';
import { namePath, type ObjectName, paths } from '../paths.js';
import { Link } from '../router.js';
import { ChooseType } from './choose-type.js';
import { DomainWizard } from './domain-wizard.js';
import { newDraft } from './draft.js';
import './edit.css';
import { Editor } from './editor.js';
import { FirstMaintainer } from './first-maintainer.js';
import { InSource, WithMaintainers } from './surroundings.js';

/** The page for a new object: chooses its type, or edits it. */
export function CreatePage({ type }: { readonly type: string }) {
  if (type === '') return <ChooseType />;
  if (type === 'several') return <SeveralObjects />;
  return <InSource>{(source) => <NewObject source={source} type={type} />}</InSource>;
}

function NewObject({ source, type }: { readonly source: string; readonly type: string }) {
  useTitle(`Create ${type}`);
  if (type === 'first') return <FirstMaintainer source={source} />;
  if (type === 'domains') {
    return <WithMaintainers>{(own) => <DomainWizard source={source} maintainers={own} />}</WithMaintainers>;
  }
  const known = objectType(type);
  if (known === undefined || known.name !== type) return <ChooseType />;
  return (
    <WithMaintainers>
      {(own) => (
        <Editor
          to={{ source, type }}
          heading={`Create ${type}`}
          about={known.meaning}
          before={{ text: '', tag: '' }}
          draft={newDraft(type, knownValues(source, type, own))}
          maintainers={own}
        />
      )}
    </WithMaintainers>
  );
}

/** The known values of a new object. */
function knownValues(source: string, type: string, [own]: readonly ObjectName[]): Record<string, string> {
  const key: Record<string, string> = {
    person: 'nic-hdl',
    role: 'nic-hdl',
    organisation: 'organisation',
    'key-cert': '',
  };
  const generated = key[type];
  return {
    source,
    ...(generated ? { [generated]: 'AUTO-1' } : {}),
    ...(own && type !== 'mntner' ? { 'mnt-by': own.key } : {}),
    ...givenValues(type),
  };
}

/** The values of attributes that the address of the page names. */
function givenValues(type: string): Record<string, string> {
  const names = objectType(type)?.attributes.map(({ name }) => name as string) ?? [];
  return Object.fromEntries([...new URLSearchParams(location.search)].filter(([name]) => names.includes(name)));
}

/** The page to change or delete an object. */
export function EditPage({ name }: { readonly name: ObjectName }) {
  useTitle(`Edit ${name.key}`);
  const text = useLoad(namePath(name), (signal) => lookUpText(name, signal));
  return (
    <Show
      of={text}
      what="the object"
      failed={(error) => (isNotFound(error) ? <NothingToEdit name={name} error={error} /> : undefined)}
    >
      {(before) => (
        <WithMaintainers>
          {(own) => <Editor to={name} heading={`Edit ${name.key}`} about="" before={before} maintainers={own} />}
        </WithMaintainers>
      )}
    </Show>
  );
}

/** The page for an object that does not exist, or not any more. */
function NothingToEdit({ name, error }: { readonly name: ObjectName; readonly error: unknown }) {
  return (
    <section class="card stack">
      <h1>Nothing to edit</h1>
      <Messages messages={messagesOf(error)} />
      <p>
        The object may have been deleted: its <Link to={paths.object(name, 'history')}>history</Link> shows whether it
        existed. You can also <Link to={paths.create(name.type)}>create a new {name.type}</Link>.
      </p>
    </section>
  );
}
