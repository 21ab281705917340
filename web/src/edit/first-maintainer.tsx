import type { SubmittedAttribute } from '@cadastre/client';
import { useState } from 'preact/hooks';
import { OnlySignedIn } from '../account/sign-in-button.js';
import type { Message } from '../api/message.js';
import { createPair } from '../api/objects.js';
import { Button } from '../design/button.js';
import { TextField } from '../design/field.js';
import { Messages } from '../design/messages.js';
import { useTitle } from '../design/title.js';
import { paths } from '../paths.js';
import { goTo, navigate } from '../router.js';
import { useTrial } from './dry-run.js';
import { isRefusal } from './refusal.js';
import { isAccepted, Unchecked } from './review.js';
import { SavingState } from './saving.js';
import { useWriting } from './source-and-maintainers.js';
import { useWriteFlow } from './write-flow.js';

const fields = [
  [
    'mntner',
    'Name of the maintainer',
    'EXAMPLE-MNT',
    'Letters, digits, hyphens and underscores; begins with a letter, and commonly ends with -MNT.',
  ],
  ['person', 'Your name', 'Wanda Walker', 'First and last name of the contact, in Latin letters.'],
  ['address', 'Postal address', '1 Example Street', 'One line is enough.'],
  ['phone', 'Phone', '+31 20 555 0100', 'Begins with + and the country code; then digits, with spaces if you like.'],
  ['e-mail', 'E-mail', 'you@example.net', 'The registry sends notifications of changes there.'],
] as const;
type Field = (typeof fields)[number][0];
type Values = Partial<Record<Field, string>>;

/** Creates a maintainer and its person together, because each names the other. */
export function FirstMaintainer() {
  useTitle('A maintainer and its contact');
  return (
    <OnlySignedIn
      title="A maintainer and its contact"
      invitation="A maintainer protects objects: only its accounts may change them. Sign in first."
      staysAfterEnd
    >
      <PairForm />
    </OnlySignedIn>
  );
}

/** What the user enters, its dry run, and the function that creates both objects. */
function usePair() {
  const { source } = useWriting();
  const [values, setValues] = useState<Values>({});
  const work = Object.keys(values).length > 0 ? { values } : undefined;
  const restore = (stored: { readonly values: Values }) => setValues(stored.values);
  const { account, saving, notice, finish } = useWriteFlow(paths.create('first'), work, restore);
  const entered = (field: Field) => values[field] ?? (field === 'e-mail' ? account : '');
  const enter = (field: Field, value: string) => setValues({ ...values, [field]: value });
  const objects = pairOf(entered, account, source);
  const question = work === undefined || account === '' ? '' : JSON.stringify(objects);
  const trial = useTrial(question, (signal) => createPair(source, objects, { dryRun: true, signal }));
  const submit = (event: Event) => {
    event.preventDefault();
    saving.begin(async () => {
      const written = await saving.once((signal) =>
        createPair(source, objects, { dryRun: false, key: saving.key, signal }),
      );
      if (!isAccepted(written)) return written.messages.map(inWords);
      finish();
      const key = entered('mntner').trim().toUpperCase();
      // Every component sees the new maintainer then.
      navigate(paths.object({ source, type: 'mntner', key }), { outcome: 'created', reload: true });
      return undefined;
    });
  };
  return { account, saving, notice, entered, enter, trial, submit };
}

function PairForm() {
  const { account, saving, notice, entered, enter, trial, submit } = usePair();
  const isComplete = fields.every(([field]) => entered(field).trim() !== '');
  const found = (trial.last?.messages ?? []).filter(({ severity }) => severity === 'Error').map(inWords);
  const errorOf = (field: Field) =>
    entered(field).trim() === '' ? '' : (found.find((message) => fieldOf(message) === field)?.text ?? '');
  return (
    <form class="stack first-maintainer" onSubmit={submit}>
      <h1>A maintainer and its contact</h1>
      <p class="soft">
        A maintainer protects objects: only its accounts, such as {account}, may change them. A person is its contact.
        Each names the other, so both are created at once.
      </p>
      {notice}
      <div class="card stack">
        {fields.map(([field, label, example, hint]) => (
          <TextField
            key={field}
            id={field}
            label={label}
            hint={hint}
            inputMode={field === 'e-mail' ? 'email' : 'text'}
            required
            placeholder={example}
            value={entered(field)}
            error={errorOf(field)}
            aria-invalid={errorOf(field) !== ''}
            set={(value) => enter(field, value)}
          />
        ))}
      </div>
      {trial.state === 'failed' && <Unchecked trial={trial} />}
      {isComplete && <Messages messages={found.filter((message) => fieldOf(message) === undefined)} />}
      <SavingState saving={saving} />
      <p class="row">
        <button type="submit" class="primary" disabled={saving.isBusy || account === ''}>
          Create both
        </button>
        <Button class="quiet" label="I have a contact already" act={() => goTo(paths.create('mntner'))} />
      </p>
    </form>
  );
}

/** A message of the registry about the pair, as the form says it. */
function inWords(message: Message): Message {
  const { severity, text } = message;
  // A new maintainer authorises itself: only one that exists does not.
  if (isRefusal(message) || text.startsWith('Enforced new keyword'))
    return { severity, text: 'This name is taken: choose another one.', attribute: { name: 'mntner', value: '' } };
  return text.startsWith('Syntax error in') ? { ...message, text: 'This is not allowed.' } : message;
}

/** The field that a message is about. */
function fieldOf({ attribute }: Message): Field | undefined {
  const name = attribute?.name === 'upd-to' ? 'e-mail' : attribute?.name;
  return fields.find(([field]) => field === name)?.[0];
}

function pairOf(entered: (field: Field) => string, account: string, source: string): SubmittedAttribute[][] {
  const maintainer = entered('mntner').trim().toUpperCase();
  const email = entered('e-mail').trim();
  const mntner = {
    mntner: maintainer,
    'admin-c': 'AUTO-1',
    'upd-to': email,
    auth: `SSO ${account}`,
    'mnt-by': maintainer,
    source,
  };
  const person = {
    person: entered('person').trim(),
    address: entered('address').trim(),
    phone: entered('phone').trim(),
    'e-mail': email,
    'nic-hdl': 'AUTO-1',
    'mnt-by': maintainer,
    source,
  };
  return [mntner, person].map((object) => Object.entries(object).map(([name, value]) => ({ name, value })));
}
