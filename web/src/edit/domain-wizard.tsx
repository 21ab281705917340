import type { SubmittedAttribute } from '@cadastre/client';
import { formatRange, isNameServer } from '@cadastre/rpsl';
import { useState } from 'preact/hooks';
import { SignInHint } from '../account/sign-in-button.js';
import { type BatchAnswer, type BatchObject, maxObjects, writeBatch } from '../api/batch.js';
import type { Message } from '../api/message.js';
import { search } from '../api/search.js';
import { LinesField, TextField } from '../design/field.js';
import { focusPage } from '../design/focus.js';
import { Show, useLoad } from '../design/load.js';
import { Messages } from '../design/messages.js';
import { ObjectLink } from '../design/object-link.js';
import { useTitle } from '../design/title.js';
import { type ObjectName, paths } from '../paths.js';
import { Link, usePlace } from '../router.js';
import { isRefusal, Refusal } from './refusal.js';
import { elementsOf, rangeOfText, reverseZones, type ZoneFields, zoneObject } from './reverse-zones.js';
import { isAccepted } from './review.js';
import { SavingState } from './saving.js';
import { useWriteFlow } from './write-flow.js';

const inputs: readonly (readonly [keyof ZoneFields, string, string, string])[] = [
  ['adminContacts', 'admin-c', 'AE1-TEST', 'Who decides about the zones.'],
  ['techContacts', 'tech-c', 'AE1-TEST', 'Who runs the servers.'],
  ['zoneContacts', 'zone-c', 'AE1-TEST', 'Who maintains the contents of the zones.'],
  ['maintainers', 'mnt-by', 'EXAMPLE-MNT', 'Who may change the objects.'],
  ['descr', 'descr', '', 'A description; may be empty.'],
];

interface WizardProps {
  readonly source: string;
  readonly maintainers: readonly ObjectName[];
}

