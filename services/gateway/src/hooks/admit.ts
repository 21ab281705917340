import type { FastifyReply } from 'fastify';
import { whenOver } from '../answer-end.js';
import type { Context } from '../context.js';
import { Refusal } from '../errors.js';
import type { Target } from '../locator.js';
import { messages } from '../messages.js';

const soon = { 'retry-after': '2' };

/** Gives a request its place until its answer is sent. Throws a Refusal (503) when this gateway has too much to do. */
export function admit({ admission }: Pick<Context, 'admission'>, reply: FastifyReply, { kind }: Target): void {
  const leave = admission.enter(kind === 'search' ? 'search' : 'other');
  if (leave === undefined) throw new Refusal(503, messages.overloaded(), soon);
  whenOver(reply, leave);
}
