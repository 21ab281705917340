import { type Draft, submitted, textOf } from '../edit/draft.js';
import { asDraft } from '../edit/object-text.js';
import { namePath, type ObjectName } from '../paths.js';
import { type AttributeChange, changed, isComplete } from './attribute-change.js';
import type { Proposal } from './proposal.js';
import type { StoredTexts } from './stored-texts.js';

/** Applies a change to each chosen object. Before the change is complete it only reports which objects do not exist. */
export function planOf(names: readonly ObjectName[], stored: StoredTexts, change: AttributeChange) {
  /** The chosen objects that exist. */
  const drafts: Draft[] = [];
  /** Those that the change changes. */
  const proposals: Proposal[] = [];
  const unchanged: { name: ObjectName; why: string }[] = [];
  for (const name of names) {
    const before = stored.get(namePath(name));
    const draft = before && asDraft(before.text);
    if (before === undefined || draft === undefined) {
      unchanged.push({ name, why: 'It does not exist.' });
      continue;
    }
    drafts.push(draft);
    if (!isComplete(change)) continue;
    const result = changed(draft, change);
    if ('unchanged' in result) unchanged.push({ name, why: result.unchanged });
    else if (textOf(result.draft) === textOf(draft)) unchanged.push({ name, why: 'It has this value already.' });
    else {
      const { text, tag } = before;
      const attributes = submitted(result.draft);
      proposals.push({ type: name.type, name, before: text, attributes, tag, isDeletion: false });
    }
  }
  return { drafts, proposals, unchanged };
}
