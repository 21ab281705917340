import type { Logger } from '@cadastre/service';

/** Notes the name that a client gives its program. */
export type NoteAgent = (client: string, agent: string) => void;

/** Maximum characters of a name in the log: bgpq4 sends 9. */
const maxLength = 60;

/** Maximum events of all clients in a minute: anyone may name any programs. */
const maxPerMinute = 60;
const minuteMs = 60_000;

/** Makes the log of client programs. A minute with more names has an event with the number of the others. */
export function createAgentLog(logger: Logger, now: () => number = Date.now): NoteAgent {
  let minute = 0;
  let noted = 0;
  return (client, agent) => {
    const current = Math.floor(now() / minuteMs);
    if (current !== minute) {
      if (noted > maxPerMinute) logger.info({ count: noted - maxPerMinute }, 'further client programs');
      minute = current;
      noted = 0;
    }
    if (++noted > maxPerMinute) return;
    logger.info({ client, agent: readable(agent) }, 'client program');
  };
}

/** A name without characters that a log or a terminal could take for something else. */
function readable(agent: string): string {
  return agent.slice(0, maxLength).replace(/[^\x20-\x7e]/g, '?');
}