/** Creates the reverse zones of a prefix together: domain objects that differ only in their names. */
export function DomainWizard({ source, maintainers }: WizardProps) {
  useTitle('Reverse zones');
  const requested = usePlace().query.get('prefix') ?? '';
  const [begun] = useState<ZoneFields>(() => ({
    nservers: '',
    descr: '',
    adminContacts: '',
    techContacts: '',
    zoneContacts: '',
    // Of several, the user chooses.
    maintainers: maintainers.length === 1 ? maintainers[0]!.key : '',
  }));
  const [prefix, setPrefix] = useState(requested);
  const [fields, setFields] = useState(begun);
  const [left, setLeft] = useState<readonly string[]>([]);
  const [trial, setTrial] = useState<{ readonly of: string; readonly answer: BatchAnswer }>();
  const [created, setCreated] = useState<readonly string[]>();
  const isTouched = prefix !== requested || JSON.stringify(fields) !== JSON.stringify(begun);
  const work = { prefix, fields, left };
  const restore = (stored: typeof work) => {
    setPrefix(stored.prefix);
    setFields(stored.fields);
    setLeft(stored.left);
  };
  const unsaved = isTouched && !created ? work : undefined;
  const { account, saving, notice, finish } = useWriteFlow(paths.reverseZones(), unsaved, restore);

  const range = rangeOfText(prefix);
  const isNoPrefix = range === undefined && prefix.trim() !== '';
  const zones = range ? reverseZones(range) : [];
  const isTooMuch = zones.length > maxObjects;
  const existing = useLoad(range && !isTooMuch ? formatRange(range) : '', async (signal) =>
    range && !isTooMuch ? domainsAt(formatRange(range), source, signal) : [],
  );
  const known = existing.state === 'loaded' ? existing.value.map(({ key }) => key.toLowerCase()) : [];
  const chosen = zones.filter((zone) => !left.includes(zone) && !known.includes(zone));
  const objects = isTooMuch ? [] : chosen.map((zone) => newObject(zoneObject(zone, fields, source)));
  const of = JSON.stringify(objects);
  const checked = trial?.of === of ? trial.answer : undefined;
  const wrong = elementsOf(fields.nservers).filter((value) => !isNameServer(value));
  const isReady =
    existing.state === 'loaded' && objects.length > 0 && wrong.length === 0 && account !== '' && !saving.isBusy;

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
  if (created) return <Created source={source} zones={created} />;
  return (
    <form class="stack domain-wizard" onSubmit={check}>
      <h1>Reverse zones of a prefix</h1>
      <p class="soft">
        Creates the domain objects that delegate the reverse DNS of a prefix, with the same servers and contacts: all of
        them, or none.
      </p>
      <SignInHint class="card">To check and create the zones, sign in.</SignInHint>
      {notice}
      <div class="beside">
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
            set={setPrefix}
          />
          <LinesField
            id="nservers"
            label="nserver"
            hint="One name server on each line, at least two. A server inside its own zone needs its address: ns1.example.net 192.0.2.1"
            error={wrong.length > 0 ? `This is not a name server: ${wrong.join(', ')}` : ''}
            rows={4}
            required
            value={fields.nservers}
            aria-invalid={wrong.length > 0}
            set={(nservers) => setFields({ ...fields, nservers })}
          />
          {inputs.map(([field, label, example, hint]) => (
            <TextField
              key={field}
              id={field}
              label={label}
              hint={hint}
              required={field !== 'descr'}
              value={fields[field]}
              placeholder={example}
              autocomplete="off"
              set={(value) => setFields({ ...fields, [field]: value })}
            />
          ))}
        </div>
        <div class="stack">
          <section class="card stack zones">
            <h2>Zones</h2>
            {isTooMuch ? (
              <p>
                This prefix has more than {maxObjects} zones. The registry creates at most {maxObjects} together: take a
                smaller prefix.
              </p>
            ) : (
              <Show of={existing} what="the existing zones">
                {(domains) => <Zones zones={zones} domains={domains} left={left} setLeft={setLeft} />}
              </Show>
            )}
          </section>
          {checked && <Verdict answer={checked} source={source} maintainers={maintainers} />}
          <SavingState saving={saving} />
          <p class="row">
            <button type="submit" class={checked && isAccepted(checked) ? '' : 'primary'} disabled={!isReady}>
              Check
            </button>
            <button
              type="button"
              class={checked && isAccepted(checked) ? 'primary' : ''}
              disabled={!isReady || !checked || !isAccepted(checked)}
              onClick={create}
            >
              {objects.length === 1 ? 'Create the zone' : `Create ${objects.length} zones`}
            </button>
          </p>
        </div>
      </div>
    </form>
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
          <li key={zone}>
            <label class="choice">
              <input
                type="checkbox"
                checked={!left.includes(zone) && nameOf(zone) === undefined}
                disabled={nameOf(zone) !== undefined}
                onChange={() => setLeft(left.includes(zone) ? left.filter((one) => one !== zone) : [...left, zone])}
              />
              <span class="mono">{zone}</span>
            </label>
            {nameOf(zone) && (
              <Link to={paths.object(nameOf(zone)!)} class="chip" label={`exists: ${zone}`}>
                exists
              </Link>
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

interface VerdictProps {
  readonly answer: BatchAnswer;
  readonly source: string;
  readonly maintainers: readonly ObjectName[];
}

/** The result of the dry run. */
function Verdict({ answer, source, maintainers }: VerdictProps) {
  const messages = messagesOf(answer);
  const refusals = messages.filter(isRefusal);
  return (
    <section class="card stack" role="status">
      <h2>{isAccepted(answer) ? 'All zones can be created' : 'The zones cannot be created'}</h2>
      {refusals.length > 0 && <Refusal messages={refusals} source={source} maintainers={maintainers} />}
      <Messages messages={messages.filter((message) => !isRefusal(message))} />
    </section>
  );
}

function newObject(attributes: readonly SubmittedAttribute[]): BatchObject {
  return { attributes, tag: '', isDeletion: false };
}

/** Each message once: zones with the same fields have the same messages. */
function messagesOf({ messages, results }: BatchAnswer): Message[] {
  const all = [...messages, ...results.flatMap((result) => result.messages)];
  return [...new Map(all.map((one) => [`${one.severity} ${one.text} ${one.attribute?.value}`, one])).values()];
}

function Created({ source, zones }: { readonly source: string; readonly zones: readonly string[] }) {
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
  const found = await Promise.all(
    ['all-less', 'all-more'].map((level) =>
      search(
        { text, sources: [source], types: ['domain'], flags: [level, 'reverse-domain', 'no-referenced'], limit: 200 },
        signal,
      ),
    ),
  );
  return found.flatMap(({ objects }) => objects.map(({ name }) => name));
}
