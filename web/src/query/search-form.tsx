import { objectTypeNames } from '@cadastre/rpsl';
import { useState } from 'preact/hooks';
import { listSources } from '../api/metadata.js';
import { useLoad } from '../design/load.js';
import { inverseAttributes } from '../object/referring-attributes.js';
import { MomentField } from '../past/choose-moment.js';
import { paths } from '../paths.js';
import { navigate } from '../router.js';
import { type Level, type Question, writeQuestion } from './question.js';
import { recognise } from './recognise.js';
import './search-form.css';

const levels: readonly (readonly [Level, string])[] = [
  ['', 'Best match'],
  ['exact', 'Exact match'],
  ['one-less', 'Smallest enclosing range'],
  ['all-less', 'Exact match and all enclosing ranges'],
  ['one-more', 'The first level inside'],
  ['all-more', 'Everything inside'],
];

const switches: readonly (readonly [string, string])[] = [
  ['no-referenced', 'Without contacts and organisations'],
  ['no-personal', 'Without persons and roles'],
  ['reverse-domain', 'With reverse domains'],
  ['irt', 'With incident response teams'],
  ['no-filtering', 'With e-mail addresses'],
  ['no-grouping', 'Contacts at the end'],
  ['resource', 'In all mirrored registries'],
];

/** The search box and its filters. A search changes the URL. */
export function SearchForm({
  question,
  autoFocus = false,
}: {
  readonly question: Question;
  readonly autoFocus?: boolean;
}) {
  const [asked, setAsked] = useState(question);
  const change = (part: Partial<Question>) => setAsked({ ...asked, ...part });
  const hint = recognise(asked.text);
  const filtered =
    asked.types.length + asked.inverse.length + asked.flags.length > 0 ||
    [asked.level, asked.source, asked.asOf].some((value) => value !== '');
  const submit = (event: Event) => {
    event.preventDefault();
    if (asked.text.trim() !== '')
      navigate(paths.query(writeQuestion({ ...asked, text: asked.text.trim(), offset: 0 })));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is not known to all screen readers yet
    <form class="search-form" role="search" onSubmit={submit}>
      <label class="visually-hidden" for="query">
        Search the registry
      </label>
      <div class="search-box">
        <input
          id="query"
          type="search"
          value={asked.text}
          // biome-ignore lint/a11y/noAutofocus: searching is what the page is for
          autoFocus={autoFocus}
          placeholder="192.0.2.0/24, AS64500, EXAMPLE-MNT …"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-describedby="query-hint"
          onInput={(event) => change({ text: event.currentTarget.value })}
        />
        <button type="submit" class="primary">
          Search
        </button>
      </div>
      <p id="query-hint" class="hint small soft">
        {hint && `Understood as ${hint}`}
      </p>
      <details open={filtered}>
        <summary>Filters{filtered ? ' (in use)' : ''}</summary>
        <Filters asked={asked} change={change} />
      </details>
    </form>
  );
}

interface FiltersProps {
  readonly asked: Question;
  readonly change: (part: Partial<Question>) => void;
}

function Filters({ asked, change }: FiltersProps) {
  return (
    <div class="filters card">
      <fieldset class="wide">
        <legend>Types</legend>
        <div class="choices">
          {objectTypeNames.map((type) => (
            <Switch key={type} name={type} label={type} chosen={asked.types} change={(types) => change({ types })} />
          ))}
        </div>
      </fieldset>
      <div class="field">
        <label for="level">Around an address or AS number</label>
        <select
          id="level"
          value={asked.level}
          onChange={(event) => change({ level: event.currentTarget.value as Level })}
        >
          {levels.map(([level, label]) => (
            <option key={level} value={level}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="inverse">Objects that refer to it by</label>
        <select
          id="inverse"
          value={asked.inverse[0] ?? ''}
          onChange={(event) => change({ inverse: event.currentTarget.value === '' ? [] : [event.currentTarget.value] })}
        >
          <option value="">(not an inverse search)</option>
          {inverseAttributes.map((attribute) => (
            <option key={attribute} value={attribute}>
              {attribute}
            </option>
          ))}
        </select>
      </div>
      <SourceChoice source={asked.source} change={(source) => change({ source })} />
      <MomentField id="as-of" asOf={asked.asOf} change={(asOf) => change({ asOf })} />
      <fieldset class="wide">
        <legend>Options</legend>
        <div class="row">
          {switches.map(([flag, label]) => (
            <Switch key={flag} name={flag} label={label} chosen={asked.flags} change={(flags) => change({ flags })} />
          ))}
        </div>
      </fieldset>
    </div>
  );
}

function SourceChoice({ source, change }: { readonly source: string; readonly change: (source: string) => void }) {
  const sources = useLoad('', listSources);
  const names = sources.state === 'loaded' ? sources.value.map(({ name }) => name) : [source].filter(Boolean);
  return (
    <div class="field">
      <label for="source">Source</label>
      <select id="source" value={source} onChange={(event) => change(event.currentTarget.value)}>
        <option value="">The registry's own</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

interface SwitchProps {
  readonly name: string;
  readonly label: string;
  readonly chosen: readonly string[];
  readonly change: (chosen: string[]) => void;
}

function Switch({ name, label, chosen, change }: SwitchProps) {
  const isOn = chosen.includes(name);
  const turn = () => change(isOn ? chosen.filter((one) => one !== name) : [...chosen, name]);
  return (
    <label class="choice">
      <input type="checkbox" checked={isOn} onChange={turn} />
      {label}
    </label>
  );
}
