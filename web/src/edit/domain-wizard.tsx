import type { SubmittedAttribute } from '@cadastre/client';
import { formatRange, isNameServer } from '@cadastre/rpsl';
import { useState } from 'preact/hooks';
import { SignInHint } from '../account/sign-in-button.js';
import { type BatchAnswer, type BatchObject, maxObjects, writeBatch } from '../api/batch.js';
import type { Message } from '../api/message.js';
import { search } from '../api/search.js';
import { Button } from '../design/button.js';
import { LinesField, TextField } from '../design/field.js';
import { focusPage } from '../design/focus.js';
import { Show, useLoad } from '../design/load.js';
import { ObjectLink } from '../design/object-link.js';
import { useTitle } from '../design/title.js';
import { rangeOfText } from '../object/address-space.js';
import { type ObjectName, paths } from '../paths.js';
import { Link, usePlace } from '../router.js';
import { WriteMessages } from './refusal.js';
import { elementsOf, reverseZones, type ZoneFields, zoneObject } from './reverse-zones.js';
import { isAccepted } from './review.js';
import { SavingState } from './saving.js';
import { useWriting } from './source-and-maintainers.js';
import { useWriteFlow } from './write-flow.js';

const inputs: readonly (readonly [keyof ZoneFields, example: string, hint: string])[] = [
  ['admin-c', 'AE1-TEST', 'Who decides about the zones.'],
  ['tech-c', 'AE1-TEST', 'Who runs the servers.'],
  ['zone-c', 'AE1-TEST', 'Who maintains the contents of the zones.'],
  ['mnt-by', 'EXAMPLE-MNT', 'Who may change the objects.'],
  ['descr', '', 'A description; may be empty.'],
];

/** What the user enters. */
interface Work {
  readonly prefix: string;
  readonly fields: ZoneFields;
  /** The zones to omit. */
  readonly left: readonly string[];
}

/** Creates the reverse zones of a prefix together: domain objects that differ only in their names. */
export function DomainWizard() {
  useTitle('Reverse zones');
  const { work, setWork, found, chosen, checked, isReady, check, create, created, saving, notice } = useCreation();
  const canCreate = checked !== undefined && isAccepted(checked);
  const action = chosen.length === 1 ? 'Create the zone' : `Create ${chosen.length} zones`;
  if (created) return <Created zones={created} />;
  return (
    <form class="stack" onSubmit={check}>
      <h1>Reverse zones of a prefix</h1>
      <p class="soft">
        Creates the domain objects that delegate the reverse DNS of a prefix, with the same servers and contacts: all of
        them, or none.
      </p>
      <SignInHint class="card">To check and create the zones, sign in.</SignInHint>
      {notice}
      <div class="beside">
        <Inputs work={work} set={setWork} />
        <div class="stack">
          <FoundZones found={found} work={work} set={setWork} />
          {checked && <Verdict answer={checked} />}
          <SavingState saving={saving} />
          <p class="row">
            <button type="submit" class={canCreate ? '' : 'primary'} disabled={!isReady}>
              Check
            </button>
            <Button class={canCreate ? 'primary' : ''} label={action} disabled={!isReady || !canCreate} act={create} />
          </p>
        </div>
      </div>
    </form>
  );
}

