import { isUnavailable, withConnection } from '@cadastre/service';
import type pg from 'pg';
import { currentMoment, type Moment } from '../store/serials.js';
import type { Db } from '../store/stored-object.js';

/** Answers many questions by one statement, in order. */
export type Answering<Question, Answer> = (db: Db, questions: readonly Question[]) => Promise<readonly Answer[]>;

/** Where a write loads what it is decided on. */
export interface Loading extends Db {
  /** The state of a source that all other statements of the write see, or an older one. */
  moment(sourceId: number): Promise<Moment>;
  /** Asks one question. */
  ask<Question, Answer>(answering: Answering<Question, Answer>, question: Question): Promise<Answer>;
}

/** Sends each question by itself: for a transaction. */
export function loadingAlone(db: Db): Loading {
  return {
    query: db.query.bind(db),
    moment: (sourceId) => currentMoment(db, sourceId),
    ask: async (answering, question) => (await answering(db, [question]))[0]!,
  };
}

/** Where the writes of a process load together: what they ask in one turn of the event loop is one exchange. */
export type SharedLoading = ReturnType<typeof createSharedLoading>;

/** Uses few connections of a pool that pipelines: one, unless statements take long. */
export function createSharedLoading(pool: pg.Pool) {
  const lines = new Set<Line>();
  return {
    /** Runs work that needs no transaction. Rejects with the reason of the signal when that is aborted. */
    async run<T>(signal: AbortSignal, work: (db: Loading) => Promise<T>): Promise<T> {
      signal.throwIfAborted();
      const line = [...lines].find((one) => one.mayJoin()) ?? openLine(pool, (closed) => lines.delete(closed));
      lines.add(line);
      return line.run(signal, work);
    },
  };
}

interface Line extends SharedLoading {
  /** Whether further writes may load here. */
  mayJoin(): boolean;
}

/** Writes do not join others that have waited longer for an answer. */
const slowMs = 50;

/** Takes a connection of the pool while writes load by it. Calls `onClosed` when no further ones may. */
function openLine(pool: pg.Pool, onClosed: (line: Line) => void): Line {
  const connected = Promise.withResolvers<Db>();
  const unused = Promise.withResolvers<void>();
  connected.promise.catch(() => {}); // Each sender gets the error.
  unused.promise.catch(() => {}); // Nothing waits for it if there was no connection.
  withConnection(pool, { signal: undefined }, (client) => {
    connected.resolve(client);
    return unused.promise;
  }).catch(connected.reject);
  let users = 0;
  let isBroken = false;
  let next: Exchange | undefined;
  /** When the exchanges began that are not answered, the oldest first. */
  const begun = new Map<Exchange, number>();

  const current = (): Exchange => {
    if (next === undefined) setImmediate(() => void send());
    next ??= createExchange({ onAnswered: (exchange) => begun.delete(exchange), onUnavailable: close });
    return next;
  };
  const send = async () => {
    const exchange = next!;
    next = undefined;
    if (users === 0) return; // Nobody waits any more.
    begun.set(exchange, performance.now());
    const db = await connected.promise.catch((error: unknown) => failing(error));
    for (const statement of [...exchange.moments, ...exchange.statements]) statement(db);
  };
  const close = () => {
    isBroken = true;
    onClosed(line);
  };
  const end = () => {
    onClosed(line);
    if (isBroken || begun.size > 0) unused.reject(new Error('the connection is of no use'));
    else unused.resolve();
  };
  const loadingUntil = (signal: AbortSignal): Loading => ({
    query: ((statement: pg.QueryConfig) => {
      signal.throwIfAborted();
      return current().send((db) => db.query(statement));
    }) as Db['query'],
    async moment(sourceId) {
      signal.throwIfAborted();
      return current().moment(sourceId);
    },
    async ask(answering, question) {
      signal.throwIfAborted();
      const answer = current().ask(answering, question);
      return answer.catch((error: unknown) => {
        // That of another question must not fail this one.
        if (isUnavailable(error)) throw error;
        return current().send(async (db) => (await answering(db, [question]))[0]!);
      });
    },
  });
  const line: Line = {
    mayJoin() {
      const [oldest] = begun.values();
      return oldest === undefined || performance.now() - oldest < slowMs;
    },
    async run(signal, work) {
      users++;
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      const abort = () => reject(signal.reason);
      signal.addEventListener('abort', abort);
      try {
        return await Promise.race([work(loadingUntil(signal)), aborted]);
      } finally {
        signal.removeEventListener('abort', abort);
        if (--users === 0) end();
      }
    },
  };
  return line;
}

/** Sends a statement, and settles who waits for it. */
type Sending = (db: Db) => void;

/** What is sent together. */
interface Exchange {
  /** Sent before all others: what is loaded then is not older. */
  readonly moments: readonly Sending[];
  readonly statements: readonly Sending[];
  moment(sourceId: number): Promise<Moment>;
  ask<Question, Answer>(answering: Answering<Question, Answer>, question: Question): Promise<Answer>;
  send<T>(statement: (db: Db) => Promise<T>): Promise<T>;
}

interface ExchangeListener {
  /** All statements are answered. */
  onAnswered(exchange: Exchange): void;
  /** The connection may have no further answers. */
  onUnavailable(): void;
}

function createExchange({ onAnswered, onUnavailable }: ExchangeListener): Exchange {
  const moments: Sending[] = [];
  const statements: Sending[] = [];
  const momentOf = new Map<number, Promise<Moment>>();
  const requestedOf = new Map<
    unknown,
    { readonly questions: unknown[]; readonly answers: Promise<readonly unknown[]> }
  >();
  let unanswered = 0;
  const answered = () => {
    if (--unanswered === 0) onAnswered(exchange);
  };
  const add = <T>(list: Sending[], statement: (db: Db) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      unanswered++;
      list.push((db) => {
        statement(db).then(
          (answer) => {
            answered();
            resolve(answer);
          },
          (error: unknown) => {
            answered();
            if (isUnavailable(error)) onUnavailable();
            reject(error);
          },
        );
      });
    });
  const exchange: Exchange = {
    moments,
    statements,
    moment(sourceId) {
      const moment = momentOf.get(sourceId) ?? add(moments, (db) => currentMoment(db, sourceId));
      momentOf.set(sourceId, moment);
      return moment;
    },
    async ask<Question, Answer>(answering: Answering<Question, Answer>, question: Question) {
      const begin = () => {
        const questions: Question[] = [];
        return { questions, answers: add(statements, (db) => answering(db, questions)) };
      };
      const requested = requestedOf.get(answering) ?? begin();
      requestedOf.set(answering, requested);
      const at = requested.questions.push(question) - 1;
      return (await requested.answers)[at] as Answer;
    },
    send: (statement) => add(statements, statement),
  };
  return exchange;
}

/** A connection that could not be made. */
function failing(error: unknown): Db {
  return { query: () => Promise.reject(error) } as unknown as Db;
}
