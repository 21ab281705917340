import { parseResource } from '@cadastre/rpsl';
import type { ComponentChildren } from 'preact';
import { findRoaStates } from '../api/roa-states.js';
import { countReferrers } from '../api/search.js';
import { useLoad } from '../design/load.js';
import { RoaText } from '../object/roa-text.js';
import { type ObjectName, paths } from '../paths.js';
import { Link } from '../router.js';
import type { Answer, AnsweredRoute, Contact } from './answer.js';
import './answer-card.css';
import { numberText } from '../design/format.js';
import { ObjectLink } from '../design/object-link.js';

/** The answer to a question about an address or an AS number, in short. */
export function AnswerCard({ term, answer }: { readonly term: string; readonly answer: Answer }) {
  const { registered, title, abuse, countries, routes, contacts } = answer;
  const resource = parseResource(term);
  const isAs = resource !== undefined && 'as' in resource;
  return (
    <section class="card answer" aria-labelledby="answer">
      <h2 id="answer">
        <span class="mono">{term}</span> <Holder answer={answer} isAs={isAs} />
      </h2>
      <dl class="tiles">
        {registered && (
          <>
            <Row term={isAs ? 'AS number' : 'Network'}>
              <ObjectLink name={registered.name} /> {title}
            </Row>
            <Row term="Report abuse to">
              {abuse ? <a href={`mailto:${abuse.email}`}>{abuse.email}</a> : noneRegistered}
              {abuse?.suspect && <span class="chip warn">undeliverable</span>}
            </Row>
            <Row term="Country">{countries.length > 0 ? countries.map(countryText).join(', ') : noneRegistered}</Row>
          </>
        )}
        {isAs ? (
          <Row term="Routes">
            <RoutesFrom term={term} registered={registered?.name} />
          </Row>
        ) : (
          <Row term={routes.length > 1 ? 'Routes' : 'Route'}>
            {routes.length > 0 ? <Routes term={term} routes={routes} /> : noneRegistered}
          </Row>
        )}
        {contacts.length > 0 && (
          <Row term="Contacts">
            <Contacts contacts={contacts} />
          </Row>
        )}
      </dl>
    </section>
  );
}

function Holder({ answer: { registered, holder }, isAs }: { readonly answer: Answer; readonly isAs: boolean }) {
  if (registered === undefined) return isAs ? <>is not registered</> : <>is in no registered network</>;
  if (holder === undefined) return <>has no registered holder</>;
  return (
    <>
      is held by <HolderName holder={holder} />
    </>
  );
}

/** The name of a holder, with a link to its organisation. */
export function HolderName({ holder: { name, text } }: { readonly holder: NonNullable<Answer['holder']> }) {
  return name ? <Link to={paths.object(name)}>{text}</Link> : text;
}

/** Says that the registry has no value. */
export const noneRegistered = <span class="soft">None is registered</span>;

function Row({ term, children }: { readonly term: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface RoutesFromProps {
  /** The AS number. */
  readonly term: string;
  readonly registered: ObjectName | undefined;
}

/** Leads to the routes of an AS number: of a registered one, to the table of each type with its total. */
export function RoutesFrom({ term, registered }: RoutesFromProps) {
  const counted = useLoad(term, async (signal) =>
    registered
      ? (await countReferrers({ text: term, source: registered.source, inverse: ['origin'] }, signal)).types
      : [],
  );
  if (!registered)
    return <Link to={paths.query(new URLSearchParams({ q: term, inverse: 'origin' }))}>All routes from {term}</Link>;
  const types = counted.state === 'loaded' ? counted.value : [];
  return (
    <>
      <Link to={paths.object(registered, 'referrers', undefined, { type: types[0]?.type ?? 'route' })}>
        All routes from {term}
      </Link>
      {counted.state === 'loaded' && types.length === 0 && ': none'}
      {types.map(({ type, objects }, index) => (
        <span key={type}>
          {index === 0 ? ': ' : ', '}
          <Link to={paths.object(registered, 'referrers', undefined, { type })}>
            {numberText(objects)} {type}
          </Link>
        </span>
      ))}
    </>
  );
}

interface RoutesProps {
  /** The addresses to which they lead. */
  readonly term: string;
  readonly routes: readonly AnsweredRoute[];
}

/** Routes to addresses, with their ROA states. */
export function Routes({ term, routes }: RoutesProps) {
  const states = useLoad(term, (signal) => findRoaStates([term], signal));
  return (
    <ul class="list">
      {routes.map(({ name, prefix, origin, conflict }) => (
        <li key={name.key}>
          <Link to={paths.object(name)} class="mono" text={prefix} /> from{' '}
          <Link to={paths.query(new URLSearchParams({ q: origin }))}>{origin}</Link>
          <span class="answer-roa small soft">
            {conflict !== '' ? (
              <>
                <span class="chip warn">ROA invalid</span> {conflict}
              </>
            ) : (
              states.state !== 'loading' && (
                <RoaText state={states.state === 'loaded' ? states.value.get(name.key.toLowerCase()) : undefined} />
              )
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Contacts({ contacts }: { readonly contacts: readonly Contact[] }) {
  return (
    <ul class="list">
      {contacts.map(({ key, name, title, as }) => (
        <li key={key}>
          {name ? <Link to={paths.object(name)}>{title || key}</Link> : key}{' '}
          <span class="small soft">
            {title && `${key}, `}
            {as.join(', ')}
          </span>
        </li>
      ))}
    </ul>
  );
}

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

function countryText(code: string): string {
  const name = /^[a-z]{2}$/i.test(code) ? countryNames.of(code.toUpperCase()) : code;
  return name === undefined || name === code ? code : `${name} (${code})`;
}