/** What the user enters, the zones of it, their dry run, and the function that creates them. */
function useCreation() {
  const { source, maintainers } = useWriting();
  const requested = usePlace().query.get('prefix') ?? '';
  const [begun] = useState(() => beginning(requested, maintainers));
  const [work, setWork] = useState(begun);
  const [trial, setTrial] = useState<{ readonly of: string; readonly answer: BatchAnswer }>();
  const [created, setCreated] = useState<readonly string[]>();
  const unsaved = JSON.stringify(work) === JSON.stringify(begun) || created ? undefined : work;
  const { account, saving, notice, finish } = useWriteFlow(paths.reverseZones(), unsaved, ({ prefix, fields, left }) =>
    setWork({ prefix, fields, left }),
  );
  const found = useZones(work.prefix, source);
  const { zones, isTooMuch, existing } = found;
  const known = existing.state === 'loaded' ? existing.value.map(({ key }) => key.toLowerCase()) : [];
  const chosen = isTooMuch ? [] : zones.filter((zone) => !work.left.includes(zone) && !known.includes(zone));
  const objects = chosen.map((zone) => newObject(zoneObject(zone, work.fields, source)));
  const of = JSON.stringify(objects);
  const checked = trial?.of === of ? trial.answer : undefined;
  const isComplete = existing.state === 'loaded' && objects.length > 0 && wrongServers(work.fields).length === 0;
  const isReady = isComplete && account !== '' && !saving.isBusy;
  const check = (event: Event) => {
    event.preventDefault();
    void saving.begin(async () => {
      setTrial({ of, answer: await writeBatch(source, objects, { dryRun: true, reason: '' }) });
      return undefined;
    });
  };
  const create = () =>
    saving.begin(async () => {
      const answer = await saving.once((signal) =>
        writeBatch(source, objects, { dryRun: false, reason: '', key: saving.key, signal }),
      );
      if (!isAccepted(answer)) return messagesOf(answer);
      finish();
      setCreated(chosen);
      focusPage();
      return undefined;
    });
  return { work, setWork, found, chosen, checked, isReady, check, create, created, saving, notice };
}

function beginning(prefix: string, maintainers: readonly ObjectName[]): Work {
  const empty = { nserver: '', descr: '', 'admin-c': '', 'tech-c': '', 'zone-c': '' };
  // Of several maintainers, the user chooses.
  return { prefix, fields: { ...empty, 'mnt-by': maintainers.length === 1 ? maintainers[0]!.key : '' }, left: [] };
}

/** The zones of a prefix, and the domains of the registry around and inside it. */
function useZones(prefix: string, source: string) {
  const range = rangeOfText(prefix);
  const zones = range ? reverseZones(range) : [];
  const isTooMuch = zones.length > maxObjects;
  const text = range && !isTooMuch ? formatRange(range) : '';
  const existing = useLoad(text, async (signal) => (text === '' ? [] : domainsAt(text, source, signal)));
  return { zones, isTooMuch, existing };
}

function wrongServers({ nserver }: ZoneFields): string[] {
  return elementsOf(nserver).filter((value) => !isNameServer(value));
}

interface InputsProps {
  readonly work: Work;
  readonly set: (work: Work) => void;
}

/** The zones of the prefix, or why there are none to create. */
function FoundZones({ found, work, set }: InputsProps & { readonly found: ReturnType<typeof useZones> }) {
  const { zones, isTooMuch, existing } = found;
  return (
    <section class="card stack zones">
      <h2>Zones</h2>
      {isTooMuch ? (
        <p>
          This prefix has more than {maxObjects} zones. The registry creates at most {maxObjects} together: take a
          smaller prefix.
        </p>
      ) : (
        <Show of={existing} what="the existing zones">
          {(domains) => (
            <Zones zones={zones} domains={domains} left={work.left} setLeft={(left) => set({ ...work, left })} />
          )}
        </Show>
      )}
    </section>
  );
}

function Inputs({ work, set }: InputsProps) {
  const { prefix, fields } = work;
  const isNoPrefix = rangeOfText(prefix) === undefined && prefix.trim() !== '';
  const wrong = wrongServers(fields);
  const change = (part: Partial<ZoneFields>) => set({ ...work, fields: { ...fields, ...part } });
  return (
    <div class="card stack">
      <TextField
        id="prefix"
        label="Prefix or range"
        hint="An IPv4 or IPv6 prefix, or a range of IPv4 addresses."
        error={isNoPrefix ? 'This is not a prefix or range.' : ''}
        class="mono"
        required
        value={prefix}
        placeholder="192.0.2.0/24"
        spellcheck={false}
        autocomplete="off"
        aria-invalid={isNoPrefix}
        set={(next) => set({ ...work, prefix: next })}
      />
      <LinesField
        id="nserver"
        label="nserver"
        hint="One name server on each line, at least two. A server inside its own zone needs its address: ns1.example.net 192.0.2.1"
        error={wrong.length > 0 ? `This is not a name server: ${wrong.join(', ')}` : ''}
        rows={4}
        required
        value={fields.nserver}
        aria-invalid={wrong.length > 0}
        set={(nserver) => change({ nserver })}
      />
      {inputs.map(([field, example, hint]) => (
        <TextField
          key={field}
          id={field}
          label={field}
          hint={hint}
          required={field !== 'descr'}
          value={fields[field]}
          placeholder={example}
          autocomplete="off"
          set={(value) => change({ [field]: value })}
        />
      ))}
    </div>
  );
}

