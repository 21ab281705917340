import { type ObjectType, objectType } from '@cadastre/rpsl';
import type { ComponentChildren } from 'preact';
import { lookUpText, type TaggedText } from '../api/objects.js';
import { hasStatus, messagesOf, undefinedOn } from '../api/registry.js';
import { versionText } from '../api/versions.js';
import { Load } from '../design/load.js';
import { Messages } from '../design/messages.js';
import { useTitle } from '../design/title.js';
import { SeveralObjects } from '../edit-many/several-objects.js';
import { nameOfText, type ObjectName, paths } from '../paths.js';
import { Link } from '../router.js';
import { AskVisitor } from './ask-visitor.js';
import { ChooseType } from './choose-type.js';
import { draftLike, restoredDraft } from './derived-drafts.js';
import { DomainWizard } from './domain-wizard.js';
import './edit.css';
import { Editor } from './editor.js';
import { FirstMaintainer } from './first-maintainer.js';
import { InMainSource, useWriting, WithMaintainers } from './source-and-maintainers.js';

interface CreatePageProps {
  readonly type: string;
  /** The initial contents of the form, in the form of `paths.create`. */
  readonly begin: URLSearchParams;
}

/** The page for a new object: chooses its type, or edits it. */
export function CreatePage({ type, begin }: CreatePageProps) {
  if (type === '') return <ChooseType />;
  if (type === 'several') return <SeveralObjects />;
  return (
    <InMainSource>
      <Create type={type} begin={begin} />
    </InMainSource>
  );
}

function Create({ type, begin }: CreatePageProps) {
  if (type === 'first') return <FirstMaintainer />;
  if (type === 'domains') return <DomainWizard />;
  const known = objectType(type);
  return known?.name === type ? <NewObject type={type} known={known} begin={begin} /> : <ChooseType />;
}

function NewObject({ type, known, begin }: CreatePageProps & { readonly known: ObjectType }) {
  const { source, maintainers } = useWriting();
  useTitle(`Create ${type}`);
  const { like: template = '', ...values } = Object.fromEntries(begin);
  const named = nameOfText(template);
  const like = named?.type === type ? named : undefined;
  const begins = like ? `It begins with the attributes of ${like.key}. ` : '';
  return (
    <WithTemplate name={like} heading={`Create ${type}`}>
      {(text) => (
        <Editor
          to={{ source, type }}
          heading={`Create ${type}`}
          about={begins + known.meaning + whichMaintainer(type, maintainers)}
          before={nothing}
          draft={draftLike(type, text, { ...knownValues(source, type, maintainers), ...values })}
          isRestored={false}
          page={paths.create(type, { values, like })}
        />
      )}
    </WithTemplate>
  );
}

const nothing: TaggedText = { text: '', tag: '' };

interface WithTemplateProps {
  readonly name: ObjectName | undefined;
  readonly heading: string;
  readonly children: (text: string) => ComponentChildren;
}

/** Waits for the text of the object whose attributes a new one gets; empty without such an object. */
function WithTemplate({ name, heading, children }: WithTemplateProps) {
  if (name === undefined) return children('');
  return (
    <AskVisitor heading={heading}>
      {() => (
        <Load load={(signal) => lookUpText(name, signal)} what="the template">
          {({ text }) => children(text)}
        </Load>
      )}
    </AskVisitor>
  );
}

/** Asks for one of several maintainers. */
function whichMaintainer(type: string, own: readonly ObjectName[]): string {
  if (own.length < 2 || type === 'mntner') return '';
  return ` You act for ${own.map(({ key }) => key).join(', ')}: enter the one that maintains it in “mnt-by”.`;
}

/** The known values of a new object. */
function knownValues(source: string, type: string, [own, ...others]: readonly ObjectName[]): Record<string, string> {
  const keys: Record<string, string> = { person: 'nic-hdl', role: 'nic-hdl', organisation: 'organisation' };
  const generated = keys[type];
  return {
    source,
    ...(generated ? { [generated]: 'AUTO-1' } : {}),
    ...(own && others.length === 0 && type !== 'mntner' ? { 'mnt-by': own.key } : {}),
  };
}

interface EditPageProps {
  readonly name: ObjectName;
  /** The version with which the editor begins; 0 for the current state. */
  readonly restore: number;
}

/** The page to change or delete an object, or to restore an earlier version of it. */
export function EditPage({ name, restore }: EditPageProps) {
  const heading = restore > 0 ? `Restore version ${restore} of ${name.key}` : `Edit ${name.key}`;
  useTitle(heading);
  return (
    <AskVisitor heading={heading}>{() => <EditObject name={name} restore={restore} heading={heading} />}</AskVisitor>
  );
}

function EditObject({ name, restore, heading }: EditPageProps & { readonly heading: string }) {
  const load = (signal: AbortSignal) =>
    restore > 0
      ? Promise.all([undefinedOn(lookUpText(name, signal), 404), versionText(name, restore, signal)])
      : Promise.all([lookUpText(name, signal), '']);
  const nothingToEdit = (error: unknown) => hasStatus(error, 404) && <NothingToEdit name={name} error={error} />;
  return (
    <Load load={load} what="the object" failed={nothingToEdit}>
      {([before = nothing, version]) => (
        <WithMaintainers source={name.source}>
          <Editor
            // A deleted object is created again.
            to={before.text === '' ? { source: name.source, type: name.type } : name}
            heading={heading}
            about={restore > 0 ? aboutRestoring(before.text !== '') : ''}
            before={before}
            draft={restore > 0 ? restoredDraft(version, before.text) : undefined}
            isRestored={restore > 0}
            page={paths.edit(name, restore)}
          />
        </WithMaintainers>
      )}
    </Load>
  );
}

function aboutRestoring(exists: boolean): string {
  return exists
    ? 'Versions leave out e-mail addresses, contacts and credentials: these stay as they are now.'
    : 'Versions leave out e-mail addresses, contacts and credentials: add them before you save.';
}

/** The page for an object that does not exist, or no longer exists. */
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
