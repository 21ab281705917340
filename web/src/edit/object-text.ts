import { useState } from 'preact/hooks';
import { type Draft, draftOfText, textOf } from './draft.js';

/** An object that the user writes as form or as text. */
export interface ObjectText {
  /** The object as it is written now (RPSL). */
  readonly written: string;
  /** The same as a draft; undefined while the text is not an object. */
  readonly draft: Draft | undefined;
  /** Why the text is not an object. */
  readonly fault: string | undefined;
  readonly isText: boolean;
  readonly setText: (text: string) => void;
  readonly setForm: (form: Draft) => void;
  readonly showText: () => void;
  readonly showForm: () => void;
  /** Replaces the object by another text; shows a text that is not an object as text. */
  readonly load: (text: string, asText: boolean) => void;
}

/** The state of an object in the editor, which begins as a form if its text is an object. */
export function useObjectText(first: Draft | string): ObjectText {
  const [text, setText] = useState(() => (typeof first === 'string' ? first : textOf(first)));
  const [form, setForm] = useState(() => (typeof first === 'string' ? asDraft(first) : first));
  const [isText, setIsText] = useState(form === undefined);
  const read = isText || !form ? draftOfText(text) : form;
  const draft = 'fault' in read ? undefined : read;
  const written = isText || !form ? text : textOf(form);
  return {
    written,
    draft,
    fault: 'fault' in read ? read.fault : undefined,
    isText,
    setText,
    setForm,
    showText: () => {
      setText(written);
      setIsText(true);
    },
    showForm: () => {
      setForm(draft);
      setIsText(false);
    },
    load: (next, asText) => {
      const draft = asDraft(next);
      setText(next);
      setForm(draft);
      setIsText(asText || draft === undefined);
    },
  };
}

/** The draft of a text; undefined for a text that is not an object. */
export function asDraft(text: string): Draft | undefined {
  const draft = draftOfText(text);
  return 'fault' in draft ? undefined : draft;
}
