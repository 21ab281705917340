import { type ExpandSetResponse, type Omission, OmissionReason, type Omissions } from '@cadastre/proto/whois';
import { count, list, object, ref, type Schema, text } from '@cadastre/rdap/schema';
import type { ListedSet, PrefixListType } from './set-prefixes.js';

const reasons: Readonly<Partial<Record<OmissionReason, string>>> = {
  [OmissionReason.OMISSION_REASON_UNKNOWN_SET]: 'unknown-set',
  [OmissionReason.OMISSION_REASON_SET_OF_OTHER_SOURCE]: 'set-of-other-source',
  [OmissionReason.OMISSION_REASON_TOO_LARGE]: 'too-large',
  [OmissionReason.OMISSION_REASON_EXCLUDED_SET]: 'excluded-set',
  [OmissionReason.OMISSION_REASON_ROA_INVALID]: 'roa-invalid',
  [OmissionReason.OMISSION_REASON_OTHER_SOURCE]: 'other-source',
  [OmissionReason.OMISSION_REASON_LESS_PREFERRED]: 'less-preferred',
};

/** The document of what an expansion leaves out. */
export const setOmissionsSchemas: Readonly<Record<string, Schema>> = {
  Omission: object(
    'A set or a route that an expansion leaves out.',
    {
      reason: text(
        '`unknown-set`: no source has the set. `set-of-other-source`: only other sources than the requested ones, or than the one that the member names. `too-large`: a bound excludes it. `excluded-set`: on request. `roa-invalid`: ROAs make the route invalid. `other-source`: only a source that was not requested has the route, such as the non-authoritative part. `less-preferred`: the route overlaps a route of a source that the operator prefers.',
        { examples: ['roa-invalid'] },
      ),
    },
    {
      set: text('The name of the set.', { examples: ['AS-OTHER'] }),
      'member-of': text('A set that has it as a member.', { examples: ['AS-EXAMPLE'] }),
      prefix: text('The prefix of the route.', { examples: ['192.0.2.0/24'] }),
      origin: text('The origin of the route.', { examples: ['AS64500'] }),
      sources: list(text('Its name.', { examples: ['TEST-NONAUTH'] }), {
        description: 'The sources that have the set or the route.',
      }),
      roa: ref('ConflictingRoa'),
      detail: text('The bound.'),
    },
  ),
  ConflictingRoa: object('A ROA that covers a route, and does not authorise it.', {
    prefix: text('Its prefix.', { examples: ['192.0.2.0/24'] }),
    'max-length': count('The maximum length of prefixes.'),
    origin: text('Its AS number.', { examples: ['AS64501'] }),
  }),
};

/** Renders what an expansion leaves out, message by message. */
export function renderOmissions(
  type: PrefixListType,
  set: ListedSet,
  messages: AsyncIterable<ExpandSetResponse>,
): AsyncGenerator<string> {
  return type === 'text/plain' ? lines(messages) : json(set, messages);
}

/** A reason in each line, then how many more there are. */
export function omissionsText({ list, more, isPartial }: Omissions = { list: [], more: 0n, isPartial: false }): string {
  const end = [...(more > 0n ? [`more ${more}`] : []), ...(isPartial ? ['partial'] : [])];
  return [...list.map(lineOf), ...end].map((line) => `${line}\n`).join('');
}

async function* lines(messages: AsyncIterable<ExpandSetResponse>): AsyncGenerator<string> {
  for await (const { omissions } of messages) yield omissionsText(omissions);
}

function lineOf({ reason, set, memberOf, prefix, origin, sources, roa, detail }: Omission): string {
  const words = [
    reasons[reason] ?? 'unknown',
    ...(set === undefined ? [] : [set]),
    ...(memberOf === undefined ? [] : ['in', memberOf]),
    ...(prefix === undefined ? [] : [prefix, `AS${origin}`]),
    ...(sources.length === 0 ? [] : [sources.join()]),
    ...(roa === undefined ? [] : ['roa', `${roa.prefix}-${roa.maxLength}`, `AS${roa.origin}`]),
  ];
  return words.join(' ') + (detail === undefined ? '' : `: ${detail}`);
}

async function* json(set: ListedSet, messages: AsyncIterable<ExpandSetResponse>): AsyncGenerator<string> {
  yield `${JSON.stringify(set).slice(0, -1)},"omissions":[\n`;
  let between = '';
  let end = { more: 0, partial: false };
  for await (const { omissions } of messages) {
    if (omissions === undefined) continue;
    const { list, more, isPartial } = omissions;
    end = { more: Number(more), partial: isPartial };
    if (list.length === 0) continue;
    yield between + list.map((one) => JSON.stringify(documentOf(one))).join(',\n');
    between = ',\n';
  }
  yield `\n],${JSON.stringify(end).slice(1)}\n`;
}

function documentOf({ reason, set, memberOf, prefix, origin, sources, roa, detail }: Omission) {
  return {
    reason: reasons[reason] ?? 'unknown',
    set,
    'member-of': memberOf,
    prefix,
    origin: origin === undefined ? undefined : `AS${origin}`,
    sources: sources.length === 0 ? undefined : sources,
    roa: roa && { prefix: roa.prefix, 'max-length': roa.maxLength, origin: `AS${roa.origin}` },
    detail,
  };
}
