import { objectTypeNames } from '@cadastre/rpsl';
import { useState } from 'preact/hooks';
import { listSources } from '../api/metadata.js';
import { Button } from '../design/button.js';
import { labelled, type Options, SelectField } from '../design/field.js';
import { useLoad } from '../design/load.js';
import { inverseAttributes } from '../object/referring-attributes.js';
import { MomentField } from '../past/choose-moment.js';
import { paths } from '../paths.js';
import { Link, navigate } from '../router.js';
import { type Interpretation, interpret, wordsOf } from './interpretation.js';
import {
  flagNames,
  type Level,
  levelNames,
  noFilters,
  type Question,
  type UsedFilter,
  usedFilters,
  writeQuestion,
} from './question.js';
import { SearchBox, searchBoxId } from './search-box.js';
import './search-form.css';

interface SearchFormProps {
  readonly question: Question;
  readonly autoFocus?: boolean;
}

/** The search box and its filters. A search changes the URL. */
export function SearchForm({ question, autoFocus = false }: SearchFormProps) {
  const [requested, setRequested] = useState(question);
  const change = (part: Partial<Question>) => setRequested({ ...requested, ...part });
  const [drops, setDrops] = useState(0);
  const meaning = interpret(requested);
  const used = usedFilters(requested);
  const drop = (part: Partial<Question>) => {
    const next = { ...requested, ...part };
    setRequested(next);
    setDrops(drops + 1);
    // The button that had the focus is gone.
    document.getElementById(searchBoxId)?.focus();
    if (question.text !== '' && queryPath(next) !== queryPath(question)) navigate(queryPath(next));
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (meaning.kind === 'page') navigate(meaning.page);
    else if (meaning.kind === 'search' && meaning.what !== '') navigate(queryPath(requested));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is not known to all screen readers yet
    <form class="search-form" role="search" onSubmit={submit}>
      <div class="search-box">
        <SearchBox
          text={requested.text}
          change={(text) => change({ text, by: '' })}
          autoFocus={autoFocus}
          describedBy="query-hint"
        />
        <button type="submit" class="primary">
          Search
        </button>
      </div>
      <p id="query-hint" class="hint small soft">
        <Understood requested={requested} meaning={meaning} />
      </p>
      {used.length > 0 && <UsedFilters used={used} drop={drop} />}
      <details>
        <summary>Filters{used.length > 0 ? ' (in use)' : ''}</summary>
        <Filters key={drops} requested={requested} change={change} />
      </details>
    </form>
  );
}

interface UsedFiltersProps {
  readonly used: readonly UsedFilter[];
  readonly drop: (part: Partial<Question>) => void;
}

function UsedFilters({ used, drop }: UsedFiltersProps) {
  return (
    <fieldset class="row used-filters">
      <legend class="visually-hidden">Filters in use</legend>
      {used.map(({ label, without }) => (
        <button key={label} type="button" class="chip" onClick={() => drop(without)}>
          <span class="visually-hidden">Without </span>
          {label} <span aria-hidden="true">✕</span>
        </button>
      ))}
      <Button class="quiet slim" label="Reset filters" act={() => drop(noFilters)} />
    </fieldset>
  );
}

/** The page of a new question. */
function queryPath(requested: Question): string {
  return paths.query(writeQuestion({ ...requested, text: requested.text.trim(), offset: 0, after: '' }));
}

/** Says how the question is understood, and links to the alternative. */
function Understood({ requested, meaning }: { readonly requested: Question; readonly meaning: Interpretation }) {
  if (meaning.kind === 'page') return <>Understood as a page of the registry</>;
  if (meaning.kind === 'bulk') {
    return (
      <>
        That is {meaning.what}, and a search is for one thing. <Link to={paths.bulk}>Bulk lookup</Link> answers for all
        addresses of a text.
      </>
    );
  }
  if (meaning.what === '') return null;
  if (meaning.kind === 'none') return <>{meaning.what}.</>;
  const isAddress = meaning.resource !== undefined && 'family' in meaning.resource;
  const other =
    requested.by === 'words' ? { ...requested, by: '' as const } : isAddress ? undefined : wordsOf(requested);
  return (
    <>
      Understood as {meaning.what}.{' '}
      {other && (
        <Link to={queryPath(other)}>{other.by === 'words' ? 'Search for the words' : 'Search for a key or name'}</Link>
      )}
    </>
  );
}

interface FiltersProps {
  readonly requested: Question;
  readonly change: (part: Partial<Question>) => void;
}

function Filters({ requested, change }: FiltersProps) {
  return (
    <div class="filters tiles card">
      <Switches
        legend="Types"
        class="choices"
        options={objectTypeNames}
        chosen={requested.types}
        change={(types) => change({ types })}
      />
      <SelectField
        id="level"
        label="Around an address or AS number"
        value={requested.level}
        options={Object.entries(levelNames)}
        set={(level) => change({ level: level as Level })}
      />
      <SelectField
        id="inverse"
        label="Objects that refer to it by"
        value={requested.inverse[0] ?? ''}
        options={[['', '(not an inverse search)'], ...inverseAttributes]}
        set={(value) => change({ inverse: value === '' ? [] : [value] })}
      />
      <SourceChoice source={requested.source} change={(source) => change({ source })} />
      <MomentField id="as-of" asOf={requested.asOf} change={(asOf) => change({ asOf })} />
      <Switches
        legend="Options"
        class="row"
        options={Object.entries(flagNames)}
        chosen={requested.flags}
        change={(flags) => change({ flags })}
      />
    </div>
  );
}

function SourceChoice({ source, change }: { readonly source: string; readonly change: (source: string) => void }) {
  const sources = useLoad('', listSources);
  const known = sources.state === 'loaded' ? sources.value.map(({ name }) => name) : [];
  const names = source === '' || known.includes(source) ? known : [...known, source];
  const options = [['', "The registry's own"] as const, ...names];
  return <SelectField id="source" label="Source" value={source} options={options} set={change} />;
}

interface SwitchesProps {
  readonly legend: string;
  readonly class: string;
  readonly options: Options;
  readonly chosen: readonly string[];
  readonly change: (chosen: string[]) => void;
}

/** Values of which any number may be chosen. */
function Switches({ legend, class: look, options, chosen, change }: SwitchesProps) {
  const turn = (value: string) =>
    change(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]);
  return (
    <fieldset class="wide">
      <legend>{legend}</legend>
      <div class={look}>
        {labelled(options).map(([value, label]) => (
          <label key={value} class="choice">
            <input type="checkbox" checked={chosen.includes(value)} onChange={() => turn(value)} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
