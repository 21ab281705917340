import type { SetIndex } from '../sets/set-index.js';
import { data, done, failure } from './answers.js';
import type { Command } from './command.js';

/** `!s-lc` shows the chosen sources, `!sA,B` chooses; `!s-*` does nothing, for irrtoolset. */
export function sources(index: SetIndex): Command {
  return (argument, state) => {
    if (argument === '-lc') return { body: data(state.irrd.sources.join(',')), state };
    if (argument === '-*') return { body: done, state };
    const chosen = argument.toUpperCase().split(',');
    if (!chosen.every((name) => index.names.includes(name))) {
      return { body: failure('One or more selected sources are unavailable.'), state };
    }
    const irrd = { ...state.irrd, sources: [...new Set(chosen)], choseSources: true };
    return { body: done, state: { ...state, irrd } };
  };
}

/** The sources that an argument names; `-*` means all. */
function named(argument: string, index: SetIndex): readonly string[] {
  return argument === '-*' ? index.names : argument.toUpperCase().split(',');
}

/** `!j`: up to which serial the answers are. There is no journal on this port yet. */
export function serials(index: SetIndex): Command {
  return (argument, state) => {
    const asked = named(argument, index);
    const known = asked.filter((name) => index.names.includes(name));
    const unknown = asked.filter((name) => !index.names.includes(name));
    const lines = [
      ...known.map((name) => `${name}:N:${rangeOf(index.status(name)?.serial)}`),
      ...unknown.map((name) => `${name}:X:Database unknown`),
    ];
    return { body: data(lines.join('\n')), state };
  };
}

function rangeOf(serial: bigint | undefined): string {
  return serial === undefined || serial === 0n ? '-' : `0-${serial}`;
}

/** `!J`: the state of sources as JSON. */
export function status(index: SetIndex, hidesInvalid: boolean, main: string): Command {
  return (argument, state) => {
    const described = named(argument, index).map((name) => [name, describe(index, name, main, hidesInvalid)] as const);
    return { body: data(JSON.stringify(Object.fromEntries(described), undefined, 4)), state };
  };
}

function describe(index: SetIndex, name: string, main: string, hidesInvalid: boolean) {
  if (!index.names.includes(name)) return { error: 'Unknown source' };
  const now = index.status(name);
  return {
    source_type: 'regular',
    authoritative: name === main,
    object_class_filter: null,
    rpki_rov_filter: hidesInvalid,
    scopefilter_enabled: false,
    route_preference: null,
    local_journal_kept: false,
    serial_oldest_journal: null,
    serial_newest_journal: null,
    serial_last_export: null,
    serial_newest_mirror: now === undefined ? null : Number(now.serial),
    nrtm4_client_session_id: null,
    nrtm4_client_version: null,
    nrtm4_server_session_id: null,
    nrtm4_server_version: null,
    last_update: now?.confirmed.toISOString() ?? null,
    synchronised_serials: true,
  };
}
