import { useState } from 'preact/hooks';
import { type Draft, draftOfText, textOf } from './draft.js';

/** An object that the user writes as form or as text. */
export type ObjectText = ReturnType<typeof useObjectText>;

/** The state of an object in the editor, which begins as a form if its text is an object. */
export function useObjectText(first: Draft | string) {
  const [text, setText] = useState(() => (typeof first === 'string' ? first : textOf(first)));
  const [form, setForm] = useState(() => (typeof first === 'string' ? asDraft(first) : first));
  const [isText, setIsText] = useState(form === undefined);
  const read = isText || !form ? draftOfText(text) : form;
  /** The object as a draft; undefined while the text is not an object, and then there is its fault. */
  const draft = 'fault' in read ? undefined : read;
  const fault = 'fault' in read ? read.fault : undefined;
  /** The object as it is written now (RPSL). */
  const written = isText || !form ? text : textOf(form);
  const showText = () => {
    setText(written);
    setIsText(true);
  };
  const showForm = () => {
    setForm(draft);
    setIsText(false);
  };
  /** Replaces the object by another text; shows a text that is not an object as text. */
  const load = (next: string, asText: boolean) => {
    const loaded = asDraft(next);
    setText(next);
    setForm(loaded);
    setIsText(asText || loaded === undefined);
  };
  return { written, draft, fault, isText, setText, setForm, showText, showForm, load };
}

/** The draft of a text; undefined for a text that is not an object. */
export function asDraft(text: string): Draft | undefined {
  const draft = draftOfText(text);
  return 'fault' in draft ? undefined : draft;
}
