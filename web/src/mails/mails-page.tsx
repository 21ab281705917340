import { useState } from 'preact/hooks';
import { listTrialMails, readTrialMail, type TrialMail } from '../api/trial-mails.js';
import { dateText } from '../design/date-text.js';
import { Show, useLoad } from '../design/load.js';
import { useTitle } from '../design/title.js';
import { paths } from '../paths.js';
import { Link } from '../router.js';
import './mails-page.css';
import { fieldOf, readMail } from './read-mail.js';

/** The mails that a trial would have sent, or one of them. Only the machine of the trial sees them. */
export function MailsPage({ mail }: { readonly mail: string }) {
  return <div class="stack">{mail === '' ? <MailList /> : <OneMail key={mail} name={mail} />}</div>;
}

function MailList() {
  useTitle('Mails');
  const [looks, setLooks] = useState(0);
  const loaded = useLoad(String(looks), listTrialMails);
  return (
    <>
      <div class="row spread">
        <h1>Mails of this trial</h1>
        <button type="button" onClick={() => setLooks(looks + 1)}>
          Look for new mails
        </button>
      </div>
      <Show of={loaded} what="the mails">
        {(mails) => (mails === undefined ? <NotHere /> : <Mails mails={mails} />)}
      </Show>
    </>
  );
}

function NotHere() {
  return (
    <div class="card">
      <p>
        This page has mails only in a trial (<code>make run</code>) without a mail server, and only for browsers on the
        same machine, over HTTPS.
      </p>
    </div>
  );
}

function Mails({ mails }: { readonly mails: readonly TrialMail[] }) {
  if (mails.length === 0) {
    return <p class="card">No mails yet. Change an object that has the attribute “notify”.</p>;
  }
  return (
    <>
      <p class="soft">This registry has no mail server. With one, it would have sent these mails.</p>
      <div class="card scrolls">
        <table>
          <caption class="visually-hidden">The newest 100 mails, newest first.</caption>
          <thead>
            <tr>
              <th scope="col">Date</th>
              <th scope="col">To</th>
              <th scope="col">Subject</th>
            </tr>
          </thead>
          <tbody>
            {mails.map(({ name, time, head }) => {
              const mail = readMail(head);
              return (
                <tr key={name}>
                  <td>{dateText(time)}</td>
                  <td>{fieldOf(mail, 'to')}</td>
                  <td>
                    <Link to={paths.mails(name)}>{fieldOf(mail, 'subject') || '(no subject)'}</Link>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
}

function OneMail({ name }: { readonly name: string }) {
  useTitle('Mail');
  const loaded = useLoad('', (signal) => readTrialMail(name, signal));
  return (
    <>
      <p>
        <Link to={paths.mails()}>All mails of this trial</Link>
      </p>
      <Show of={loaded} what="the mail">
        {(written) =>
          written === undefined ? <p class="card">There is no such mail.</p> : <MailText written={written} />
        }
      </Show>
    </>
  );
}

function MailText({ written }: { readonly written: string }) {
  const mail = readMail(written);
  return (
    <article class="card stack">
      <h1>{fieldOf(mail, 'subject') || '(no subject)'}</h1>
      <div class="scrolls">
        <table>
          <caption class="visually-hidden">Header of the mail</caption>
          <tbody>
            {mail.fields.map((field, index) => (
              <tr key={index}>
                <th scope="row">{field.name}</th>
                <td>
                  <LinkedText text={field.value} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <pre class="mail-text">
        <LinkedText text={mail.text} />
      </pre>
    </article>
  );
}

/** A text whose web addresses are links. */
function LinkedText({ text }: { readonly text: string }) {
  const parts = text.split(/(https?:\/\/[^\s<>"]+)/);
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <a key={index} href={part} rel="noopener noreferrer nofollow">
            {part}
          </a>
        ),
      )}
    </>
  );
}
