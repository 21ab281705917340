import { objectType } from '@cadastre/rpsl';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useOwnMaintainers } from '../account/own-maintainers.js';
import { listSources } from '../api/metadata.js';
import { lookUpText } from '../api/objects.js';
import { isNotFound, messagesOf } from '../api/registry.js';
import { Show, useLoad } from '../design/load.js';
import { Messages } from '../design/messages.js';
import { useTitle } from '../design/title.js';
import { namePath, type ObjectName, paths } from '../paths.js';
import { Link } from '../router.js';
import { ChooseType } from './choose-type.js';
import { DomainWizard } from './domain-wizard.js';
import { newDraft } from './draft.js';
import './edit.css';
import { Editor } from './editor.js';
import { FirstMaintainer } from './first-maintainer.js';

/** The page for a new object: chooses its type, or edits it. */
export function CreatePage({ type }: { readonly type: string }) {
  if (type === '') return <ChooseType />;
  return <InSource>{(source) => <NewObject source={source} type={type} />}</InSource>;
}

/** Waits for the name of the main source, to which objects are written. */
function InSource({ children }: { readonly children: (source: string) => ComponentChildren }) {
  const sources = useLoad('', listSources);
  return (
    <Show of={sources} what="the sources">
      {(list) => children(list.find(({ kind }) => kind === 'main')?.name ?? '')}
    </Show>
  );
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

/**
 * Waits for the maintainers of the account; editing also works without them. Once they are known, the page stays when
 * they are loaded again because the session has ended or begun.
 */
function WithMaintainers({ children }: { readonly children: (own: readonly ObjectName[]) => ComponentChildren }) {
  const maintainers = useOwnMaintainers();
  const known = useRef<readonly ObjectName[]>(undefined);
  if (maintainers.state === 'loaded') known.current = maintainers.value;
  if (maintainers.state === 'failed') known.current ??= [];
  if (known.current === undefined) return <Show of={maintainers} what="your maintainers" children={() => null} />;
  return children(known.current);
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
