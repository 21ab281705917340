import { useEffect, useRef, useState } from 'preact/hooks';
import type { NamedObject } from '../api/words.js';
import { amount } from '../design/format.js';
import { useWindowEvent } from '../design/window-event.js';
import { namePath, paths } from '../paths.js';
import { navigate } from '../router.js';
import './search-box.css';
import { useSearchSuggestions } from './search-suggestions.js';

/** The list of a combobox: whether it is open, and which option is active (-1: none, the text counts). */
export interface Choice {
  readonly isOpen: boolean;
  readonly active: number;
}

export const closed: Choice = { isOpen: false, active: -1 };

/**
 * The effect of a key on the list (ARIA Authoring Practices, combobox with list autocomplete): undefined when the key
 * has no meaning for it.
 */
export function afterKey(key: string, { isOpen, active }: Choice, options: number): Choice | undefined {
  if (key === 'ArrowDown' && !isOpen) return { isOpen: true, active: -1 };
  if (!isOpen || options === 0) return undefined;
  // One more position than options: the text itself.
  const step = (by: number) => ({ isOpen, active: ((active + 1 + by + options + 1) % (options + 1)) - 1 });
  if (key === 'ArrowDown') return step(1);
  if (key === 'ArrowUp') return step(-1);
  return key === 'Escape' ? closed : undefined;
}

/** The id of the search box of a page, which the key "/" focuses. */
export const searchBoxId = 'query';

interface SearchBoxProps {
  readonly text: string;
  readonly change: (text: string) => void;
  readonly autoFocus: boolean;
  readonly describedBy?: string;
}

/** The field for the question, with suggestions while the user types. A chosen suggestion opens its object. */
export function SearchBox({ text, change, autoFocus, describedBy }: SearchBoxProps) {
  const [choice, setChoice] = useState(closed);
  const suggestions = useSearchSuggestions(text, choice.isOpen);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (autoFocus) input.current?.focus();
  }, []);
  const isOpen = choice.isOpen && suggestions.length > 0;
  const active = isOpen ? suggestions[choice.active] : undefined;
  const press = (event: KeyboardEvent) => {
    const chosen = event.key === 'Enter' ? active : undefined;
    const after = afterKey(event.key, { ...choice, isOpen }, suggestions.length);
    if (chosen === undefined && after === undefined) return;
    event.preventDefault();
    if (chosen) navigate(paths.object(chosen));
    else if (after) setChoice(after);
  };
  return (
    <div>
      <input
        id={searchBoxId}
        ref={input}
        type="search"
        // biome-ignore lint/a11y/noRedundantRoles: only Preact's types need a list with this role, and there is none
        role="combobox"
        list={undefined}
        value={text}
        placeholder="192.0.2.0/24, AS64500, EXAMPLE-MNT …"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        aria-label="Search the registry"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls="query-options"
        aria-activedescendant={active && optionId(choice.active)}
        aria-describedby={describedBy}
        aria-keyshortcuts="/"
        onInput={(event) => {
          change(event.currentTarget.value);
          setChoice({ isOpen: true, active: -1 });
        }}
        onKeyDown={press}
        onBlur={() => setChoice(closed)}
      />
      {isOpen && <Suggestions suggestions={suggestions} active={choice.active} />}
      <span class="visually-hidden" role="status">
        {isOpen && `${amount(suggestions.length, 'suggestion')}: choose with the arrow keys`}
      </span>
    </div>
  );
}

interface SuggestionsProps {
  readonly suggestions: readonly NamedObject[];
  readonly active: number;
}

function Suggestions({ suggestions, active }: SuggestionsProps) {
  return (
    <div id="query-options" class="search-options card" role="listbox" aria-label="Objects that begin with this">
      {suggestions.map(({ title, ...name }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
        <div
          key={namePath(name)}
          id={optionId(index)}
          class="row"
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // Otherwise the field would lose the focus, and the list would close before the click.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => navigate(paths.object(name))}
        >
          <span class="chip plain">{name.type}</span>
          <span class="mono">{name.key}</span>
          {title !== name.key && <span class="small soft">{title}</span>}
        </div>
      ))}
    </div>
  );
}

const optionId = (index: number) => `query-option-${index}`;

/** The key "/" focuses the search box. */
export function useSlashKey(): void {
  useWindowEvent<KeyboardEvent>('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
    event.preventDefault();
    const box = document.getElementById(searchBoxId);
    if (box instanceof HTMLInputElement) {
      box.focus();
      box.select();
    }
  });
}

const typingFields = 'input:not([type="checkbox"], [type="radio"]), textarea, select';

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(typingFields));
}