interface ZonesProps {
  readonly zones: readonly string[];
  /** The domains of the registry inside the range, and around it. */
  readonly domains: readonly ObjectName[];
  /** The zones to omit. */
  readonly left: readonly string[];
  readonly setLeft: (left: readonly string[]) => void;
}

function Zones({ zones, domains, left, setLeft }: ZonesProps) {
  const nameOf = (zone: string) => domains.find(({ key }) => key.toLowerCase() === zone);
  const others = domains.filter(({ key }) => !zones.includes(key.toLowerCase()));
  if (zones.length === 0) return <p class="soft">They are listed here once there is a prefix.</p>;
  return (
    <>
      <ul class="list zone-list">
        {zones.map((zone) => (
          <li key={zone} class="row">
            <label class="choice">
              <input
                type="checkbox"
                checked={!left.includes(zone) && nameOf(zone) === undefined}
                disabled={nameOf(zone) !== undefined}
                onChange={() => setLeft(left.includes(zone) ? left.filter((other) => other !== zone) : [...left, zone])}
              />
              <span class="mono">{zone}</span>
            </label>
            {nameOf(zone) && (
              <Link to={paths.object(nameOf(zone)!)} class="chip" label={`exists: ${zone}`} text="exists" />
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <div>
          <p class="small">The registry accepts no zone that overlaps another one. These exist around it or inside:</p>
          <ul class="list row">
            {others.slice(0, 10).map((name) => (
              <li key={name.key}>
                <ObjectLink name={name} class="mono small" />
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function Verdict({ answer }: { readonly answer: BatchAnswer }) {
  return (
    <section class="card stack" role="status">
      <h2>{isAccepted(answer) ? 'All zones can be created' : 'The zones cannot be created'}</h2>
      <WriteMessages messages={messagesOf(answer)} />
    </section>
  );
}

function newObject(attributes: readonly SubmittedAttribute[]): BatchObject {
  return { attributes, tag: '', isDeletion: false };
}

/** Each message once: zones with the same fields have the same messages. */
function messagesOf({ messages, results }: BatchAnswer): Message[] {
  const all = [...messages, ...results.flatMap((result) => result.messages)];
  return [
    ...new Map(
      all.map((message) => [`${message.severity} ${message.text} ${message.attribute?.value}`, message]),
    ).values(),
  ];
}

function Created({ zones }: { readonly zones: readonly string[] }) {
  const { source } = useWriting();
  return (
    <section class="card stack">
      <h1>{zones.length === 1 ? 'The zone is created' : `${zones.length} zones are created`}</h1>
      <ul class="list">
        {zones.map((key) => (
          <li key={key}>
            <ObjectLink name={{ source, type: 'domain', key }} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The domains of a range, those inside it, and those around it. */
async function domainsAt(text: string, source: string, signal: AbortSignal): Promise<ObjectName[]> {
  const query = { text, sources: [source], types: ['domain'], limit: 200 };
  const found = await Promise.all(
    ['all-less', 'all-more'].map((level) =>
      search({ ...query, flags: [level, 'reverse-domain', 'no-referenced'] }, signal),
    ),
  );
  return found.flatMap(({ objects }) => objects.map(({ name }) => name));
}
