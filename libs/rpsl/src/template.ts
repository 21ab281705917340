import { syntaxDescriptions } from './types/syntax-descriptions.js';
import { type AttributeUse, attributeType, type KeyKind, type ObjectTypeName, objectType } from './types.js';

const nameColumn = 16;
const requirementColumn = 12;
const cardinalityColumn = 12;
const textWidth = 78;

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
  const requirement = use.requirement === 'deprecated' ? 'optional' : use.requirement;
  return [
    `${use.name}:`.padEnd(nameColumn),
    `[${requirement}]`.padEnd(requirementColumn),
    ' ',
    `[${use.cardinality}]`.padEnd(cardinalityColumn),
    ' ',
    `[${keysLabel(use.keys)}]\n`,
  ].join('');
}

function keysLabel(keys: readonly KeyKind[]): string {
  return keys.length === 0 ? ' ' : `${keys.join('/')} key`;
}

function attributeEntry(name: string): string {
  const { meaning, syntax, list } = attributeType(name)!;
  const value = `Value${list ? ' (comma separated list)' : ''}: ${syntaxDescriptions[syntax]}`;
  return `${name}\n${wrapped(meaning)}${wrapped(value)}`;
}

/** Wraps words into indented lines of at most the text width. */
function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!;
    if (last.length + word.length + 1 > textWidth - 3 && last !== '') {
      lines.push(` ${word}`);
    } else {
      lines[lines.length - 1] = `${last} ${word}`;
    }
  }
  return lines.map((line) => `  ${line}\n`).join('');
}
