import { syntaxDescriptions } from './types/syntax-descriptions.js';
import { type AttributeUse, attributeType, type ObjectTypeName, objectType } from './types.js';
import { wrapWords } from './wrap-words.js';

const nameColumn = 16;
const requirementColumn = 12;
const cardinalityColumn = 12;
// Of a line behind its three blanks.
const textWidth = 74;

/** The template of a type: one line per attribute with requirement, cardinality and keys. */
export function templateText(type: ObjectTypeName): string {
  return objectType(type)!.attributes.map(templateLine).join('');
}

/** The purpose of the type, its template, and meaning and syntax of each attribute. */
export function verboseTemplateText(type: ObjectTypeName): string {
  const { meaning, attributes } = objectType(type)!;
  const entries = attributes.map(({ name }) => attributeEntry(name));
  return [`${type}\n${wrapped(meaning)}`, templateText(type), ...entries].join('\n');
}

function templateLine(use: AttributeUse): string {
  return [
    `${use.name}:`.padEnd(nameColumn),
    `[${use.requirement}]`.padEnd(requirementColumn),
    ' ',
    `[${use.cardinality}]`.padEnd(cardinalityColumn),
    ' ',
    use.keys.length === 0 ? '[ ]\n' : `[${use.keys.join('/')} key]\n`,
  ].join('');
}

function attributeEntry(name: string): string {
  const { meaning, syntax, list } = attributeType(name)!;
  const value = `Value${list ? ' (comma separated list)' : ''}: ${syntaxDescriptions[syntax]}`;
  return `${name}\n${wrapped(meaning)}${wrapped(value)}`;
}

/** Indented lines. */
function wrapped(text: string): string {
  return wrapWords(text.split(' '), textWidth)
    .map((line) => `   ${line}\n`)
    .join('');
}
